// Plays a solo deal with the guide's own code against the server of the first argument, reads an answer of the future
// (the second, a file), follows a table where something happens between any two requests, and asks a server that is
// out of order. guide.ts is the code in docs/guide.md, written next to this file.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { animate, follow, hint, line, playOn, Refused, say, secondsLeft, Session, settle, startSolo, tappable, unfair, Unsettled, Waiting } from "./guide.ts";
import type { Event, MatchUpdate, MatchView, Table } from "./guide.ts";

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
  const session = await Session.signUp(server, async () => void (kept += 1), { name: "Tara" });
  const told: string[] = [];
  let decided = 0;
  const app = {
    keep: async () => {},
    show: async (text: string) => void told.push(text),
    choose: async (view: MatchView) => {
      const moves = view.you?.legal_moves ?? [];
      const { cards, calls, suits, mayPass } = tappable(view);
      if (cards.size + calls.length + suits.length + Number(mayPass) !== moves.length) throw new Error("not all that is legal can be tapped");
      decided += 1;
      return decided === 1 ? (await hint(session, view)).move : moves[0];
    },
  };
  const table = await startSolo(session, app, randomUUID(), "c0ffee");
  const over = await playOn(session, table, app);
  const plays = told.filter((text) => text.includes(" plays ")).length;
  const fair = [await unfair(session, table, 1)];
  for (const noted of [{ commitments: ["f".repeat(64)], seed: "c0ffee" }, { commitments: over.commitments, seed: "beef" }]) {
    fair.push(await unfair(session, { ...table, noted }, 1));
  }
  console.log(JSON.stringify({ status: over.status, scores: over.result?.scores, decided, plays, kept, fair }));
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
  const app = { keep: async () => {}, show: async (text: string) => void told.push(text), choose: async () => undefined };
  await animate(table, [4, 5, 5, 6, 9].map(event), app); // an answer that tells some twice, and not all
  await follow(new Session("http://table", { refresh_token: "" }, async () => {}, "access"), table, app, new Waiting());
  const drawn = table.view.version;
  console.log(JSON.stringify({ told: told.map((text) => Number(text.split(" ")[2])), shown: table.shown, drawn, sat }));
}

/** What an answer comes to, after how many attempts and which pauses between them. */
async function inVain(): Promise<void> {
  let sent = 0;
  const pauses: number[] = [];
  globalThis.setTimeout = ((done: () => void, milliseconds: number) => {
    pauses.push(milliseconds / 1000);
    done();
  }) as unknown as typeof setTimeout;
  const session = new Session("http://table", { refresh_token: "" }, async () => {}, "access");
  const json = (status: number, code: string, wait?: string) => () =>
    Response.json({ code, status, params: { retry_after_seconds: Number(wait) } }, { status, headers: { ...(wait && { "Retry-After": wait }) } });
  const html = (status: number) => () => new Response("<!doctype html>", { status, headers: { "Content-Type": "text/html" } });
  const lost = () => {
    throw new TypeError("lost");
  };
  const answers = {
    fault: json(500, "internal_error", "0"),
    lost,
    bad_gateway: html(502),
    gateway_timeout: json(504, "none"),
    portal: html(200),
    blocked: html(403),
    soon: json(429, "rate_limited", "10"),
    late: json(429, "rate_limited", "3600"),
    refused: json(404, "match_not_found"),
  };
  for (const [name, answer] of Object.entries(answers)) {
    sent = pauses.length = 0;
    globalThis.fetch = async () => {
      sent += 1;
      return answer();
    };
    const fault: unknown = await session.ask((client) => client.GET("/me")).catch((given: unknown) => given);
    const told = fault instanceof Refused ? say(fault.problem) : fault instanceof Unsettled ? "unsettled" : String(fault);
    console.log(JSON.stringify({ name, sent, pauses, told }));
  }
  const hour = 3_600_000; // the phone's clock is an hour behind
  const headers = { Date: new Date(Date.now() + hour).toUTCString() };
  globalThis.fetch = async () => new Response(null, { status: 304, headers });
  const { status } = await settle(new Request("http://table/me"));
  const deadline_at = new Date(Date.now() + hour + 60_000).toISOString();
  const left = Math.round((secondsLeft({ deadline_at } as MatchView) ?? 0) / 5) * 5;
  console.log(JSON.stringify({ unchanged: status, left }));
}

const [server, future] = process.argv.slice(2);
if (server === undefined || future === undefined) throw new Error("give a server and a file");
await play(server);
read(future);
await watch();
await inVain();
