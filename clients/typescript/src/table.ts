import type { Client } from "./client.ts";
import { Refused, Unsettled } from "./http.ts";
import type { Event, Hint, MatchUpdate, MatchView, Move } from "./operations.ts";

/** Of a match that was left longer ago only the present is shown, not all that happened. */
const MOST_EVENTS_SHOWN = 120;
const RETRY_OFFLINE = 5; // seconds

interface Pending {
  number: number;
  move: Move;
}

export interface Listener {
  /** The events that were not shown yet, in order, and the view they lead to. The next update waits for this one. */
  update(view: MatchView, events: Event[]): void | Promise<void>;
  /** Whether the API can be reached; told after every try. */
  online?(online: boolean): void;
  /** The pending move was refused; `problem.current` has been shown already. */
  refused?(refused: Refused): void;
}

/** One match as one device follows it: every event once, in order; its one pending move survives a restart. */
export class Table {
  view: MatchView | undefined;
  /** The version up to which events were given to the listener. */
  shown = 0;
  private showing: Promise<void> = Promise.resolve();
  private settling: Promise<void> | undefined;
  private alarm: (() => void) | undefined;

  constructor(
    private readonly client: Client,
    readonly id: string,
    private readonly listener: Listener,
  ) {}

  /** Draws the last view that was kept, without waiting for the network; whether there was one. */
  async restore(): Promise<boolean> {
    const kept = await this.client.values.get<MatchView>(`view.${this.id}`);
    if (kept === undefined || this.view !== undefined) return false;
    this.view = kept;
    this.shown = kept.version;
    await this.listener.update(kept, []);
    return true;
  }

  /** Takes in an answer that brought a view: from creating a match, sitting down, or a move. */
  accept({ match, events }: MatchUpdate): Promise<void> {
    this.showing = this.showing.then(() => this.show(match, events));
    return this.showing;
  }

  /** Whether a move waits for its answer. */
  async pending(): Promise<Move | undefined> {
    return (await this.client.values.get<Pending>(`move.${this.id}`))?.move;
  }

  /** Makes a move of the view on show. It is written down before it is sent; `Unsettled` leaves it to `follow`. */
  async move(move: Move): Promise<void> {
    if (this.view === undefined) throw new Error("there is no view yet");
    const pending: Pending = { number: this.view.next_move, move };
    await this.client.values.set(`move.${this.id}`, pending);
    await this.settleMove();
  }

  /** Sends the pending move, if there is one, until it has its answer. */
  settleMove(): Promise<void> {
    this.settling ??= this.settleNow().finally(() => {
      this.settling = undefined;
    });
    return this.settling;
  }

  hint(): Promise<Hint> {
    return this.client.call("getHint", { path: { match_id: this.id } });
  }

  /** Shows all that happens until the match is over or `signal` stops it. A seat that is away is taken again. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.settleMove();
        await this.look(signal);
        this.listener.online?.(true);
        if (this.view !== undefined && isOver(this.view)) return;
      } catch (fault) {
        if (signal.aborted) return;
        if (!(fault instanceof Unsettled)) throw fault;
        this.listener.online?.(false);
        await this.rest(RETRY_OFFLINE, signal);
      }
    }
  }

  /** Ends a pause at once: the app is in front again, or the network is back. */
  wake(): void {
    this.alarm?.();
  }

  private async look(signal: AbortSignal): Promise<void> {
    const path = { match_id: this.id };
    if (this.view === undefined || this.view.version < this.shown) {
      const match = await this.client.call("getMatch", { path, signal });
      return this.accept({ match, events: [] });
    }
    if (isAway(this.view)) return this.comeBack(this.view);
    const { version } = this.view;
    await this.rest(this.view.poll_after_seconds, signal);
    if (this.view.version !== version) return; // a move's answer came meanwhile, with a pause of its own
    const query = { after: this.shown, view: true };
    const page = await this.client.call("listEvents", { path, query, signal });
    if (page.match) await this.accept({ match: page.match, events: page.items });
    else this.view = { ...this.view, poll_after_seconds: page.poll_after_seconds };
  }

  private async comeBack(view: MatchView): Promise<void> {
    const seat = view.you?.seat;
    if (seat === undefined) return;
    const path = { match_id: this.id, seat };
    await this.orCurrent(() => this.client.call("takeSeat", { path, body: { type: "human" } }));
  }

  private async settleNow(): Promise<void> {
    const pending = await this.client.values.get<Pending>(`move.${this.id}`);
    if (pending === undefined) return;
    const path = { match_id: this.id, move_number: pending.number };
    const answered = () => this.client.values.remove(`move.${this.id}`);
    try {
      await this.orCurrent(() => this.client.call("makeMove", { path, body: pending.move }), answered);
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      this.listener.refused?.(fault);
    }
  }

  /** Carries out a write and shows what it came to; if it is refused, the table as it stands. `answered` runs before either is shown. */
  private async orCurrent(write: () => Promise<MatchUpdate>, answered?: () => Promise<void>): Promise<void> {
    let update: MatchUpdate;
    try {
      update = await write();
      await answered?.();
    } catch (fault) {
      if (fault instanceof Refused) await answered?.();
      if (fault instanceof Refused && fault.problem.current) await this.accept({ match: fault.problem.current, events: [] });
      throw fault;
    }
    await this.accept(update);
  }

  private async show(match: MatchView, events: Event[]): Promise<void> {
    const known = this.view;
    if (known && match.version < this.shown) return;
    let fresh: Event[] = [];
    if (known && match.version - this.shown <= MOST_EVENTS_SHOWN) {
      fresh = events.filter((event) => event.version > this.shown);
      if (this.shown + fresh.length < match.version) fresh = await this.missing(match.version);
    } else if (!known && events[0]?.version === 1) fresh = events;
    this.view = match;
    this.shown = match.version;
    await this.client.values.set(`view.${this.id}`, match);
    await this.listener.update(match, fresh);
    this.wake();
  }

  /** The feed between what was shown and `version`. */
  private async missing(version: number): Promise<Event[]> {
    const events: Event[] = [];
    for (let after = this.shown; after < version; ) {
      const page = await this.client.call("listEvents", { path: { match_id: this.id }, query: { after } });
      events.push(...page.items.filter((event) => event.version <= version));
      if (page.version <= after) break;
      after = page.version;
    }
    return events;
  }

  private async rest(seconds: number, signal: AbortSignal): Promise<void> {
    const pause = new AbortController();
    const end = () => pause.abort();
    this.alarm = end;
    signal.addEventListener("abort", end, { once: true });
    await this.client.surroundings.sleep(seconds, pause.signal).catch(() => undefined);
    signal.removeEventListener("abort", end);
    this.alarm = undefined;
  }
}

export function isOver({ status }: MatchView): boolean {
  return status === "finished" || status === "abandoned";
}

export function isAway({ status, seats, you }: MatchView): boolean {
  return status === "playing" && seats.some(({ seat, away }) => seat === you?.seat && away);
}
