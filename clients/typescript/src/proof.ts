import { seatAfter, SEATS, sideOf } from "./events.ts";
import type { Card, DealRecord, SeatName } from "./operations.ts";

/** What is checked, in order. docs/fair-shuffle.md has the steps. */
export const CHECKS = ["secret", "commitment", "seed", "digest", "hands", "opener", "moves", "winners", "banked", "score"] as const;
export type CheckName = (typeof CHECKS)[number];
export interface Check {
  name: CheckName;
  /** Left out: nothing to compare with, such as a commitment that was not noted before the cards. */
  ok?: boolean;
}

export interface Noted {
  /** The deal's commitment as it was shown before the cards. */
  commitment?: string;
  /** The seed that this player sent. */
  seed?: { seat: SeatName; value: string };
  /** The first deal's opener; for deals after the first. */
  firstOpener?: SeatName;
}

/** A deal whose secret is told: that of a set is not as long as others may still play it. */
export type Revealed = DealRecord & { deal_secret: string };

export function isRevealed(deal: DealRecord): deal is Revealed {
  return deal.deal_secret !== undefined;
}

const RANKS = "23456789TJQKA";
const PACK: readonly Card[] = [..."SHDC"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** Checks a finished deal with nothing but its record and what was noted before it. */
export async function prove(deal: Revealed, noted: Noted = {}): Promise<Check[]> {
  const secret = bytes(deal.deal_secret);
  const seeds = SEATS.map((seat) => placeOf(deal, seat)?.client_seed ?? "");
  const digest = await sha256(text(seeds.join("\n")));
  const { hands, opener } = await shuffled(secret, digest);
  const first = deal.deal_number === 1 ? opener : noted.firstOpener;
  const mine = noted.seed;
  const rules = replayed(deal);
  const results: Record<CheckName, boolean | undefined> = {
    secret: hex(await sha256(secret)) === deal.commitment,
    commitment: noted.commitment === undefined ? undefined : noted.commitment === deal.commitment,
    seed: mine === undefined ? undefined : placeOf(deal, mine.seat)?.client_seed === mine.value,
    digest: hex(digest) === deal.client_digest,
    hands: SEATS.every((seat, index) => same(placeOf(deal, seat)?.hand ?? [], hands[index] ?? [])),
    opener: first === undefined ? undefined : seatAfter(first, deal.deal_number - 1) === deal.opener,
    ...rules,
  };
  return CHECKS.map((name) => {
    const ok = results[name];
    return ok === undefined ? { name } : { name, ok };
  });
}

function placeOf(deal: DealRecord, seat: SeatName) {
  return deal.seats.find((place) => place.seat === seat);
}

function same(one: readonly Card[], other: readonly Card[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

/** Steps 5 to 10: the four hands, and whom a first deal would have open. */
async function shuffled(secret: Uint8Array, digest: Uint8Array) {
  const key = await hmac(secret, digest);
  let block: Uint8Array = new Uint8Array();
  let counter = 0;
  let at = 0;
  const draw = async (choices: number): Promise<number> => {
    for (;;) {
      if (at === block.length) {
        const number = new Uint8Array(4);
        new DataView(number.buffer).setUint32(0, counter++);
        block = await hmac(key, number);
        at = 0;
      }
      const byte = block[at++] as number;
      if (byte < 256 - (256 % choices)) return byte % choices;
    }
  };
  const pack = [...PACK];
  for (let index = 51; index > 0; index -= 1) {
    const other = await draw(index + 1);
    [pack[index], pack[other]] = [pack[other] as Card, pack[index] as Card];
  }
  const hands = SEATS.map((_, seat) => pack.filter((_card, place) => place % 4 === seat));
  return { hands, opener: SEATS[await draw(4)] as SeatName };
}

/** Plays the record's moves again by the rules. */
function replayed(deal: DealRecord): Record<"moves" | "winners" | "banked" | "score", boolean> {
  const hands = new Map(SEATS.map((seat) => [seat, new Set(placeOf(deal, seat)?.hand)]));
  const banked = { ns: 0, ew: 0 };
  let moves = auctionHolds(deal);
  let winners = true;
  let leader = deal.declarer;
  let pile = 0;
  let run: SeatName | undefined;
  deal.tricks.forEach((trick, index) => {
    const led = trick.plays[0]?.card[1];
    trick.plays.forEach(({ seat, card }, place) => {
      const hand = hands.get(seat);
      const follows = card[1] === led || ![...(hand ?? [])].some((held) => held[1] === led);
      moves &&= leader !== undefined && seat === seatAfter(leader, place) && hand?.delete(card) === true && follows;
    });
    const strength = (card: Card) =>
      (card[1] === deal.ser ? 200 : card[1] === led ? 100 : 0) + RANKS.indexOf(card[0] ?? "");
    const winner = trick.plays.reduce((best, play) => (strength(play.card) > strength(best.card) ? play : best)).seat;
    winners &&= winner === trick.winner && trick.plays.length === 4;
    pile += 1;
    if (run === winner || index === 12) {
      banked[sideOf(winner)] += pile;
      pile = 0;
      run = deal.after_bank === "streak" ? winner : undefined;
    } else run = winner;
    leader = winner;
  });
  const finished = deal.phase === "done";
  const { declarer, contract, result } = deal;
  const scores = () => {
    if (declarer === undefined || contract === undefined || result === undefined) return false;
    const made = banked[sideOf(declarer)] >= contract;
    return result.side === sideOf(declarer) && result.made === made && result.score === (made ? contract : -2 * contract);
  };
  return {
    moves: moves && (!finished || deal.tricks.length === 13),
    winners,
    banked: banked.ns === deal.banked.ns && banked.ew === deal.banked.ew,
    score: finished ? scores() : result === undefined,
  };
}

function auctionHolds({ calls, opener, declarer, contract }: DealRecord): boolean {
  let highest = 6;
  let caller: SeatName | undefined;
  const each = calls.every(({ seat, number }, index) => {
    if (seat !== seatAfter(opener, index)) return false;
    if (number === undefined) return index > 0;
    const higher = number > highest && number <= 13;
    [highest, caller] = [number, seat];
    return higher;
  });
  return each && (declarer === undefined || (calls.length === 4 && caller === declarer && highest === contract));
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function bytes(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hex(value: Uint8Array): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sha256(value: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", value as BufferSource));
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key as BufferSource, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message as BufferSource));
}
