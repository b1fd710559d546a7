import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { sideOf, type Card, type MatchView, type Move, type Suit } from "../../clients/typescript/src/index.ts";
import { cardName, face, pip, suitName, suitOf } from "./cards.ts";
import type { Game, Lesson } from "./game.ts";
import { leaveButton, log } from "./match.ts";
import { bankText, moveText, pileText, promptText, scoreText } from "./say.ts";
import { alone, isMe, mySide, nameOf, otherSide, placeOf, PLACES, seatAt, sideName, who, type Place } from "./seats.ts";
import { button, send } from "./shell.ts";
import { client, draw, set } from "./state.ts";
import { contractState, hintReason, highestCall, lessonLines } from "./tell.ts";
import { signed, t } from "./words.ts";

/** The table while cards are played. */
export function felt(game: Game, current: MatchView): TemplateResult {
  const view = game.drawn ?? current;
  const lesson = game.currentLesson;
  const dialog = game.menu || game.lastTrick;
  return html`<main class="table phase-${view.deal?.phase ?? "none"} ${lesson ? "taught" : ""} ${alone(view) ? "" : "company"}" @click=${() => game.skip()}>
    ${top(game, view, dialog)}
    <section class="felt" aria-label=${t("table.title")} ?inert=${dialog}>
      ${PLACES.filter((place) => place !== "me" || view.you === undefined).map((place) => seat(game, view, place))}
      ${centre(game, view)} ${pile(game, view)}
    </section>
    <section class="side" ?inert=${dialog}>
      ${lesson ? lessonBox(game, view, lesson) : nothing}
      ${game.scored ? scored(game, view) : lesson && alone(view) ? nothing : prompt(game, view)}
      ${game.scored ? nothing : decisions(game, view)} ${view.you ? hand(game, view) : nothing}
    </section>
    ${game.lastTrick ? lastTrick(game, view) : nothing} ${game.menu ? menu(game, view) : nothing} ${log(game)}
  </main>`;
}

function top(game: Game, view: MatchView, dialog: boolean): TemplateResult {
  const contract = contractState(view);
  const ours = mySide(view);
  const theirs = otherSide(ours);
  const { deal } = view;
  const title = contract?.text ?? t("table.auction");
  return html`<header class="top" ?inert=${dialog}>
    <button class="icon" aria-label=${t("menu.title")} aria-expanded=${game.menu} @click=${toggle(game, "menu")}>
      <span aria-hidden="true">☰</span>
    </button>
    <div class="contract">
      <h1 tabindex="-1">${title} ${deal?.ser ? html`<span class="ser">${pip(deal.ser)} ${suitName(deal.ser)}</span>` : nothing}</h1>
      ${contract ? html`<p>${contract.needs}</p>` : html`<p>${t("table.deal", { number: deal?.deal_number ?? 1, deals: view.rules.deals })}</p>`}
    </div>
    ${view.rules.deals > 1
      ? html`<p class="score">
          <small>${t("table.points")}</small>
          <span>${sideName(view, ours)} <b>${signed(view.scores[ours])}</b></span><span>${sideName(view, theirs)} <b>${signed(view.scores[theirs])}</b></span>
        </p>`
      : nothing}
    ${deal && deal.phase !== "auction" ? rail(view) : nothing}
  </header>`;
}

/** Thirteen places: ours from the left, theirs from the right, what is on hold between, and where the contract is made. */
function rail(view: MatchView): TemplateResult {
  const deal = view.deal as NonNullable<MatchView["deal"]>;
  const ours = deal.banked[mySide(view)];
  const theirs = deal.banked[otherSide(mySide(view))];
  const we = sideName(view, mySide(view));
  const they = sideName(view, otherSide(mySide(view)));
  const contract = contractState(view);
  const goal = contract?.ours ? (deal.contract ?? 0) : 13 - (deal.contract ?? 0);
  const cell = (index: number) =>
    index < ours ? "we" : index >= 13 - theirs ? "they" : index < ours + deal.pile.tricks ? "hold" : "";
  return html`<div class="rail" role="img" aria-label=${t("table.rail", { we, they, ours, theirs, hold: deal.pile.tricks })}>
    <span class="count we">${we} ${ours}</span>
    <span class="cells">
      ${Array.from({ length: 13 }, (_, index) => {
        const mark = contract && index + (contract.ours ? 1 : 0) === goal ? (contract.ours ? "goal" : "goal-they") : "";
        return html`<i class="${cell(index)} ${mark}"></i>`;
      })}
    </span>
    <span class="count they">${they} ${theirs}</span>
  </div>`;
}

