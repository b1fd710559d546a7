// Two friends: a match in which one app ends among cards and starts again, a rematch, and one that is declined.
// The argument is the server.
import { randomUUID } from "node:crypto";
import { accept, decline, join, open, playOn, rematch, rematchOf, Session, SignedOut, start, turns, unfair, Unsettled, Waiting } from "./guide.ts";
import type { App, MatchView, SignedIn, Table } from "./guide.ts";

const [server] = process.argv.slice(2);
if (server === undefined) throw new Error("give a server");
const told = (seen: object) => console.log(JSON.stringify(seen));
const network = globalThis.fetch;
const timer = globalThis.setTimeout;
// The guide's pauses pass fifty times as fast; those of fetch take their time.
globalThis.setTimeout = ((done: () => void, milliseconds: number, ...others: []) => {
  const ours = new Error().stack?.includes("guide.js");
  return timer(done, ours ? milliseconds / 50 : milliseconds, ...others);
}) as typeof setTimeout;

/** A phone: what it stores outlives its programs. */
class Phone {
  signedIn: SignedIn | undefined;
  table: string | undefined;
  lines: string[] = [];
  choices = 0;
  readonly keepTokens = async (stored: SignedIn) => void (this.signedIn = stored);

  app(moves = Infinity): App {
    return {
      keep: async (table) => void (this.table = JSON.stringify(table)),
      show: async (line) => void this.lines.push(line),
      choose: async (view: MatchView) => (this.choices++ < moves ? view.you?.legal_moves[0] : undefined),
    };
  }

  /** A session after a cold start: nothing but what was stored. */
  session(): Session {
    if (this.signedIn === undefined || server === undefined) throw new Error("nothing is stored");
    return new Session(server, this.signedIn, this.keepTokens);
  }

  stored(): Table {
    return JSON.parse(this.table ?? "") as Table;
  }
}

const [asha, ben] = [new Phone(), new Phone()];
await Session.signUp(server, asha.keepTokens, { name: "Asha" });
await Session.signUp(server, ben.keepTokens);
const his = ben.session();
let hers = asha.session();

/** A refresh whose answer is lost for good, then a restart: the same nonce, and still signed in. */
async function coldStart(): Promise<void> {
  const nonces: string[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.endsWith("/tokens")) return network(request);
    nonces.push(((await request.clone().json()) as { client_nonce: string }).client_nonce);
    const answer = await network(request);
    if (nonces.length < 7) throw new TypeError("the answer is lost");
    return answer;
  };
  const fault = await asha.session().ask((client) => client.GET("/me")).catch((given: unknown) => given);
  hers = asha.session();
  const names = await Promise.all([1, 2, 3].map(() => hers.ask((client) => client.GET("/me"))));
  globalThis.fetch = network;
  const thief = new Session(server as string, { refresh_token: "x".repeat(40) }, async () => {});
  const out = await thief.ask((client) => client.GET("/me")).catch((given: unknown) => given);
  told({
    unsettled: fault instanceof Unsettled,
    sent: nonces.length,
    nonces: new Set(nonces).size,
    name: names[2]?.name,
    left: asha.signedIn?.client_nonce === undefined,
    signedOut: out instanceof SignedOut,
  });
}

/** Plays a match to its end; an app without an answer ends, and starts again with what it has stored. */
async function live(phone: Phone, id: string): Promise<{ restarts: number; pending: number; status: string }> {
  const seen = { restarts: 0, pending: 0 };
  for (;;) {
    const session = phone.session();
    try {
      const table = await open(session, id, phone.stored());
      seen.pending += Number(table.pending !== undefined);
      return { ...seen, status: (await playOn(session, table, phone.app())).status };
    } catch (fault) {
      if (!(fault instanceof Unsettled)) throw fault;
      seen.restarts += 1;
    }
  }
}

/** A match of friends through answers that are lost for longer than an app tries, and closed in the midst of it. */
async function friends(): Promise<MatchView> {
  const params = { header: { "Idempotency-Key": randomUUID() } };
  const seats = { north: { type: "human" }, east: { type: "bot" }, south: { type: "empty" }, west: { type: "bot" } } as const;
  const body = { deals: 1, start: "by_host", seats } as const;
  const { match } = await hers.ask((client) => client.POST("/matches", { params, body }));
  const table: Table = { view: match, shown: 0 };
  await join(his, match.invite?.code ?? "", "beef", ben.app());
  await start(hers, table, "c0ffee", asha.app());
  const bens = live(ben, match.id);
  const closed = await playOn(hers, table, asha.app(2)); // the player closes the match at the third choice
  let moves = 0;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const answer = await network(request);
    if (request.method === "PUT" && (moves += 1) > 2 && moves < 30) throw new TypeError("the answer is lost");
    return answer;
  };
  const ashas = await live(asha, match.id);
  globalThis.fetch = network;
  const stored = await open(hers, match.id, asha.stored());
  const unchanged = await open(hers, match.id, { ...stored, shown: 7 });
  told({
    closed: closed.status,
    statuses: [ashas.status, (await bens).status],
    restarted: ashas.restarts > 0 && ashas.pending === ashas.restarts,
    plays: asha.lines.filter((line) => line.includes(" plays ")).length,
    unchanged: unchanged.shown,
    unfair: [...(await unfair(hers, stored, 1)), ...(await unfair(his, ben.stored(), 1))],
  });
  return stored.view;
}

/** Ben's app waits at the result and is woken; the offer is in his badge, and he takes it. The next one he declines. */
async function rematches(over: MatchView): Promise<void> {
  const waiting = new Waiting();
  const asked = rematchOf(his, ben.stored(), ben.app(), waiting);
  const table = await rematch(hers, over, "5eed", asha.app());
  waiting.wake();
  const found = await asked;
  const { count, offers } = await turns(his);
  const [offer] = offers;
  if (offer === undefined) throw new Error("no offer");
  const bens = await accept(his, offer, "f00d", ben.app());
  told({ found: found === table.view.id, count, offered: offer.match.id === found, noted: bens.noted?.commitments.length });
  await start(hers, table, "5eed", asha.app());
  await Promise.all([live(asha, table.view.id), live(ben, table.view.id)]);
  const unfairs = [...(await unfair(hers, asha.stored(), 1)), ...(await unfair(his, ben.stored(), 1))];
  await rematch(hers, asha.stored().view, "5eed", asha.app());
  const [second] = (await turns(his)).offers;
  if (second === undefined) throw new Error("no second offer");
  await decline(his, second);
  told({ unfair: unfairs, offers: (await turns(his)).offers.length });
}

/** A stopped app asks for nothing more, even in the middle of a long pause. */
async function stopped(): Promise<void> {
  const table = asha.stored(); // waits for Ben, for good
  const waiting = new Waiting();
  table.view.poll_after_seconds = 1e6;
  let sent = 0;
  globalThis.fetch = async (input, init) => {
    sent += 1;
    return network(input, init);
  };
  const playing = playOn(hers, table, asha.app(), waiting);
  await new Promise((done) => timer(done, 20));
  const before = sent;
  waiting.wake();
  while (sent === before) await new Promise((done) => timer(done, 5));
  waiting.stop();
  const { status } = await playing;
  told({ before, woken: sent, status });
}

await coldStart();
await rematches(await friends());
await stopped();
