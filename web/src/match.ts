import { html, nothing, type TemplateResult } from "lit-html";
import type { MatchView, SeatName } from "../../clients/typescript/src/index.ts";
import { rematch, startTable } from "./account.ts";
import type { Game } from "./game.ts";
import { resultText, scoreText } from "./say.ts";
import { alone, mySide, nameOf, otherSide, PLACES, seatAt, sideName, who } from "./seats.ts";
import { challenge } from "./sets.ts";
import { button, page, send } from "./shell.ts";
import { attempt, client, state } from "./state.ts";
import { felt } from "./felt.ts";
import { offerWayBack } from "./wayback.ts";
import { signed, t } from "./words.ts";

export function match(game: Game): TemplateResult {
  const { view } = game;
  if (game.lost) return page(t("table.title"), html`<p class="problem">${game.lost}</p><a class="btn primary" href="/">${t("invite.home")}</a>`);
  if (view === undefined) return page(t("table.title"), html`<p>${t(game.online ? "loading" : "offline")}</p>`);
  if (view.status === "waiting" && view.deal === undefined && !game.moving) return lobby(game, view);
  if ((view.status === "finished" || view.status === "abandoned") && !game.moving) return over(game, view);
  return felt(game, view);
}

function inviteUrl(code: string): string {
  return `${location.origin}/t/${code}?lang=${state.settings.language}`;
}

function lobby(game: Game, view: MatchView): TemplateResult {
  const host = view.you !== undefined && view.host_seat === view.you.seat;
  const code = view.invite?.code;
  const asked = view.seats.some(({ type }) => type === "invited"); // the start page shows them that they are
  const start = () =>
    attempt(async () => game.table.accept(await startTable(view)));
  const remove = (seat: SeatName) =>
    attempt(async () => {
      if (!confirm(t("lobby.remove_confirm"))) return;
      await client.call("leaveSeat", { path: { match_id: view.id, seat } });
      game.table.wake();
    });
  return page(
    t("lobby.title"),
    html`${code
        ? html`<section class="share">
            <p class="lead">${t("lobby.share")}</p>
            <p class="code" aria-label=${t("lobby.code", { code: [...code].join(" ") })}>${code}</p>
            ${button(t("lobby.send"), () => void send(t("lobby.message"), inviteUrl(code)), "primary")}
            <p class="small link">${inviteUrl(code)}</p>
          </section>`
        : nothing}
      <h2>${t("lobby.seats")}</h2>
      <ul class="lobby">
        ${PLACES.map((place) => {
          const info = view.seats.find(({ seat }) => seat === seatAt(view, place));
          const away = host && place !== "me" && info?.type === "human";
          return (
            info &&
            html`<li class=${info.type}>
              <span>${who(view, info.seat)}</span> <b>${nameOf(info)}</b>
              ${away ? button(t("lobby.remove"), () => void remove(info.seat), "quiet") : nothing}
            </li>`
          );
        })}
      </ul>
      ${host && asked ? html`<p>${button(t("lobby.send"), () => void send(t("lobby.message"), `${location.origin}/`))}</p>` : nothing}
      ${host
        ? html`${button(t("lobby.start"), () => void start(), "primary")}
            <p class="small">${t("lobby.bots")}</p>`
        : html`<p>${t("lobby.wait")}</p>`}
      ${leaveButton(view, "lobby.leave")}`,
  );
}

export function leaveButton(view: MatchView, word: "lobby.leave" | "menu.leave"): TemplateResult | typeof nothing {
  const { you } = view;
  if (you === undefined) return nothing;
  const leave = () =>
    attempt(async () => {
      if (!confirm(t("leave.confirm"))) return;
      await client.call("leaveSeat", { path: { match_id: view.id, seat: you.seat } });
      location.assign("/");
    });
  return button(t(word), () => void leave(), "quiet");
}

function over(game: Game, view: MatchView): TemplateResult {
  const ours = mySide(view);
  const theirs = otherSide(ours);
  const { result } = view;
  const deals = result?.deals ?? [];
  const title = result ? resultText(view, result.winner) : t("abandoned");
  return page(
    title,
    html`${result
        ? html`<p class="final ${result.winner === ours ? "won" : ""}">
              <small>${t("table.points")}</small>
              <span>${sideName(view, ours)} <b>${signed(result.scores[ours])}</b></span> <span>${sideName(view, theirs)} <b>${signed(result.scores[theirs])}</b></span>
            </p>
            <ol class="deals">
              ${deals.map(
                (deal, index) => html`<li>
                  <span>${scoreText(view, deal)}</span>
                  <a href="/m/${view.id}/${index + 1}">${t("result.replay", { number: index + 1 })}</a>
                </li>`,
              )}
            </ol>`
        : nothing}
      ${view.you ? offerWayBack() : nothing}
      <div class="actions">
        ${view.deal_set_id ? html`<a class="btn primary" href="/s/${view.deal_set_id}">${t("set.open")}</a>` : nothing}
        ${canChallenge(view) ? button(t("challenge.make"), () => void attempt(() => challenge(view.id)), "primary") : nothing}
        ${view.you && !view.deal_set_id ? button(t("result.again"), () => void attempt(() => rematch(view.id)), canChallenge(view) ? "" : "primary") : nothing}
        <a class="btn" href="/">${t("result.home")}</a>
      </div>
      ${game.said.length ? log(game) : nothing}`,
  );
}

/** Whether others can try the same deals: the player was alone with bots, and no clock moved for them. */
function canChallenge(view: MatchView): boolean {
  const { rules, spectators, status, you, deal_set_id } = view;
  return status === "finished" && !!you && !deal_set_id && alone(view) && !spectators && !rules.take_over && rules.turn_seconds === undefined;
}

/** What is told to those who listen: sentences are added, none is changed. */
export function log(game: Game): TemplateResult {
  return html`<div class="log" role="log" aria-live="polite" aria-label=${t("table.log")}>${game.said.map((text) => html`<p>${text}</p>`)}</div>`;
}