function seat(game: Game, view: MatchView, place: Place): TemplateResult {
  const id = seatAt(view, place);
  const info = view.seats.find(({ seat }) => seat === id);
  if (info === undefined) return html``;
  const turn = view.deal?.turn === id && view.deal.phase !== "done" && game.winner === undefined;
  const call = view.deal?.calls.find((one) => one.seat === id);
  const auction = view.deal?.phase === "auction" || view.deal?.phase === "ser";
  const said = call && auction ? (call.number === undefined ? t("auction.pass") : String(call.number)) : "";
  const run = view.deal?.pile.run_seat === id && view.deal.pile.tricks > 0;
  const away = info.away ? ` · ${t("seat.away")}` : "";
  return html`<div class="seat at-${place} ${turn ? "turn" : ""} ${run ? "run" : ""}">
    <span class="avatar" aria-hidden="true">${info.type === "human" && !info.left ? initial(nameOf(info)) : "✦"}</span>
    <span class="who"><b>${who(view, id)}</b><small>${nameOf(info)}${away}</small></span>
    ${auction ? html`<span class="said ${call === undefined ? "none" : call.number === undefined ? "pass" : ""}">${said}</span>` : nothing}
    ${view.deal?.declarer === id && !auction ? html`<span class="badge" title=${t("table.declarer")}>${view.deal.contract}</span>` : nothing}
  </div>`;
}

function initial(name: string): string {
  return [...new Intl.Segmenter().segment(name)][0]?.segment ?? "";
}

function centre(game: Game, view: MatchView): TemplateResult {
  const plays = view.deal?.trick?.plays ?? [];
  const calls = view.deal?.calls ?? [];
  const mine = calls.find(({ seat }) => isMe(view, seat));
  const auction = view.deal?.phase === "auction" || view.deal?.phase === "ser";
  return html`<div class="trick ${game.winner ? `won to-${placeOf(view, game.winner)}` : ""}">
    ${repeat(
      plays,
      ({ card }) => card,
      ({ seat, card }) => html`<div
        class="played at-${placeOf(view, seat)} ${game.winner === seat ? "best" : ""}"
        role="img"
        aria-label=${t("say.play", { who: who(view, seat), card: cardName(card) })}
      >${face(card)}</div>`,
    )}
    ${auction && mine ? html`<span class="said at-me ${mine.number ? "" : "pass"}">${mine.number ?? t("auction.pass")}</span>` : nothing}
  </div>`;
}

/** The twist, made visible: tricks on hold lie here, with whose next win banks them. */
function pile(game: Game, view: MatchView): TemplateResult {
  const { deal } = view;
  if (deal === undefined || deal.phase === "auction" || deal.phase === "ser") return html`<div class="pile empty">${highestCall(view) ?? ""}</div>`;
  const n = deal.pile.tricks;
  const run = deal.pile.run_seat;
  const owner = run ? (sideOf(run) === mySide(view) ? "we" : "they") : "";
  if (game.banking?.side) {
    const side = game.banking.side === mySide(view) ? "we" : "they";
    return html`<div class="pile banking ${side}"><p>${bankText(view, game.banking.side, game.banking.tricks ?? 0)}</p>${stack(n)}</div>`;
  }
  const text = pileText(view) ?? t("pile.empty");
  if (deal.last_trick === undefined) return html`<div class="pile"><p>${text}</p></div>`;
  return html`<button class="pile ${owner}" @click=${toggle(game, "lastTrick")}>
    ${stack(n)}
    <p>${text} <u>${t("table.last_trick")}</u></p>
  </button>`;
}

function stack(n: number): TemplateResult {
  return html`<span class="stack" aria-hidden="true">${Array.from({ length: n }, () => html`<i></i>`)}</span>`;
}

function lastTrick(game: Game, view: MatchView): TemplateResult {
  const trick = view.deal?.last_trick;
  return dialog(
    t("table.last_trick"),
    toggle(game, "lastTrick"),
    trick
      ? html`<ul class="row">
            ${trick.plays.map(
              ({ seat, card }) => html`<li class=${seat === trick.winner ? "best" : ""}>
                ${face(card)}<span class="sr">${cardName(card)}</span><small>${who(view, seat)}</small>
              </li>`,
            )}
          </ul>
          <p>${t(isMe(view, trick.winner) ? "say.you_win" : "say.win", { who: who(view, trick.winner) })}</p>`
      : html``,
  );
}

