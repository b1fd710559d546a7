import { apply, finishedTricks, isOver, Refused, Table, Unsettled, type Card, type Event, type Hint, type MatchUpdate, type MatchView, type Move } from "../../clients/typescript/src/index.ts";
import { sorted } from "./cards.ts";
import { alone, isMe } from "./seats.ts";
import { moveText, promptText, sentences } from "./say.ts";
import { chime, click } from "./sound.ts";
import { client, draw, notify, reason, set, state } from "./state.ts";
import { hintReason, lessonLines } from "./tell.ts";
import { t } from "./words.ts";

/** Milliseconds that people need to see what happened. */
const PACE: Record<string, number> = { call: 1000, pass: 800, ser: 1300, play: 700, trick_won: 1500, banked: 1700, deal_started: 500 };
const SPEED = { normal: 1, fast: 0.4, off: 0 };
const LESSONS = ["call", "ser", "play", "pile", "bank"] as const;
export type Lesson = (typeof LESSONS)[number];

/** One open match: what is on show, how it gets there, and what the player does. */
export class Game {
  readonly table: Table;
  /** What is drawn; behind the table's own view while events are shown. */
  view: MatchView | undefined;
  /** Events are being shown. */
  moving = false;
  lifted: Card | undefined;
  hint: Hint | undefined;
  /** The move on its way. */
  sent: Move | undefined;
  online = navigator.onLine;
  /** The winner of the trick that still lies on the table. */
  winner: NonNullable<MatchView["you"]>["seat"] | undefined;
  /** The side that banks just now. */
  banking: Event | undefined;
  /** The result of the deal that was just scored: the next one waits until the player goes on. */
  scored: Event | undefined;
  /** The lesson on what was just seen. */
  lesson: Lesson | undefined;
  /** How many of the lesson's lines were read. */
  line = 0;
  lastTrick = false;
  menu = false;
  lost: string | undefined;
  readonly said: string[] = [];
  private readonly stopping = new AbortController();
  private proceed: (() => void) | undefined;
  private hurry: (() => void) | undefined;

  constructor(readonly id: string) {
    this.table = new Table(client, id, {
      update: (view, events) => this.update(view, events),
      online: (online) => {
        if (this.online === online) return;
        this.online = online;
        draw();
      },
      refused: (refused) => this.refused(refused),
    });
  }

  async open(begun?: MatchUpdate): Promise<void> {
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    try {
      this.sent = await this.table.pending();
      if (begun) await this.table.accept(begun);
      else await this.table.restore();
      await this.table.follow(this.stopping.signal);
    } catch (fault) {
      if (this.stopping.signal.aborted) return;
      const sentAway = fault instanceof Refused && fault.problem.code === "match_not_found" && this.view?.status === "waiting";
      this.lost = sentAway ? t("error.removed_by_host") : reason(fault);
      draw();
    }
  }

