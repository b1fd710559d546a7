import { Refused, randomHex, type MatchUpdate, type Schemas, type SeatName } from "../../clients/typescript/src/index.ts";
import { Game } from "./game.ts";
import { go } from "./route.ts";
import { client, deviceName, draw, state } from "./state.ts";

/** A guest, if there is no account yet; with the name that was given. */
export async function ensureAccount(name?: string): Promise<void> {
  if (!state.signedIn) {
    state.me = await client.signUp({ ...(name && { name }), locale: state.settings.language, device_name: deviceName() });
    state.signedIn = true;
    void navigator.storage?.persist?.();
  } else if (name && name !== state.me?.name) {
    state.me = await client.call("updateMe", { body: { name } });
  }
  draw();
}

export async function loadMe(): Promise<void> {
  state.me ??= await client.call("getMe");
  draw();
}

/** What this device noted before the cards of a match: the commitments, and its own seed. */
export interface Noted {
  seat: SeatName;
  seed: string;
  commitments: string[];
}

async function note({ match }: MatchUpdate, seed: string): Promise<void> {
  if (match.you) await client.values.set(`noted.${match.id}`, { seat: match.you.seat, seed, commitments: match.commitments });
}

/** Makes a match; a second try after a lost answer finds the first one. */
export async function createMatch(setup: Schemas["MatchSetup"]): Promise<void> {
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
}

/** Sits down on the chair that is kept in a rematch. */
export async function takeOffer({ match, seat }: Schemas["Offer"]): Promise<void> {
  const seed = randomHex();
  const path = { match_id: match.id, seat };
  const update = await client.call("takeSeat", { path, body: { type: "human", client_seed: seed } });
  await note(update, seed);
  enter(update);
}

export async function join(table: Schemas["Invitation"], seat: SeatName, code: string): Promise<void> {
  const seed = randomHex();
  const path = { match_id: table.match_id, seat };
  try {
    const update = await client.call("takeSeat", { path, body: { type: "human", code, client_seed: seed } });
    await note(update, seed);
    enter(update);
  } catch (fault) {
    if (fault instanceof Refused && fault.problem.code === "already_seated") return go(`/m/${table.match_id}`);
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
