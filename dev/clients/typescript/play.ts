// Plays a solo deal against the server of the first argument, and reads an answer of the future (the second, a file).
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "../../../build/clients/typescript/schema.d.ts";

type MatchUpdate = components["schemas"]["MatchUpdate"];
type Event = components["schemas"]["Event"];

/** What an app does with an event; it passes over a type that it does not know. */
function line(event: Event): string | undefined {
  switch (event.type) {
    case "call":
      return `${event.seat} calls ${event.number}`;
    case "play":
      return `${event.seat} plays ${event.card}`;
    case "banked":
      return `${event.side} banks ${event.tricks}`;
    default:
      return undefined;
  }
}

function must<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function play(server: string): Promise<void> {
  const client = createClient<paths>({ baseUrl: server });
  const { tokens } = must(await client.POST("/players", { body: { name: "Tara" } }));
  client.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${tokens.access_token}`);
      return request;
    },
  });
  let { match, events }: MatchUpdate = must(await client.POST("/matches", { body: { deals: 1 } }));
  const told: string[] = [];
  while (match.status === "playing") {
    told.push(...events.map(line).filter((text) => text !== undefined));
    const move = match.you?.legal_moves[0];
    if (move === undefined) throw new Error("nobody else is human: it must be my turn");
    ({ match, events } = must(
      await client.PUT("/matches/{match_id}/moves/{number}", {
        params: { path: { match_id: match.id, number: match.next_move } },
        body: move,
      }),
    ));
  }
  if (match.result === undefined) throw new Error("a finished match has a result");
  console.log(JSON.stringify({ status: match.status, scores: match.result.scores, told: told.length }));
}

/** An app of today reads what a server of tomorrow sends. */
function read(file: string): void {
  const { match, events } = JSON.parse(readFileSync(file, "utf8")) as MatchUpdate;
  const known = events.map(line).filter((text) => text !== undefined);
  console.log(JSON.stringify({ seats: match.seats.map((seat) => seat.type), events: events.length, known: known.length }));
}

const [server, future] = process.argv.slice(2);
if (server === undefined || future === undefined) throw new Error("give a server and a file");
await play(server);
read(future);