  close(): void {
    this.stopping.abort();
    this.goOn();
    this.hurry?.();
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  private readonly wake = () => {
    if (document.visibilityState === "visible") this.table.wake();
  };

  get myTurn(): boolean {
    return !this.moving && this.sent === undefined && (this.view?.you?.legal_moves.length ?? 0) > 0;
  }

  /** What is drawn: the card on its way lies on the table already. */
  get drawn(): MatchView | undefined {
    const { sent, view } = this;
    if (sent?.type !== "play" || sent.card === undefined || view?.you === undefined) return view;
    return apply(view, { version: view.version, at: view.created_at, type: "play", seat: view.you.seat, card: sent.card });
  }

  get hand(): Card[] {
    return sorted(this.drawn?.you?.hand ?? [], state.settings.highFirst);
  }

  legal(card: Card): boolean {
    return this.myTurn && this.view?.you?.legal_moves.some((move) => move.type === "play" && move.card === card) === true;
  }

  /** A tap lifts a card, a second one plays it. */
  tap(card: Card): void {
    if (!this.legal(card)) {
      this.lifted = undefined;
      if (this.myTurn && this.view?.deal?.phase === "play") this.say(promptText(this.view), true);
    } else if (this.lifted === card) {
      void this.make({ type: "play", card });
    } else {
      this.lifted = card;
    }
    draw();
  }

  async make(move: Move): Promise<void> {
    if (!this.myTurn || this.view === undefined) return;
    const lesson = this.currentLesson;
    if (lesson) this.learned(lesson); // who acts has understood, or does not want to read
    this.sent = move;
    this.lifted = undefined;
    this.hint = undefined;
    if (!navigator.onLine) this.online = false;
    draw();
    try {
      await this.table.move(move);
      this.online = true;
      this.sent = undefined;
    } catch (fault) {
      if (!(fault instanceof Unsettled)) throw fault;
      this.online = false; // the move waits; `follow` sends it again
      this.table.wake();
    }
    draw();
  }

  async ask(): Promise<void> {
    if (!this.myTurn) return;
    try {
      this.hint = await this.table.hint();
      this.lifted = this.hint.move.type === "play" ? this.hint.move.card : undefined;
      this.say(`${moveText(this.hint.move)}. ${this.view ? hintReason(this.hint, this.view) : ""}`);
    } catch (fault) {
      notify(reason(fault));
    }
    draw();
  }

  /** The player has seen what the table waits for. */
  goOn(): void {
    this.proceed?.();
    this.proceed = undefined;
  }

  /** Shows what is going on at once. */
  skip(): void {
    this.hurry?.();
  }

  /** The next line of the lesson, or the end of it. */
  read(lesson: Lesson): void {
    const lines = this.view ? lessonLines(lesson, this.view) : [];
    this.line += 1;
    const next = lines[this.line];
    if (next === undefined) this.learned(lesson);
    else this.say(next);
    draw();
  }

  learned(lesson: Lesson | "all"): void {
    this.line = 0;
    this.lesson = undefined;
    const lessons = lesson === "all" ? [...LESSONS] : [lesson];
    set({ lessons: [...new Set([...state.settings.lessons, ...lessons])] });
    this.goOn();
  }

  /** The lesson that fits what the player is to do now, if they have not had it. */
  get currentLesson(): Lesson | undefined {
    if (this.lesson) return this.lesson;
    if (!this.myTurn || this.view?.deal === undefined) return undefined;
    const { phase } = this.view.deal;
    const fitting = phase === "auction" ? "call" : phase === "ser" ? "ser" : phase === "play" ? "play" : undefined;
    return fitting && this.wants(fitting) ? fitting : undefined;
  }

  private wants(lesson: Lesson): boolean {
    return !state.settings.played && !state.settings.lessons.includes(lesson);
  }

  private refused({ problem }: Refused): void {
    this.sent = undefined;
    this.view = this.table.view;
    notify(reason(new Refused(problem)));
  }

  private async update(view: MatchView, events: readonly Event[]): Promise<void> {
    const settled = (await this.table.pending()) === undefined;
    const before = this.view;
    this.hint = undefined;
    if (settled || events.some((event) => event.move_number !== undefined && isMe(view, event.seat))) this.sent = undefined;
    if (before !== undefined || events[0]?.version === 1) {
      this.moving = events.length > 0;
      const start = before ?? undealt(view);
      this.view = start;
      let spoken = 0;
      for (const [index, event] of events.entries()) {
        if (this.stopping.signal.aborted) return;
        const gate = event.type === "deal_scored" && !events.some((later) => later.type === "match_finished");
        await this.show(event);
        if (gate) {
          this.say(sentences(start, events.slice(0, index + 1)));
          spoken = index + 1;
          this.scored = event;
          await this.gate();
          this.scored = undefined;
        }
      }
      const rest = events.slice(spoken);
      const from = events.slice(0, spoken).reduce(apply, start);
      if (rest.length) this.say(sentences(from, rest));
    }
    const turnCame = !before?.you?.legal_moves.length && (view.you?.legal_moves.length ?? 0) > 0;
    this.moving = false;
    this.view = view;
    if (view.you?.legal_moves.length && (events.length || turnCame)) this.say(promptText(view));
    if (turnCame) chime();
    if (view.status === "finished" && !state.settings.played) set({ played: true });
    if (isOver(view)) this.sent = undefined;
    if (!this.lifted || !this.legal(this.lifted)) this.lifted = undefined;
    draw();
  }

  /** Draws one event and waits as long as people need for it. */
  private async show(event: Event): Promise<void> {
    const view = this.view as MatchView;
    if (event.type === "trick_won") {
      this.winner = event.seat;
      draw();
      await this.pause("trick_won");
      this.winner = undefined;
    }
    if (event.type === "banked") {
      this.banking = event;
      draw();
      await this.pause("banked");
      this.banking = undefined;
    }
    this.view = apply(view, event);
    if (event.type === "play") click();
    draw();
    if (event.type === "ser") await this.teach("ser");
    if (event.type === "trick_won" && this.view.deal && finishedTricks(this.view.deal) === 1) await this.teach("pile");
    if (event.type === "banked") await this.teach("bank");
    const mine = isMe(view, event.seat) && (event.actor ?? "player") === "player";
    if (!["trick_won", "banked"].includes(event.type) && !mine) await this.pause(event.type);
  }

  /** Shows a lesson. Bots wait until it is read; where people do, the game goes on beside it. */
  private async teach(lesson: Lesson): Promise<void> {
    const view = this.view as MatchView;
    if (view.you === undefined || !this.wants(lesson)) return;
    this.lesson = lesson;
    this.line = 0;
    this.say(lessonLines(lesson, view)[0] ?? "");
    if (alone(view)) await this.gate();
  }

  private gate(): Promise<void> {
    draw();
    return new Promise((resolve) => {
      this.proceed = resolve;
    });
  }

  private pause(type: string): Promise<void> {
    const milliseconds = (PACE[type] ?? 0) * SPEED[state.settings.animation];
    if (milliseconds === 0 || document.hidden) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Adds a sentence to the live region; `aloud` repeats it even if it is the last one. */
  private say(text: string, aloud = false): void {
    if (!text || (!aloud && this.said.at(-1) === text)) return;
    this.said.push(text);
    if (this.said.length > 40) this.said.splice(0, 1);
    draw();
  }
}

/** A new match as it was before its first event. */
function undealt(view: MatchView): MatchView {
  const { deal: _, ...rest } = view;
  return { ...rest, status: "waiting", scores: { ns: 0, ew: 0 } };
}
