import type { Card, Suit } from "../../clients/typescript/src/index.ts";
import { html, type TemplateResult } from "lit-html";
import { t, type Word } from "./words.ts";

export const SUITS: readonly Suit[] = ["S", "H", "C", "D"]; // black and red in turn
const RANKS = "23456789TJQKA";

export function suitOf(card: Card): Suit {
  return card[1] as Suit;
}

export function rankName(card: Card): string {
  const rank = card[0] ?? "";
  return "TJQKA".includes(rank) ? t(`rank.${rank}` as Word) : rank;
}

export function suitName(suit: Suit): string {
  return t(`suit.${suit}`);
}

export function cardName(card: Card): string {
  return t("card", { rank: rankName(card), suit: suitName(suitOf(card)) });
}

export function sorted(hand: readonly Card[], highFirst: boolean): Card[] {
  const value = (card: Card) => SUITS.indexOf(suitOf(card)) * 20 + (highFirst ? 1 : -1) * (12 - RANKS.indexOf(card[0] ?? ""));
  return [...hand].sort((one, other) => value(one) - value(other));
}

export function pip(suit: Suit, extra = ""): TemplateResult {
  return html`<svg class="pip s-${suit} ${extra}" viewBox="0 0 32 32" aria-hidden="true"><use href="#suit-${suit}"></use></svg>`;
}

/** A card's face, for eyes only: its name is told elsewhere. */
export function face(card: Card): TemplateResult {
  const rank = card[0] === "T" ? "10" : card[0];
  const suit = suitOf(card);
  const court = "JQK".includes(card[0] ?? "") ? "court" : "";
  return html`<span class="face s-${suit} ${court}" aria-hidden="true"
    ><span class="index"><b data-text=${rank}></b>${pip(suit)}</span>${pip(suit, "big")}</span
  >`;
}
