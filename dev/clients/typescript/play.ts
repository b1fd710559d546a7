// Plays a solo deal with the guide's own code against the server of the first argument, reads an answer of the future
// (the second, a file), follows a table where something happens between any two requests, and asks a server that is
// out of order. guide.ts is the code in docs/guide.md, written next to this file.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { animate, follow, hinted, line, must, playOn, say, Session, settle, startSolo, tappable } from "./guide.ts";
import type { Event, MatchUpdate, MatchView, Table, Tokens } from "./guide.ts";

/** A road with trouble on it, each kind once: a token that is good no more, an answer that is lost, a busy server. */
function rough(road: typeof fetch): typeof fetch {
  let moves = 0;
  const refusal = (status: number, code: string) =>
    Response.json({ code, status, params: {} }, { status, headers: { "Retry-After": "0" } });
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "PUT") return road(request);
    moves += 1;
    if (moves === 1) return refusal(401, "token_invalid");
    if (moves === 5) return refusal(503, "try_again");
    const answer = await road(request);
    if (moves === 3) throw new TypeError("the connection was lost");
    return answer;
  };
}

async function play(server: string): Promise<void> {
  globalThis.fetch = rough(globalThis.fetch);
  let kept = 0;
  const session = await Session.signUp(server, "Tara", async () => void (kept += 1));
  const begun = must(await startSolo(session, randomUUID(), "c0ffee"));
  const told: string[] = [];
  let decided = 0;
  const choose = async (view: MatchView) => {
    const move = view.you?.legal_moves[0];
    if (move === undefined) throw new Error("it is my turn, and nothing is legal");
    const { cards, calls, suits, mayPass } = tappable(view);
    if (cards.size + calls.length + suits.length + Number(mayPass) !== view.you?.legal_moves.length) {
      throw new Error("not all that is legal can be tapped");
    }
    decided += 1;
    return decided === 1 ? ((await hinted(session, view)) ?? move) : move;
  };
  const over = await playOn(session, begun, choose, async (text) => void told.push(text));
  const plays = told.filter((text) => text.includes(" plays ")).length;
  console.log(JSON.stringify({ status: over.status, scores: over.result?.scores, decided, plays, kept }));
}

/** An app of today reads what a server of tomorrow sends. */
function read(file: string): void {
  const { match, events } = JSON.parse(readFileSync(file, "utf8")) as MatchUpdate;
  const told = events.map(line);
  console.log(JSON.stringify({ seats: match.seats.map(({ type }) => type), told: told.map((text) => text ?? null) }));
}

/** A table at which others play two cards before every answer, in pages of three, until there were forty. My seat is away
 * at first, and no turn comes to me until I have taken it again. */
async function watch(): Promise<void> {
  let version = 10;
  const sat: string[] = [];
  const event = (at: number) => ({ version: at, type: "call", seat: "west", number: at }) as Event;
  const view = () =>
    ({
      id: "m",
      version,
      status: "playing",
      poll_after_seconds: 0,
      seats: ["north", "east"].map((seat) => ({ seat, away: seat === "east" && sat.length === 0 })),
      you: { seat: "east", legal_moves: version < 40 || sat.length === 0 ? [] : [{}] },
    }) as unknown as MatchView;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    version = Math.min(version + 2, 40);
    if (request.method === "PUT") {
      sat.push(`${url.pathname} ${await request.text()}`);
      return Response.json({ match: view(), events: [event(version)] });
    }
    const after = Number(url.searchParams.get("after"));
    const items = Array.from({ length: Math.min(3, version - after) }, (_, index) => event(after + 1 + index));
    const last = after + items.length;
    const news = items.length > 0 && url.searchParams.get("view") === "true" ? { match: view() } : {};
    return Response.json({ items, version: last, more: last < version, poll_after_seconds: 0, ...news });
  };
  const table: Table = { view: view(), shown: 4 };
  const told: string[] = [];
  const show = async (text: string) => void told.push(text);
  await animate(table, [4, 5, 5, 6, 9].map(event), show); // an answer that tells some twice, and not all
  await follow(new Session("http://table", {} as Tokens, async () => {}), table, show);
  const drawn = table.view.version;
  console.log(JSON.stringify({ told: told.map((text) => Number(text.split(" ")[2])), shown: table.shown, drawn, sat }));
}

/** How often a request is sent in vain, and how long is waited: a server that is out of order, no road at all, and a
 * limit that is over soon, or in an hour. */
async function inVain(): Promise<void> {
  let sent = 0;
  const refusing = (status: number, code: string, wait: string) => async () => {
    sent += 1;
    const response = new Response(null, { status, headers: { "Retry-After": wait } });
    return { error: { code, status, params: { retry_after_seconds: Number(wait) } }, response };
  };
  const { problem } = await settle(refusing(500, "internal_error", "0"));
  let pauses: number[] = [];
  globalThis.setTimeout = ((done: () => void, milliseconds: number) => {
    pauses.push(milliseconds / 1000);
    done();
  }) as unknown as typeof setTimeout;
  const lost = await settle(() => Promise.reject(new TypeError("lost"))).catch((error: Error) => error.message);
  console.log(JSON.stringify({ sent, code: problem?.code, lost, pauses }));
  for (const wait of ["10", "3600"]) {
    sent = 0;
    pauses = [];
    const outcome = await settle(refusing(429, "rate_limited", wait));
    console.log(JSON.stringify({ sent, pauses, said: outcome.problem && say(outcome.problem) }));
  }
}

const [server, future] = process.argv.slice(2);
if (server === undefined || future === undefined) throw new Error("give a server and a file");
await play(server);
read(future);
await watch();
await inVain();
