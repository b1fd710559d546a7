// A program that has installed the library from npm: node play.mjs SERVER. Each line it prints is what one part saw.
import { apply, Client, MemoryStore, Refused, Table, Unsettled } from "do-dooni";
import { prove } from "do-dooni/proof";

const [server] = process.argv.slice(2);
const sleep = async () => {};
const print = (seen) => console.log(JSON.stringify(seen));
const stop = new AbortController();

function client(store, fetch = globalThis.fetch, onSignedOut = () => {}) {
  return new Client({ server, store, onSignedOut, surroundings: { fetch, sleep } });
}

/** Counts requests by kind, and answers the nth of a kind as `trouble` says. */
function road(trouble = {}) {
  const counts = {};
  const travel = async (url, init) => {
    const kind = `${init.method} ${new URL(url).pathname.split("/")[2]}${url.includes("/moves/") ? " move" : ""}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const [what, wait] = trouble[kind]?.[counts[kind]] ?? [];
    if (what === "lost before") throw new TypeError("no connection");
    if (typeof what === "number") return refusal(what, wait);
    const answer = await fetch(url, init);
    if (what === "lost after") throw new TypeError("no answer");
    return answer;
  };
  return { travel, counts };
}

function refusal(status, wait) {
  const headers = { "Content-Type": "application/problem+json", ...(wait && { "Retry-After": wait }) };
  return new Response(JSON.stringify({ status, code: status === 401 ? "token_expired" : "try_again", params: {} }), { status, headers });
}

/** A solo deal over a bad road: every event once and in order, and events alone give the view. */
async function play() {
  const store = new MemoryStore();
  const { travel, counts } = road({ "PUT matches move": { 1: [401], 3: ["lost after"], 5: [503, "1"], 8: ["lost before"] } });
  const me = client(store, travel);
  await me.signUp({ name: "Tara" });
  const begun = await me.call("createMatch", { body: { deals: 1, client_seed: "c0ffee" }, headers: { "Idempotency-Key": "0123456789abcdef" } });
  const versions = [];
  let drawn;
  let apart = 0;
  const table = new Table(me, begun.match.id, {
    update(view, events) {
      if (drawn === undefined) drawn = { ...view, deal: undefined, version: 0 };
      for (const event of events) {
        versions.push(event.version);
        drawn = apply(drawn, event);
      }
      const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
      const parts = ["scores", "status", "seats"].every((part) => same(sorted(drawn[part]), sorted(view[part])));
      const deal = ["calls", "banked", "pile", "trick", "turn", "ser", "contract", "phase"].every((part) => same(sorted(drawn.deal[part]), sorted(view.deal[part])));
      if (!parts || !deal || !same(drawn.you?.hand, view.you?.hand)) apart += 1;
      drawn = view;
    },
  });
  await table.accept(begun);
  while (table.view.status === "playing") await table.move(table.view.you.legal_moves[0]);
  const whole = versions.every((version, index) => version === index + 1) && versions.length === table.view.version;
  const deal = await me.call("getDeal", { path: { match_id: table.id, deal_number: 1 } });
  const seat = table.view.you.seat;
  const noted = { commitment: begun.match.commitments[0], seed: { seat, value: "c0ffee" } };
  const proved = (await prove(deal, noted)).filter(({ ok }) => ok).length;
  const broken = {};
  for (const [name, change] of Object.entries({
    secret: { deal_secret: "00".repeat(32) },
    opener: { opener: deal.opener === "north" ? "east" : "north" },
    banked: { banked: { ns: deal.banked.ew, ew: deal.banked.ns } },
    score: { result: { ...deal.result, score: 99 } },
    winners: { tricks: deal.tricks.map((trick) => ({ ...trick, winner: trick.plays.find(({ seat }) => seat !== trick.winner).seat })) },
    moves: { tricks: deal.tricks.map((trick) => ({ ...trick, plays: [...trick.plays].reverse() })) },
  })) {
    broken[name] = (await prove({ ...deal, ...change }, noted)).find((check) => check.name === name).ok;
  }
  const other = (await prove(deal, { commitment: "f".repeat(64), seed: { seat, value: "beef" } })).filter(({ ok }) => ok === false);
  print({ status: table.view.status, whole, apart, refreshes: counts["POST tokens"], proved, broken, other: other.map(({ name }) => name) });
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

/** A move without an answer is there after a restart, is sent again, and is made once. */
async function restart() {
  const store = new MemoryStore();
  const broken = road({ "PUT matches move": Object.fromEntries([1, 2, 3, 4, 5].map((n) => [n, n === 1 ? ["lost after"] : ["lost before"]])) });
  const before = client(store, broken.travel);
  await before.signUp();
  const begun = await before.call("createMatch", { body: { deals: 1 } });
  const first = new Table(before, begun.match.id, { update() {} });
  await first.accept(begun);
  const move = first.view.you.legal_moves[0];
  const fault = await first.move(move).catch((error) => error);
  const after = client(store);
  const seen = [];
  const again = new Table(after, begun.match.id, { update: (view, events) => void seen.push(...events) });
  const restored = await again.restore();
  const pending = await again.pending();
  await again.settleMove();
  const mine = seen.filter(({ move_number }) => move_number === begun.match.next_move);
  print({
    unsettled: fault instanceof Unsettled,
    restored,
    kept: JSON.stringify(pending) === JSON.stringify(move),
    made: mine.length === 1 && mine[0].type === move.type,
    left: (await again.pending()) === undefined,
  });
}

/** Many calls, and many tabs, meet an expired token: one refresh. Its lost answer is asked for with the same nonce. */
async function refresh() {
  const waiting = [];
  let busy = false;
  const locks = {
    async request(_name, task) {
      while (busy) await new Promise((resolve) => waiting.push(resolve));
      busy = true;
      try {
        return await task();
      } finally {
        busy = false;
        waiting.shift()?.();
      }
    },
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  const store = new MemoryStore();
  const nonces = [];
  const { travel, counts } = road({ "POST tokens": { 1: ["lost after"] } });
  let expired = true;
  const watched = async (url, init) => {
    if (init.headers.Authorization && expired) return refusal(401);
    if (url.endsWith("/tokens")) nonces.push(JSON.parse(init.body).client_nonce);
    const answer = await travel(url, init);
    if (url.endsWith("/tokens")) expired = false;
    return answer;
  };
  const tabs = [client(store, watched), client(store, watched)];
  await tabs[0].signUp();
  const names = await Promise.all([...tabs, ...tabs, ...tabs].map((tab) => tab.call("getMe").then(({ id }) => id)));
  let out = 0;
  const gone = client(store, async (url, init) => (url.endsWith("/tokens") ? refusal(401) : init.headers.Authorization ? refusal(401) : fetch(url, init)), () => (out += 1));
  const refused = await gone.call("getMe").catch((error) => error);
  print({
    answers: new Set(names).size,
    sent: counts["POST tokens"],
    nonces: new Set(nonces).size,
    refused: refused instanceof Refused,
    out,
    signedIn: await gone.signedIn(),
  });
}

/** How often a request is sent in vain, which pauses lie between, and that a long Retry-After is told at once. */
async function patience() {
  const pauses = [];
  const waiting = (status, wait) =>
    new Client({ server, surroundings: { fetch: async () => refusal(status, wait), random: () => 0.5, sleep: async (seconds) => void pauses.push(seconds) } });
  const busy = await waiting(503).signUp().catch((error) => error);
  const soon = pauses.splice(0);
  await waiting(503, "2").signUp().catch(() => {});
  const asked = pauses.splice(0);
  const late = await waiting(429, "3600").signUp().catch((error) => error);
  const later = pauses.splice(0);
  const page = (status) => () => Promise.resolve(new Response("<!doctype html>", { status, headers: { "Content-Type": "text/html" } }));
  const reading = (fetch) => new Client({ server, surroundings: { fetch, sleep: async () => void pauses.push(0) } }).signUp().catch((error) => error);
  const pages = [];
  for (const status of [200, 403, 502, 504]) {
    pages.push([(await reading(page(status))) instanceof Unsettled, pauses.splice(0).length]);
  }
  const out = await waiting(503, "3600").signUp().catch((error) => error);
  print({ unsettled: busy instanceof Unsettled, soon, asked, refused: late instanceof Refused, late: later, pages, out: out instanceof Unsettled });
}

/** An unchanged view is a 304 that costs no body; following stops when it is told to. */
async function cached() {
  const statuses = [];
  const me = client(new MemoryStore(), async (url, init) => {
    const answer = await fetch(url, init);
    statuses.push(answer.status);
    return answer;
  });
  await me.signUp();
  const { match } = await me.call("createMatch", { body: { deals: 1 } });
  const path = { match_id: match.id };
  const views = [await me.call("getMatch", { path }), await me.call("getMatch", { path })];
  const table = new Table(me, match.id, { update: () => stop.abort() });
  await table.follow(stop.signal);
  print({ statuses: statuses.slice(2, 4), same: views[0] === views[1] || JSON.stringify(views[0]) === JSON.stringify(views[1]), skew: Math.abs(me.now() - Date.now()) < 5000 });
}

await play();
await restart();
await refresh();
await patience();
await cached();
