export { Client, type Options } from "./client.ts";
export { apply, finishedTricks, seatAfter, SEATS, sideOf } from "./events.ts";
export { Refused, Unsettled, type Surroundings } from "./http.ts";
export { OPERATIONS } from "./operations.ts";
export type * from "./operations.ts";
export { MemoryStore, randomHex, type KeyValueStore } from "./storage.ts";
export { isAway, isOver, Table, type Listener } from "./table.ts";
