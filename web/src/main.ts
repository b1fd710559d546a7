import { html, render, type TemplateResult } from "lit-html";
import { about } from "./about.ts";
import { closeGame, hasPlayer, loadMe, openGame } from "./account.ts";
import { back, devices, loadDevices } from "./devices.ts";
import { arrived, guideFocus } from "./focus.ts";
import { home, refreshHome } from "./home.ts";
import { invite, loadInvite } from "./invite.ts";
import { match } from "./match.ts";
import { newTable } from "./newtable.ts";
import { loadDeal, replay } from "./replay.ts";
import { go, onArrival, route } from "./route.ts";
import { daily, dealSet, isIncomplete, loadSet } from "./sets.ts";
import { settings } from "./settings.ts";
import { notice, page } from "./shell.ts";
import { applySettings, draw, notify, onDraw, reason, set, state } from "./state.ts";
import { t } from "./words.ts";

const root = document.getElementById("app") as HTMLElement;
const HOME_AGAIN = 20_000; // milliseconds between two looks at one's tables

/** The whole page, from the state alone. */
function view(): TemplateResult {
  const { name, id, number } = route();
  switch (name) {
    case "home":
      return home();
    case "new":
      return newTable();
    case "invite":
      return invite(id);
    case "match":
      return state.game ? match(state.game) : page(t("table.title"), html`<p>${t("loading")}</p>`);
    case "deal":
      return replay(id, number);
    case "settings":
      return settings();
    case "devices":
      return devices();
    case "back":
      return back();
    case "daily":
      return daily();
    case "set":
      return dealSet();
    case "about":
      return about();
    default:
      return page(t("lost.title"), html`<p>${t("lost.text")}</p><a class="btn primary" href="/">${t("invite.home")}</a>`);
  }
}

onDraw(() => {
  render(html`${view()} ${notice()}`, root);
  document.title = title();
  guideFocus(root);
});

function title(): string {
  const heading = root.querySelector("h1")?.textContent?.trim().replace(/\s+/g, " ") ?? "";
  const turn = state.game?.myTurn && route().name === "match" ? "● " : "";
  return turn + (heading && heading !== "Do Dooni" ? `${heading} · Do Dooni` : "Do Dooni");
}

/** Fetches what a screen needs. */
function arrive(): void {
  const { name, id, number } = route();
  if (name !== "match" && name !== "deal") closeGame();
  if (name === "home") void refreshHome();
  if (name === "devices") void loadDevices();
  if (name === "invite") void loadInvite(id);
  if (name === "match") openGame(id);
  if (name === "daily") void loadSet(undefined);
  if (name === "set") void loadSet(id);
  if (name === "deal") void loadDeal(id, number);
}

async function start(): Promise<void> {
  applySettings();
  if (new URLSearchParams(location.search).has("lang")) set({}); // the link's language stays, where none was chosen before
  state.signedIn = await hasPlayer();
  if (state.signedIn) void loadMe().catch((fault: unknown) => notify(reason(fault)));
  onArrival(() => {
    arrived();
    arrive();
  });
  if (!state.signedIn && ["match", "deal", "set"].includes(route().name)) {
    go("/");
    return;
  }
  arrive();
  draw();
  setInterval(() => {
    if (route().name === "home" && document.visibilityState === "visible") void refreshHome();
    if (route().name === "match") draw(); // the clock
    if (route().name === "set" && isIncomplete()) void loadSet(route().id);
  }, HOME_AGAIN);
  await navigator.serviceWorker?.register("/sw.js");
}

void start();
