import type { Event, MatchView, Schemas, SeatName } from "./operations.ts";

type Deal = Schemas["DealView"];
type Side = Schemas["Side"];

export const SEATS: readonly SeatName[] = ["north", "east", "south", "west"];

export function sideOf(seat: SeatName): Side {
  return seat === "north" || seat === "south" ? "ns" : "ew";
}

/** The seat `steps` places on in order of play. */
export function seatAfter(seat: SeatName, steps = 1): SeatName {
  return SEATS[(SEATS.indexOf(seat) + steps) % 4] as SeatName;
}

/** The view after one more event, to draw events one by one. `legal_moves` stay empty on the way. */
export function apply(view: MatchView, event: Event): MatchView {
  const { seat } = event;
  const next: MatchView = { ...view, version: event.version };
  if (event.place) next.seats = view.seats.map((old) => (old.seat === event.place?.seat ? event.place : old));
  if (event.host_seat) next.host_seat = event.host_seat;
  if (event.rules) next.rules = event.rules;
  if (event.type === "match_started") next.status = "playing";
  if (event.match_result) Object.assign(next, { status: "finished", result: event.match_result });
  if (event.type === "match_abandoned") next.status = "abandoned";
  if (next.status !== view.status && next.status !== "playing") next.seats = next.seats.map(emptyHanded);
  if (event.rematch_id) next.rematch_id = event.rematch_id;
  if (event.type === "deal_started") return dealt(next, event);
  if (next.deal === undefined) return next;
  if (event.result) {
    const { side, score } = event.result;
    next.scores = { ...view.scores, [side]: view.scores[side] + score };
    next.previous_deal = { deal_number: next.deal.deal_number, result: event.result };
    next.deal = { ...next.deal, phase: "done", result: event.result };
  }
  if (seat !== undefined) next.deal = stepped(next.deal, event, seat, view.rules.after_bank);
  if (event.type === "play" && seat !== undefined) {
    next.seats = next.seats.map((old) =>
      old.seat === seat ? { ...old, cards_left: Math.max(0, (old.cards_left ?? 1) - 1) } : old,
    );
    if (next.you?.seat === seat) next.you = { ...next.you, hand: next.you.hand.filter((card) => card !== event.card) };
  }
  if (next.you) next.you = { ...next.you, legal_moves: [] };
  return next;
}

/** A seat of a match that is over: nobody holds cards any more. */
function emptyHanded({ cards_left: _, ...seat }: MatchView["seats"][number]): MatchView["seats"][number] {
  return seat;
}

function dealt(view: MatchView, event: Event): MatchView {
  const opener = event.opener ?? "north";
  const deal: Deal = {
    deal_number: event.deal_number ?? 1,
    opener,
    phase: "auction",
    turn: opener,
    calls: [],
    pile: { tricks: 0 },
    banked: { ns: 0, ew: 0 },
    commitment: event.commitment ?? "",
  };
  const seats = view.seats.map((seat) => ({ ...seat, cards_left: 13 }));
  const next: MatchView = { ...view, status: "playing", deal, seats };
  if (view.you) next.you = { ...view.you, hand: event.hand ?? [], legal_moves: [] };
  return next;
}

function stepped(deal: Deal, event: Event, seat: SeatName, afterBank: Schemas["AfterBank"]): Deal {
  const next: Deal = { ...deal };
  const trick = deal.trick ?? { leader: seat, plays: [] };
  switch (event.type) {
    case "call":
    case "pass":
      next.calls = [...deal.calls, event.number === undefined ? { seat } : { seat, number: event.number }];
      next.turn = seatAfter(seat);
      return next.calls.length < 4 ? next : settled(next);
    case "ser":
      return { ...next, phase: "play", ...(event.suit && { ser: event.suit }), turn: seat, trick: { leader: seat, plays: [] } };
    case "play":
      if (event.card) next.trick = { leader: trick.leader, plays: [...trick.plays, { seat, card: event.card }] };
      next.turn = seatAfter(seat);
      return next;
    case "trick_won":
      next.last_trick = { ...trick, winner: seat };
      next.pile = { tricks: deal.pile.tricks + 1, run_seat: seat };
      next.trick = { leader: seat, plays: [] };
      next.turn = seat;
      if (finishedTricks(next) < 13) return next;
      delete next.turn;
      delete next.trick;
      return next;
    case "banked":
      next.banked = { ...deal.banked, [sideOf(seat)]: deal.banked[sideOf(seat)] + (event.tricks ?? 0) };
      next.pile = afterBank === "streak" ? { tricks: 0, run_seat: seat } : { tricks: 0 };
      return next;
    default:
      return next;
  }
}

/** How many tricks were played to their end: each is banked or on hold. */
export function finishedTricks({ banked, pile }: Deal): number {
  return banked.ns + banked.ew + pile.tricks;
}

/** The auction is over: the highest caller is the declarer, and names the ser. */
function settled(deal: Deal): Deal {
  const highest = deal.calls.reduce((best, call) => ((call.number ?? 0) > (best.number ?? 0) ? call : best));
  const contract = highest.number ?? 7;
  return { ...deal, phase: "ser", turn: highest.seat, declarer: highest.seat, contract };
}
