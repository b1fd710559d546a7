/** What the player has to do, first of what is there. */
const NEXT = [".lesson .primary", ".scored .primary", ".calls .call", ".sers .call", ".phase-play .hand .card[tabindex='0']"].join();
/** Where the focus rests while there is nothing to do: whose turn it is, or the screen's title. */
const REST = [".prompt > p:first-child", "h1"];

let arriving = false;
let used = false;
let opener: HTMLElement | undefined;
/** What the table waited for last: it calls the focus away from the hand once. */
let lastWaiting: HTMLElement | null = null;

addEventListener("focusin", () => (used = true));
// A key held down repeats: it would go on to press what the focus moves to.
addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.preventDefault(), { capture: true });

/** A new screen: its title is focused. */
export function arrived(): void {
  arriving = true;
  opener = undefined;
}

/** After each drawing: the focus of who uses it never gets lost, and goes on to what is to be done. */
export function guideFocus(root: HTMLElement): void {
  const find = (selector: string) => root.querySelector<HTMLElement>(selector);
  const active = document.activeElement as HTMLElement | null;
  const dialog = find(".dialog");
  if (dialog) {
    if (dialog.contains(active)) return;
    opener ??= active ?? undefined;
    return find("[data-focus]")?.focus();
  }
  if (opener) {
    opener.focus();
    opener = undefined;
    return;
  }
  if (arriving) {
    arriving = false;
    return find("h1")?.focus({ preventScroll: true });
  }
  const lost = used && (active === null || active === document.body);
  const resting = active?.matches(`.table h1, ${REST[0]}`);
  const waiting = find(".waits .primary");
  const called = waiting !== lastWaiting && waiting !== null && active?.matches(".hand .card");
  lastWaiting = waiting;
  if (!lost && !resting && !called) return;
  const next = find(NEXT) ?? (lost ? REST.map(find).find(Boolean) : undefined);
  if (next && next !== active) next.focus();
}
