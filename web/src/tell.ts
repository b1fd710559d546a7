import { sideOf, type Hint, type MatchView } from "../../clients/typescript/src/index.ts";
import { suitName } from "./cards.ts";
import type { Lesson } from "./game.ts";
import { isMe, mySide, sideKey, who } from "./seats.ts";
import { maybe, signed, t, type Params } from "./words.ts";

/** Why a hint is given. */
export function hintReason({ code, params, text }: Hint, view: MatchView): string {
  const filled: Params = {};
  if (params.number !== undefined) filled["number"] = params.number;
  if (params.chance !== undefined) filled["chance"] = params.chance;
  if (params.tricks !== undefined) filled["tricks"] = params.tricks;
  if (params.suit !== undefined) filled["suit"] = suitName(params.suit);
  if (params.seat !== undefined) filled["who"] = who(view, params.seat);
  return maybe(`hint.${code}`, filled) ?? text;
}

/** A lesson's lines, to be read one at a time. */
export function lessonLines(lesson: Lesson, { deal }: MatchView): string[] {
  const name = lesson === "ser" && deal?.phase === "ser" ? "ser_name" : lesson;
  const params = { suit: deal?.ser ? suitName(deal.ser) : "" };
  return [1, 2, 3, 4].flatMap((line) => maybe(`lesson.${name}.${line}`, params) ?? []);
}

/** What the contract still needs. */
export function contractState(view: MatchView): { text: string; needs: string; ours: boolean } | undefined {
  const { deal } = view;
  if (deal?.declarer === undefined || deal.contract === undefined) return undefined;
  const side = sideOf(deal.declarer);
  const ours = side === mySide(view);
  const n = deal.contract - deal.banked[side];
  const other = side === "ns" ? deal.banked.ew : deal.banked.ns;
  const broken = other > 13 - deal.contract;
  const key = sideKey(view, side);
  const params = { contract: deal.contract, minus: signed(-2 * deal.contract), side: t(`side.${side}`) };
  const text = t(`contract.${key}`, params);
  const needs = n <= 0 ? t("contract.made") : broken ? t(`contract.${key}_broken`, params) : t("contract.needs", { n });
  return { text, needs, ours };
}

export function highestCall(view: MatchView): string | undefined {
  const calls = view.deal?.calls.filter(({ number }) => number !== undefined) ?? [];
  const best = calls.at(-1);
  if (best?.number === undefined) return undefined;
  return isMe(view, best.seat) ? t("say.you_call", { number: best.number }) : t("say.call", { who: who(view, best.seat), number: best.number });
}
