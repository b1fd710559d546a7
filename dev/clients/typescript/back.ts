// Opens a match that has gone on without its player until the seat was away, and plays it to its end with the guide's
// own code. The arguments: the server, the player's tokens as JSON, the match's id.
import { playOn, Session } from "./guide.ts";
import type { MatchView, Tokens } from "./guide.ts";

const [server, signedIn, id] = process.argv.slice(2);
if (server === undefined || signedIn === undefined || id === undefined) throw new Error("give a server, tokens and a match");
setTimeout(() => {
  console.error("the match does not go on");
  process.exit(1);
}, 60_000).unref();

const tokens = JSON.parse(signedIn) as Tokens;
const headers = { Authorization: `Bearer ${tokens.access_token}` };
const match = (await (await fetch(`${server}/matches/${id}`, { headers })).json()) as MatchView;
const told: string[] = [];
let decided = 0;
const choose = async (view: MatchView) => {
  const move = view.you?.legal_moves[0];
  if (move === undefined) throw new Error("it is my turn, and nothing is legal");
  decided += 1;
  return move;
};
const session = new Session(server, tokens, async () => {});
const over = await playOn(session, { match, events: [] }, choose, async (text) => void told.push(text));
const plays = told.filter((text) => text.includes(" plays ")).length;
console.log(JSON.stringify({ status: over.status, plays, decided }));