function dialog(title: string, close: (event: Event) => void, content: TemplateResult): TemplateResult {
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape") close(event);
  };
  return html`<div class="veil" @click=${close}>
    <div class="dialog" role="dialog" aria-modal="true" aria-label=${title} @click=${stop} @keydown=${key}>
      <h2 tabindex="-1" data-focus>${title}</h2>
      ${content}
      <button class="btn" @click=${close}>${t("close")}</button>
    </div>
  </div>`;
}

function menu(game: Game, view: MatchView): TemplateResult {
  const waitsFor = view.seats.find(({ seat }) => seat === view.deal?.turn);
  const nudge = waitsFor?.type === "human" && !isMe(view, waitsFor.seat);
  const bySeat = view.invite?.code;
  return dialog(
    t("menu.title"),
    toggle(game, "menu"),
    html`<div class="actions column">
      ${nudge
        ? button(t("menu.nudge", { name: nameOf(waitsFor) }), () => void send(t("nudge", { name: nameOf(waitsFor) }), location.href))
        : nothing}
      ${bySeat ? html`<p>${t("menu.code", { code: bySeat })}</p>` : nothing}
      ${button(t("menu.lessons"), () => {
        set({ lessons: [], played: false });
        game.menu = false;
      })}
      <a class="btn" href="/settings">${t("settings.title")}</a>
      <a class="btn" href="/">${t("menu.tables")}</a>
      ${leaveButton(view, "menu.leave")}
    </div>`,
  );
}

function toggle(game: Game, name: "menu" | "lastTrick"): (event: Event) => void {
  return (event) => {
    event.stopPropagation();
    game[name] = !game[name];
    draw();
  };
}

function stop(event: Event): void {
  event.stopPropagation();
}

function lessonBox(game: Game, view: MatchView, lesson: Lesson): TemplateResult {
  return html`<aside class="lesson ${alone(view) ? "waits" : ""}" @click=${stop}>
    <p id="lesson">${lessonLines(lesson, view)[game.line]}</p>
    <div class="actions">
      <button class="btn primary" aria-describedby="lesson" @click=${() => game.read(lesson)}>${t("lesson.ok")}</button>
      ${button(t("lesson.skip"), () => game.learned("all"), "quiet", false)}
    </div>
  </aside>`;
}

function scored(game: Game, view: MatchView): TemplateResult {
  const result = game.scored?.result;
  return html`<div class="scored waits">
    <p class="lead">${result ? scoreText(view, result) : ""}</p>
    ${button(t("deal.next"), () => game.goOn(), "primary", false)}
    <a class="btn" href="/m/${view.id}/${game.scored?.deal_number ?? 1}">${t("deal.look")}</a>
  </div>`;
}

function prompt(game: Game, view: MatchView): TemplateResult {
  const lifted = game.lifted ? t("prompt.again", { card: cardName(game.lifted) }) : undefined;
  const waiting = game.sent && !game.online ? t("prompt.offline", { move: moveText(game.sent) }) : undefined;
  const won = game.winner && t(isMe(view, game.winner) ? "say.you_win" : "say.win", { who: who(view, game.winner) });
  const text = waiting ?? (game.online ? undefined : t("offline")) ?? won ?? lifted ?? (game.sent && game.sent.type !== "play" ? moveText(game.sent) : promptText(game.myTurn ? view : (game.drawn ?? view)));
  const hint = game.hint && `${moveText(game.hint.move)}. ${hintReason(game.hint, view)}`;
  const asks = game.myTurn && view.rules.hints && !game.hint;
  return html`<div class="prompt ${game.myTurn ? "mine" : ""} ${asks ? "asks" : ""} ${waiting || !game.online ? "offline" : ""}">
    <p tabindex="-1">${text}${clock(view)}</p>
    ${asks
      ? html`<button class="hint" @click=${() => void game.ask()}>${t("hint")}</button>`
      : nothing}
    ${hint ? html`<p class="hinted">${hint}</p>` : nothing}
  </div>`;
}

