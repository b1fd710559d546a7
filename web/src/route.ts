import { draw, state } from "./state.ts";

export interface Route {
  name: "home" | "new" | "invite" | "match" | "deal" | "settings" | "devices" | "back" | "about" | "daily" | "set" | "lost";
  id: string;
  number: number;
}

const PATTERNS: [Route["name"], RegExp][] = [
  ["home", /^\/$/],
  ["new", /^\/new$/],
  ["invite", /^\/t\/([^/]+)$/],
  ["match", /^\/m\/([^/]+)$/],
  ["deal", /^\/m\/([^/]+)\/(\d+)$/],
  ["settings", /^\/settings$/],
  ["devices", /^\/devices$/],
  ["back", /^\/back$/],
  ["about", /^\/about$/],
  ["daily", /^\/daily$/],
  ["set", /^\/s\/([^/]+)$/],
];

export function route(path: string = state.path): Route {
  for (const [name, pattern] of PATTERNS) {
    const found = pattern.exec(path);
    if (found) return { name, id: decodeURIComponent(found[1] ?? ""), number: Number(found[2] ?? 0) };
  }
  return { name: "lost", id: "", number: 0 };
}

let arrived: () => void = () => undefined;

export function onArrival(arrive: () => void): void {
  arrived = arrive;
  addEventListener("popstate", enter);
  addEventListener("click", follow, { capture: true }); // a dialog keeps clicks to itself
}

export function go(path: string): void {
  history.pushState({ within: true }, "", path);
  enter();
}

function enter(): void {
  state.path = location.pathname;
  state.screen = {};
  delete state.notice;
  scrollTo(0, 0);
  arrived();
  draw();
}

/** Links within the page do not load it anew; one with `data-back` leads to where the player came from. */
function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest?.("a");
  const modified = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || modified || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  if (link.dataset["back"] !== undefined && (history.state as { within?: boolean } | null)?.within) history.back();
  else go(link.pathname + link.hash);
}
