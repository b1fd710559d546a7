import { Refused, randomHex, type MatchUpdate, type MatchView, type Schemas, type SeatName } from "../../clients/typescript/src/index.ts";
import { Game } from "./game.ts";
import { go } from "./route.ts";
import { client, deviceName, draw, state, storage } from "./state.ts";

/** Marks, among the client's stored values, an account that has only looked at an invitation. */
const VISITOR = "visitor";

type BotLevel = Schemas["BotLevel"];

/** A guest, if there is no account yet; with the name that was given. */
export async function ensureAccount(name?: string): Promise<void> {
  if (!(await client.signedIn())) await signUp(name);
  else if (name && name !== state.me?.name) state.me = await client.call("updateMe", { body: { name } });
  await settleIn();
  await loadMe();
}

async function signUp(name?: string): Promise<void> {
  state.me = await client.signUp({ ...(name && { name }), locale: state.settings.language, device_name: deviceName() });
}

/** This device has a player from now on. */
export async function settleIn(): Promise<void> {
  await client.values.remove(VISITOR);
  state.signedIn = true;
  void navigator.storage?.persist?.();
}

/** What an invite code leads to. The API answers players only, so whoever has no account looks on as a visitor: a guest who
 * becomes this device's player by sitting down, and is deleted again if the code leads nowhere. */
export async function lookUpInvite(code: string): Promise<Schemas["Invitation"]> {
  if (!(await client.signedIn())) {
    await client.values.set(VISITOR, true);
    await signUp();
  }
  try {
    return await client.call("getInvite", { path: { code } });
  } catch (fault) {
    if (fault instanceof Refused) await leaveVisit();
    throw fault;
  }
}

/** Whether this device is signed in as more than a visitor. */
export async function hasPlayer(): Promise<boolean> {
  return (await client.signedIn()) && !(await client.values.get(VISITOR));
}

/** Deletes the visitor, if there is one; where that fails, the next look-up takes the same one again. */
export async function leaveVisit(): Promise<void> {
  if (state.signedIn || !(await client.signedIn())) return;
  await client.call("deleteMe").then(forgetPlayer, () => undefined);
}

/** Forgets all that this device knows of its player; its settings stay. */
export function forgetPlayer(): void {
  closeGame();
  for (const key of Object.keys(storage ?? {})) if (key.startsWith("do-dooni.") && key !== "do-dooni.settings") storage?.removeItem(key);
  state.signedIn = false;
  delete state.me;
}

export async function loadMe(): Promise<void> {
  state.me ??= await client.call("getMe");
  draw();
}

/** What this device noted before the cards of a match: the commitments, and its own seed. */
export interface Noted {
  seat: SeatName;
  /** Left out for a set, whose entries are dealt without one. */
  seed?: string;
  commitments: string[];
}

export async function note({ match }: MatchUpdate, seed?: string): Promise<void> {
  if (match.you) await client.values.set(`noted.${match.id}`, { seat: match.you.seat, ...(seed && { seed }), commitments: match.commitments });
}

/** Makes a match; a second try after a lost answer finds the first one. */
export async function createMatch(setup: Schemas["MatchSetup"]): Promise<string> {
  await ensureAccount();
  const kept = await client.values.get<{ key: string; setup: string; seed: string }>("create");
  const wanted = JSON.stringify(setup);
  const draft = kept?.setup === wanted ? kept : { key: randomHex(), setup: wanted, seed: randomHex() };
  await client.values.set("create", draft);
  const update = await client.call("createMatch", {
    headers: { "Idempotency-Key": draft.key },
    body: { ...setup, client_seed: draft.seed },
  });
  await client.values.remove("create");
  await note(update, draft.seed);
  enter(update);
  return update.match.id;
}

/** Sits down on the chair that is kept in a rematch. */
export async function takeOffer({ match, seat }: Schemas["Offer"]): Promise<void> {
  const seed = randomHex();
  const path = { match_id: match.id, seat };
  const update = await client.call("takeSeat", { path, body: { type: "human", client_seed: seed } });
  await note(update, seed);
  enter(update);
}

/** How good the bots are to be that take a table's empty chairs. */
export async function keepBots(id: string, level: BotLevel): Promise<void> {
  await client.values.set(`bots.${id}`, level);
}

/** Starts the table, with bots as they were chosen for it. */
export async function startTable({ id, seats }: MatchView): Promise<MatchUpdate> {
  const level = await client.values.get<BotLevel>(`bots.${id}`);
  const empty = level ? seats.filter(({ type }) => type === "empty") : [];
  for (const { seat } of empty) await client.call("takeSeat", { path: { match_id: id, seat }, body: { type: "bot", ...(level && { level }) } });
  return client.call("startMatch", { path: { match_id: id } });
}

export async function join(id: string, seat: SeatName, code: string): Promise<void> {
  const seed = randomHex();
  const path = { match_id: id, seat };
  try {
    const update = await client.call("takeSeat", { path, body: { type: "human", code, client_seed: seed } });
    await note(update, seed);
    enter(update);
  } catch (fault) {
    if (fault instanceof Refused && fault.problem.code === "already_seated") return go(`/m/${id}`);
    throw fault;
  }
}

export async function rematch(id: string): Promise<void> {
  const seed = randomHex();
  const update = await client.call("createRematch", { path: { match_id: id }, body: { client_seed: seed } });
  await note(update, seed);
  enter(update);
}

/** Opens the table of an answer, so that its events are shown. */
export function enter(update: MatchUpdate): void {
  openGame(update.match.id, update);
  go(`/m/${update.match.id}`);
}

export function openGame(id: string, begun?: MatchUpdate): Game {
  if (state.game?.id === id && !begun) return state.game;
  closeGame();
  state.game = new Game(id);
  void state.game.open(begun);
  return state.game;
}

export function closeGame(): void {
  state.game?.close();
  delete state.game;
}