function clock(view: MatchView): TemplateResult | typeof nothing {
  if (view.deadline_at === undefined) return nothing;
  const minutes = Math.max(0, Math.ceil((Date.parse(view.deadline_at) - client.now()) / 60_000));
  return html` <span class="clock">${minutes > 90 ? t("clock.hours", { n: Math.round(minutes / 60) }) : t("clock.minutes", { n: minutes })}</span>`;
}

function decisions(game: Game, view: MatchView): TemplateResult | typeof nothing {
  const moves = game.myTurn ? (view.you?.legal_moves ?? []) : [];
  const phase = view.deal?.phase;
  const mayCall = view.you && !view.deal?.calls.some(({ seat }) => isMe(view, seat));
  if (phase === "auction" && mayCall) return html`<div class="calls">${moves.map((move) => callButton(game, move))}</div>`;
  if (phase === "ser" && moves.length) return html`<div class="sers">${moves.map((move) => move.suit && serButton(game, view, move, move.suit))}</div>`;
  return nothing;
}

function hinted(game: Game, move: Move): string {
  const wise = game.hint?.move;
  return wise?.type === move.type && wise.number === move.number && wise.suit === move.suit ? "hinted" : "";
}

function callButton(game: Game, move: Move): TemplateResult {
  const make = () => void game.make(move);
  if (move.number === undefined) return html`<button class="call pass ${hinted(game, move)}" @click=${make}>${t("move.pass")}</button>`;
  const params = { number: move.number, plus: move.number, minus: 2 * move.number };
  return html`<button class="call ${hinted(game, move)}" aria-label=${t("auction.call", params)} @click=${make}>
    <b data-text=${move.number}></b><small><span data-text="+${params.plus}"></span><span data-text="−${params.minus}"></span></small>
  </button>`;
}

function serButton(game: Game, view: MatchView, move: Move, suit: Suit): TemplateResult {
  const n = view.you?.hand.filter((card) => suitOf(card) === suit).length ?? 0;
  return html`<button class="call suit ${hinted(game, move)}" aria-label=${t("auction.ser", { suit: suitName(suit), n })} @click=${() => void game.make(move)}>
    ${pip(suit)}<small><span data-text=${suitName(suit)}></span><span data-text="× ${n}"></span></small>
  </button>`;
}

function hand(game: Game, view: MatchView): TemplateResult {
  const cards = game.hand;
  const choosing = game.myTurn && view.deal?.phase === "play";
  const tabbed = cards.includes(focused as Card) ? focused : (cards.find((card) => game.legal(card)) ?? cards[0]);
  return html`<div class="hand" role="group" aria-label=${t("table.hand", { n: cards.length })} @keydown=${(event: KeyboardEvent) => arrow(event)}>
    ${repeat(
      cards,
      (card) => card,
      (card, index) => {
        const legal = game.legal(card);
        const off = choosing && !legal;
        const lifted = game.lifted === card;
        const name = off ? t("card.illegal", { card: cardName(card), why: promptText(view) }) : lifted ? t("card.lifted", { card: cardName(card) }) : cardName(card);
        const gap = index > 0 && suitOf(cards[index - 1] as Card) !== suitOf(card) ? "gap" : "";
        return html`<button
          class="card ${off ? "off" : ""} ${legal ? "legal" : ""} ${lifted ? "lifted" : ""} ${gap}"
          data-card=${card}
          aria-label=${name}
          aria-disabled=${off || !choosing ? "true" : nothing}
          tabindex=${card === tabbed ? 0 : -1}
          @focus=${() => (focused = card)}
          @click=${(event: Event) => {
            event.stopPropagation();
            game.skip();
            play(game, card, cards);
          }}
        >${face(card)}</button>`;
      },
    )}
  </div>`;
}

let focused: Card | undefined;

/** Plays or lifts; when the card has gone, the next to be focused is the one that took its place. */
function play(game: Game, card: Card, cards: readonly Card[]): void {
  game.tap(card);
  if (game.sent?.card !== card) return;
  const at = cards.indexOf(card);
  focused = cards[at + 1] ?? cards[at - 1];
}

function arrow(event: KeyboardEvent): void {
  const all = [...document.querySelectorAll<HTMLElement>(".hand .card")];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  const next = all[(to + all.length) % all.length];
  focused = next?.dataset["card"];
  draw();
  next?.focus();
}

