// Opens a match that has gone on without its player until the seat was away, and plays it to its end with the guide's
// own code, after a cold start. The arguments: the server, the player's refresh token, the match's id.
import { open, playOn, Session } from "./guide.ts";
import type { MatchView } from "./guide.ts";

const [server, refresh_token, id] = process.argv.slice(2);
if (server === undefined || refresh_token === undefined || id === undefined) throw new Error("give a server, a token and a match");
setTimeout(() => {
  console.error("the match does not go on");
  process.exit(1);
}, 60_000).unref();

const told: string[] = [];
let decided = 0;
const app = {
  keep: async () => {},
  show: async (text: string) => void told.push(text),
  choose: async (view: MatchView) => {
    decided += 1;
    return view.you?.legal_moves[0];
  },
};
const session = new Session(server, { refresh_token }, async () => {});
const table = { ...(await open(session, id)), shown: 0 }; // it was stored before the first event was shown
const over = await playOn(session, table, app);
const plays = told.filter((text) => text.includes(" plays ")).length;
console.log(JSON.stringify({ status: over.status, plays, decided }));
