import { apply, finishedTricks, sideOf, type Event, type MatchView, type Move } from "../../clients/typescript/src/index.ts";
import { cardName, rankName, suitName, suitOf } from "./cards.ts";
import { isMe, nameOf, sideKey, who } from "./seats.ts";
import { t, type Word } from "./words.ts";

/** One answer's events as sentences, for whoever listens; told from the listener's chair. */
export function sentences(before: MatchView, events: readonly Event[]): string {
  const said: string[] = [];
  let trick: string[] = [];
  let led = "";
  let view = before;
  const endTrick = () => {
    if (trick.length) said.push(t("say.sentence", { text: capital(trick.join(", ")) }));
    trick = [];
  };
  for (const event of events) {
    if (event.type === "play" && event.seat && event.card) {
      const onTable = view.deal?.trick?.plays.length ?? 0;
      const suit = suitOf(event.card);
      if (onTable === 0 || suit !== led) trick.push(t("say.play", { who: who(view, event.seat), card: cardName(event.card) }));
      else trick.push(t("say.play", { who: who(view, event.seat), card: rankName(event.card) }));
      if (onTable === 0) led = suit;
    } else {
      if (event.type !== "trick_won") endTrick();
      const text = sentence(view, event);
      endTrick();
      const arrival = event.type === "seat_taken" || event.type === "seat_back";
      if (text && !(arrival && said.includes(text))) said.push(text);
    }
    view = apply(view, event);
    if (event.type === "trick_won") {
      const { pile, banked } = view.deal ?? {};
      const next = events[events.indexOf(event) + 1];
      if (pile && banked && next?.type !== "banked") said.push(pileText(view) ?? "");
    }
  }
  endTrick();
  return said.filter(Boolean).join(" ");
}

function sentence(view: MatchView, event: Event): string | undefined {
  const { seat, type } = event;
  const mine = isMe(view, seat);
  const name = seat ? who(view, seat) : "";
  switch (type) {
    case "deal_started":
      return t("say.deal", { number: event.deal_number ?? 1 });
    case "call":
      return t(mine ? "say.you_call" : "say.call", { who: name, number: event.number ?? 7 });
    case "pass":
      return t(mine ? "say.you_pass" : "say.pass", { who: name });
    case "ser":
      return event.suit && t(mine ? "say.you_ser" : "say.ser", { who: name, suit: suitName(event.suit) });
    case "trick_won":
      return t(mine ? "say.you_win" : "say.win", { who: name });
    case "banked":
      return event.side && bankText(view, event.side, event.tricks ?? 0);
    case "deal_scored":
      return event.result && scoreText(view, event.result);
    case "seat_taken":
    case "seat_back":
      return event.place && t(mine ? "say.you_here" : "say.here", { name: nameOf(event.place) });
    case "seat_away":
      return seat && t("say.away", { who: name });
    case "seat_left":
      return seat && t("say.left", { who: name });
    case "match_finished":
      return event.match_result && resultText(view, event.match_result.winner);
    case "match_abandoned":
      return t("abandoned");
    default:
      return undefined;
  }
}

export function bankText(view: MatchView, side: "ns" | "ew", tricks: number): string {
  const declarer = view.deal?.declarer;
  const have = (view.deal?.banked[side] ?? 0) + tricks;
  const contract = view.deal?.contract ?? 0;
  const needs = declarer !== undefined && sideOf(declarer) === side && have <= contract;
  const word = `say.${sideKey(view, side)}_bank${needs ? "_of" : ""}` as Word;
  return t(word, { tricks, have, contract, side: t(`side.${side}`) });
}

export function scoreText(view: MatchView, { side, contract, banked, made, score }: NonNullable<Event["result"]>): string {
  const word = `say.${sideKey(view, side)}_${made ? "made" : "broke"}` as Word;
  return t(word, { contract, banked, score: Math.abs(score), side: t(`side.${side}`) });
}

export function resultText(view: MatchView, winner: "ns" | "ew" | undefined): string {
  if (winner === undefined) return t("result.draw");
  return t(`result.${sideKey(view, winner)}`, { side: t(`side.${winner}`) });
}

/** What lies on the pile, and whose next win banks it. */
export function pileText(view: MatchView): string | undefined {
  const { deal } = view;
  if (deal === undefined || deal.pile.tricks === 0) return undefined;
  const n = deal.pile.tricks;
  if (finishedTricks(deal) === 12) return t("pile.last", { n, all: n + 1 });
  const run = deal.pile.run_seat;
  if (run === undefined) return t("pile.no_run", { n });
  return t(isMe(view, run) ? "pile.you" : "pile.run", { n, who: who(view, run), all: n + 1 });
}

/** What the player is to do now. */
export function promptText(view: MatchView): string {
  const { deal, you } = view;
  if (deal === undefined) return "";
  const moves = you?.legal_moves ?? [];
  if (moves.length === 0) return deal.turn && deal.turn !== you?.seat ? t("prompt.wait", { who: who(view, deal.turn) }) : "";
  if (deal.phase === "auction") {
    const minimum = Math.min(...moves.flatMap((move) => (move.type === "call" && move.number ? [move.number] : [])));
    if (!Number.isFinite(minimum)) return t("prompt.must_pass");
    const mayPass = moves.some(({ type }) => type === "pass");
    return t(mayPass ? "prompt.call" : "prompt.open", { minimum });
  }
  if (deal.phase === "ser") return t("prompt.ser");
  const led = deal.trick?.plays[0]?.card;
  if (led === undefined) return t("prompt.lead");
  const suit = suitName(suitOf(led));
  const follows = moves.some((move) => move.type === "play" && move.card && suitOf(move.card) === suitOf(led));
  return t(follows ? "prompt.follow" : "prompt.free", { suit });
}

export function moveText(move: Move): string {
  if (move.type === "call") return t("move.call", { number: move.number ?? 7 });
  if (move.type === "ser" && move.suit) return t("move.ser", { suit: suitName(move.suit) });
  if (move.type === "play" && move.card) return t("move.play", { card: cardName(move.card) });
  return t("move.pass");
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
