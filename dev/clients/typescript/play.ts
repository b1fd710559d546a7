// Plays a solo deal with the guide's own code against the server of the first argument, and reads an answer of the
// future (the second, a file). guide.ts is the code in docs/guide.md, written next to this file.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hinted, line, must, playOn, Session, startSolo, tappable, type MatchUpdate, type MatchView } from "./guide.ts";

/** A road with trouble on it, each kind once: a token that has run out, an answer that is lost, a busy server. */
function rough(road: typeof fetch): typeof fetch {
  let moves = 0;
  const refusal = (status: number, code: string) =>
    Response.json({ code, status, params: {} }, { status, headers: { "Retry-After": "0" } });
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "PUT") return road(request);
    moves += 1;
    if (moves === 1) return refusal(401, "token_expired");
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

const [server, future] = process.argv.slice(2);
if (server === undefined || future === undefined) throw new Error("give a server and a file");
await play(server);
read(future);
