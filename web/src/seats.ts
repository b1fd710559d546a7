import { seatAfter, SEATS, sideOf, type MatchView, type SeatName, type Schemas } from "../../clients/typescript/src/index.ts";
import { t } from "./words.ts";

type SeatInfo = Schemas["SeatInfo"];
type Side = Schemas["Side"];
export type Place = "me" | "right" | "partner" | "left";

/** Anticlockwise, as is usual in India (R7): who comes after me sits on my right. */
export const PLACES: readonly Place[] = ["me", "right", "partner", "left"];

/** From whose chair the table is drawn: a spectator looks from south's. */
export function chair(view: MatchView): SeatName {
  return view.you?.seat ?? "south";
}

export function placeOf(view: MatchView, seat: SeatName): Place {
  return PLACES[(SEATS.indexOf(seat) - SEATS.indexOf(chair(view)) + 4) % 4] as Place;
}

export function seatAt(view: MatchView, place: Place): SeatName {
  return seatAfter(chair(view), PLACES.indexOf(place));
}

export function isMe(view: MatchView, seat: SeatName | undefined): boolean {
  return seat !== undefined && view.you?.seat === seat;
}

/** Whether nobody but bots waits for me. */
export function alone({ seats, you }: MatchView): boolean {
  return !seats.some(({ seat, type, left }) => type === "human" && !left && seat !== you?.seat);
}

/** Partner, right, left; for a spectator the seat's own name. */
export function who(view: MatchView, seat: SeatName): string {
  if (view.you === undefined) return t(`seat.${seat}`);
  return t(`place.${placeOf(view, seat)}`);
}

export function nameOf(info: SeatInfo): string {
  if (info.type === "empty") return t("seat.empty");
  if (info.type === "invited") return t("seat.invited", { name: info.player?.name ?? t("player") });
  if (info.player?.deleted) return t("player.deleted");
  if (info.player && !info.left) return info.player.name ?? t("player");
  return info.level ? t(`bot.${info.level}` as "bot.easy") : t("bot.easy");
}

export function mySide(view: MatchView): Side {
  return sideOf(chair(view));
}

export function otherSide(side: Side): Side {
  return side === "ns" ? "ew" : "ns";
}

/** How a side is spoken of: we, they, or for a spectator by its seats. */
export function sideKey(view: MatchView, side: Side): "we" | "they" | "side" {
  return view.you === undefined ? "side" : side === mySide(view) ? "we" : "they";
}

export function sideName(view: MatchView, side: Side): string {
  const key = sideKey(view, side);
  return t(key === "side" ? `side.${side}` : key);
}
