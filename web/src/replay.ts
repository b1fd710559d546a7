import type { Card, DealRecord, SeatName } from "../../clients/typescript/src/index.ts";
import { isRevealed, prove, type Check } from "../../clients/typescript/src/proof.ts";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Noted } from "./account.ts";
import { cardName, face, sorted, suitName } from "./cards.ts";
import { seatAfter, SEATS } from "../../clients/typescript/src/index.ts";
import { PLACES, type Place } from "./seats.ts";
import { button, local, page } from "./shell.ts";
import { client, draw, reason, state } from "./state.ts";
import { signed, t, type Word } from "./words.ts";

interface Replay {
  deal?: DealRecord;
  problem?: string;
  checks?: Check[];
  /** Tricks played so far. */
  step: number;
}

export async function loadDeal(id: string, number: number): Promise<void> {
  const screen = local<Replay>({ step: 0 });
  try {
    const path = { match_id: id, deal_number: number };
    const deal = await client.call("getDeal", { path });
    const first = number === 1 ? undefined : await client.call("getDeal", { path: { match_id: id, deal_number: 1 } });
    const noted = await client.values.get<Noted>(`noted.${id}`);
    const commitment = noted?.commitments[number - 1];
    screen.deal = deal;
    if (isRevealed(deal)) screen.checks = await prove(deal, {
      ...(commitment && { commitment }),
      ...(noted?.seed && { seed: { seat: noted.seat, value: noted.seed } }),
      ...(first && { firstOpener: first.opener }),
    });
  } catch (fault) {
    screen.problem = reason(fault);
  }
  draw();
}

export function replay(id: string, number: number): TemplateResult {
  const screen = local<Replay>({ step: 0 });
  const { deal, problem, checks } = screen;
  const title = t("replay.title", { number });
  if (problem) return page(title, html`<p class="problem">${problem}</p>`, `/m/${id}`);
  if (!deal) return page(title, html`<p>${t("loading")}</p>`, `/m/${id}`);
  const { tricks } = deal;
  const step = Math.min(screen.step, tricks.length);
  const trick = step > 0 ? tricks[step - 1] : undefined;
  const gone = new Set(tricks.slice(0, step).flatMap(({ plays }) => plays.map(({ card }) => card)));
  const bank = deal.banks.find((one) => one.trick_number === step);
  const move = (to: number) => () => {
    screen.step = Math.max(0, Math.min(tricks.length, to));
    draw();
  };
  return page(
    title,
    html`<p class="lead">${auction(deal)}</p>
      <div class="stepper">
        ${button(t("replay.back"), move(step - 1), "", step === 0)}
        <span aria-live="polite">${step === 0 ? t("replay.start") : t("replay.trick", { number: step })}</span>
        ${button(t("replay.next"), move(step + 1), "primary", step === tricks.length)}
      </div>
      <div class="replayed">
        ${trick
          ? html`<ul class="row">
                ${trick.plays.map(
                  ({ seat, card }) => html`<li class=${seat === trick.winner ? "best" : ""}>
                    ${face(card)}<span class="sr">${cardName(card)}</span><small>${seatName(deal, seat)}</small>
                  </li>`,
                )}
              </ul>
              <p>
                ${t("say.win", { who: seatName(deal, trick.winner) })}
                ${bank ? t("replay.bank", { n: bank.tricks }) : t("replay.hold")}
              </p>`
          : html`<ul class="bids">
                ${deal.calls.map(({ seat, number }) => html`<li><b>${number ?? t("auction.pass")}</b> ${seatName(deal, seat)}</li>`)}
              </ul>
              <p>${t("replay.hint")}</p>`}
      </div>
      <div class="hands">${SEATS.map((_, step) => openHand(deal, seatAfter(mySeat(deal) ?? "north", step), gone))}</div>
      ${checks ? proof(checks) : isRevealed(deal) ? nothing : html`<p class="small">${t("proof.sealed")}</p>`}`,
    `/m/${id}`,
  );
}

function mySeat({ seats }: DealRecord): SeatName | undefined {
  return seats.find(({ player }) => player?.id !== undefined && player.id === state.me?.id)?.seat;
}

/** You, partner, right, left, and a person's name; for who only looks on, the seat. */
function seatName(deal: DealRecord, seat: SeatName): string {
  const mine = mySeat(deal);
  const place = mine === undefined ? t(`seat.${seat}`) : t(`place.${PLACES[(SEATS.indexOf(seat) - SEATS.indexOf(mine) + 4) % 4] as Place}`);
  const name = seat === mine ? undefined : deal.seats.find((one) => one.seat === seat)?.player?.name;
  return name === undefined ? place : `${name} (${place})`;
}

function auction(deal: DealRecord): string {
  if (deal.declarer === undefined || deal.contract === undefined) return "";
  const name = seatName(deal, deal.declarer);
  const ser = deal.ser ? suitName(deal.ser) : "";
  const score = deal.result ? (deal.result.score > 0 ? `+${deal.result.score}` : signed(deal.result.score)) : "";
  return t("replay.auction", { name, contract: deal.contract, ser, banked: deal.result?.banked ?? 0, score });
}

function openHand(deal: DealRecord, seat: SeatName, gone: ReadonlySet<Card>): TemplateResult {
  const hand = deal.seats.find((place) => place.seat === seat)?.hand ?? [];
  return html`<section class="open">
    <h2>${seatName(deal, seat)}</h2>
    <ul>
      ${sorted(hand, state.settings.highFirst).map(
        (card) => html`<li class=${gone.has(card) ? "gone" : ""}>${face(card)}<span class="sr">${cardName(card)}</span></li>`,
      )}
    </ul>
  </section>`;
}

function proof(checks: readonly Check[]): TemplateResult {
  const failed = checks.some(({ ok }) => ok === false);
  return html`<section class="proof">
    <h2>${t("proof.title")}</h2>
    <p class=${failed ? "problem" : "good"}>${t(failed ? "proof.failed" : "proof.holds")}</p>
    <details>
      <summary>${t("proof.details")}</summary>
      <ul>
        ${checks.map(({ name, ok }) => html`<li class=${ok === undefined ? "open" : ok ? "ok" : "wrong"}>
          <span aria-hidden="true">${ok === undefined ? "–" : ok ? "✓" : "✗"}</span>
          <span class="sr">${t(ok === undefined ? "proof.unknown" : ok ? "proof.ok" : "proof.wrong")}</span>
          ${t(`proof.${name}` as Word)}
        </li>`)}
      </ul>
      <p class="small">${t("proof.limits")}</p>
    </details>
  </section>`;
}
