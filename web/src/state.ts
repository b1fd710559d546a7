import { Client, Refused, Unsettled, type Schemas } from "../../clients/typescript/src/index.ts";
import type { Game } from "./game.ts";
import { LANGUAGES, maybe, preferred, speak, t, type Language } from "./words.ts";

export interface Settings {
  language: Language;
  fourColours: boolean;
  animation: "normal" | "fast" | "off";
  sound: boolean;
  highFirst: boolean;
  /** The lessons that were read; `skip` if none are wanted any more. */
  lessons: string[];
  /** A deal was played to its end on this device. */
  played: boolean;
  /** The player has seen the way back, or said later. */
  wayBack: boolean;
}

/** All that the page draws from. */
export interface State {
  path: string;
  settings: Settings;
  signedIn: boolean;
  me?: Schemas["Me"];
  /** A short message at the foot of the page. */
  notice?: string;
  busy: boolean;
  game?: Game;
  /** What the screens keep for as long as they are open, by name. */
  screen: Record<string, unknown>;
}

const SETTINGS = "do-dooni.settings";

/** `localStorage`, or memory where the browser refuses it. */
export const storage: Storage | undefined = (() => {
  try {
    localStorage.setItem("do-dooni.probe", "1");
    localStorage.removeItem("do-dooni.probe");
    return localStorage;
  } catch {
    return undefined;
  }
})();

function storedSettings(): Settings {
  const fallback: Settings = {
    language: preferred([new URLSearchParams(location.search).get("lang") ?? "", ...navigator.languages]),
    fourColours: true,
    animation: "normal",
    sound: false,
    highFirst: true,
    lessons: [],
    played: false,
    wayBack: false,
  };
  try {
    return { ...fallback, ...(JSON.parse(storage?.getItem(SETTINGS) ?? "{}") as Partial<Settings>) };
  } catch {
    return fallback;
  }
}

export const state: State = {
  path: location.pathname,
  settings: storedSettings(),
  signedIn: false,
  busy: false,
  screen: {},
};

export const client = new Client({
  server: "/v1",
  ...(storage && { store: storage }),
  onSignedOut: () => {
    state.signedIn = false;
    delete state.me;
    notify(t("signed_out"));
  },
});

let drawing = false;
let drawNow: () => void = () => undefined;

export function onDraw(draw: () => void): void {
  drawNow = draw;
}

/** Draws the page again, once for all changes of this turn of the event loop. */
export function draw(): void {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    drawNow();
  });
}

/** What this device is called in the list of devices. */
export function deviceName(): string {
  const agent = navigator.userAgent;
  const system = /Android|iPhone|iPad|Windows|Mac|CrOS|Linux/.exec(agent)?.[0] ?? "";
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0].replace("Edg", "Edge") ?? "";
  return [browser, system].filter(Boolean).join(", ") || "Browser";
}

export function set(change: Partial<Settings>): void {
  Object.assign(state.settings, change);
  const locale = change.language;
  if (locale && state.signedIn) void client.call("updateMe", { body: { locale } }).catch(() => undefined);
  storage?.setItem(SETTINGS, JSON.stringify(state.settings));
  applySettings();
  draw();
}

export function applySettings(): void {
  const { language, fourColours, animation } = state.settings;
  speak(language in LANGUAGES ? language : "en");
  document.documentElement.dataset["colours"] = fourColours ? "four" : "two";
  document.documentElement.dataset["animation"] = animation;
}

let noticeTimer: ReturnType<typeof setTimeout> | undefined;

export function notify(text: string): void {
  state.notice = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    delete state.notice;
    draw();
  }, 6000);
  draw();
}

/** What went wrong, in the player's language. */
export function reason(fault: unknown): string {
  if (fault instanceof Unsettled) return t("offline");
  if (!(fault instanceof Refused)) return t("error.unknown", { code: String(fault) });
  const { code, params } = fault.problem;
  const minutes = Math.ceil((params.retry_after_seconds ?? 60) / 60);
  return maybe(`error.${code}`, { n: minutes, most: params.most ?? 0 }) ?? t("error.unknown", { code });
}

/** Runs what a button does: one at a time, with a message if it fails. */
export async function attempt(task: () => Promise<void>): Promise<void> {
  if (state.busy) return;
  state.busy = true;
  draw();
  try {
    await task();
  } catch (fault) {
    console.info(fault);
    notify(reason(fault));
  } finally {
    state.busy = false;
    draw();
  }
}
