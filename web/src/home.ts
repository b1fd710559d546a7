import { Refused, type Schemas } from "../../clients/typescript/src/index.ts";
import { html, nothing, type TemplateResult } from "lit-html";
import { createMatch, takeOffer } from "./account.ts";
import { face } from "./cards.ts";
import { go } from "./route.ts";
import { nameOf } from "./seats.ts";
import { button, languages, local, page } from "./shell.ts";
import { attempt, client, draw, notify, reason, state } from "./state.ts";
import { signed, t } from "./words.ts";

type Summary = Schemas["MatchSummary"];
type Offer = Schemas["Offer"];
interface Home {
  offers: Offer[];
  waiting: Summary[];
  all?: Summary[];
  over: Summary[];
}

async function quickDeal(): Promise<void> {
  await createMatch({ deals: 1 });
}

export async function loadHome(): Promise<void> {
  if (!state.signedIn) return;
  const screen = local<Partial<Home>>({}); // the answer may come when another screen is open
  const [turns, all] = await Promise.all([client.call("listTurns"), client.call("listMatches", { query: { limit: 30 } })]);
  const running = all.items.filter(({ status }) => status === "waiting" || status === "playing");
  const ids = new Set(turns.items.map(({ id }) => id));
  const others = running.filter(({ id }) => !ids.has(id)); // nobody waits for the player where only bots do
  Object.assign(screen, {
    offers: turns.offers,
    waiting: [...turns.items, ...others.filter(({ your_turn }) => your_turn)],
    all: others.filter(({ your_turn }) => !your_turn),
    over: all.items.filter(({ status }) => status === "finished").slice(0, 8),
  } satisfies Home);
  draw();
}

export function home(): TemplateResult {
  return state.signedIn ? tables() : welcome();
}

function welcome(): TemplateResult {
  return html`<main class="welcome">
    ${languages()}
    <div class="fan" aria-hidden="true">${(["KS", "QH", "JD", "AC"] as const).map(face)}</div>
    <h1 tabindex="-1">Do Dooni</h1>
    <p class="tagline">${t("welcome.tagline")}</p>
    <p>${t("welcome.rule")}</p>
    <div class="actions">
      ${button(t("welcome.play"), () => void attempt(quickDeal), "primary")}
      ${button(t("welcome.friends"), () => go("/new"))}
      ${button(t("home.daily"), () => go("/daily"))}
    </div>
    <p class="small">${t("welcome.free")}</p>
    ${codeForm()}
    <p class="small"><a href="/back">${t("welcome.back")}</a> · <a href="/about">${t("about.title")}</a></p>
  </main>`;
}

function codeForm(): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = String(new FormData(event.target as HTMLFormElement).get("code") ?? "").trim();
    if (code) go(`/t/${encodeURIComponent(code)}`);
  };
  return html`<form class="inline" @submit=${submit}>
    <label for="code">${t("code.label")}</label>
    <input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" />
    <button class="btn">${t("code.go")}</button>
  </form>`;
}

function tables(): TemplateResult {
  const { offers = [], waiting = [], all, over = [] } = local<Partial<Home>>({});
  const none = all !== undefined && offers.length + waiting.length + all.length + over.length === 0;
  return page(
    "Do Dooni",
    html`<p class="hello">${state.me?.name ? t("home.hello", { name: state.me.name }) : t("home.hello_you")}</p>
      ${none ? html`<p>${t("home.none")} <a href="/back">${t("welcome.back")}</a></p>` : nothing} ${offered(offers)} ${list(t("home.your_turn"), waiting)}
      ${list(t("home.others_turn"), all ?? [])}
      <div class="actions">
        ${button(t("home.solo"), () => void attempt(quickDeal), "primary")}
        ${button(t("home.daily"), () => go("/daily"))}
        ${button(t("home.new"), () => go("/new"))}
      </div>
      ${codeForm()} ${list(t("home.over"), over)}
      <nav class="foot">
        <a href="/settings">${t("settings.title")}</a> <a href="/devices">${t("devices.title")}</a>
        <a href="/about">${t("about.title")}</a>
      </nav>
      ${languages()}`,
    "",
  );
}

/** Rematches in which a chair is kept for the player. */
function offered(offers: readonly Offer[]): TemplateResult | typeof nothing {
  if (offers.length === 0) return nothing;
  const answer = (offer: Offer, accept: boolean) =>
    attempt(async () => {
      if (accept) return takeOffer(offer);
      await client.call("leaveSeat", { path: { match_id: offer.match.id, seat: offer.seat } });
      await loadHome();
    });
  return html`<section>
    <h2>${t("home.offers")}</h2>
    <ul class="lobby">
      ${offers.map(
        (offer) => html`<li>
          <b>${people(offer.match, offer.seat)}</b>
          <span>
            ${button(t("offer.accept"), () => void answer(offer, true), "primary")}
            ${button(t("offer.decline"), () => void answer(offer, false), "quiet")}
          </span>
        </li>`,
      )}
    </ul>
  </section>`;
}

function list(title: string, items: readonly Summary[]): TemplateResult | typeof nothing {
  if (items.length === 0) return nothing;
  return html`<section>
    <h2>${title}</h2>
    <ul class="tables">
      ${items.map(
        (match) => html`<li>
          <a href="/m/${match.id}" class=${match.your_turn ? "turn" : ""}>
            <b>${people(match)}</b>
            <span>${status(match)}</span>
          </a>
        </li>`,
      )}
    </ul>
  </section>`;
}

function people({ seats, your_seat }: Summary, mine = your_seat): string {
  const humans = seats.filter(({ seat, type }) => seat !== mine && type !== "bot" && type !== "empty");
  if (humans.length) return humans.map(nameOf).join(", ");
  return t(seats.some(({ type }) => type === "empty") ? "home.empty" : "home.with_bots");
}

function status(match: Summary): string {
  const ours = match.your_seat === "north" || match.your_seat === "south" ? "ns" : "ew";
  const scores = { we: signed(match.scores[ours]), they: signed(match.scores[ours === "ns" ? "ew" : "ns"]) };
  if (match.stands_still) return t("home.still");
  if (match.status === "waiting") return t("home.waiting");
  if (match.status === "finished") return t("home.final", scores);
  return match.your_turn ? t("home.turn", scores) : t("home.running", scores);
}

export async function refreshHome(): Promise<void> {
  try {
    await loadHome();
  } catch (fault) {
    if (!(fault instanceof Refused && fault.problem.status === 401)) notify(reason(fault));
  }
}
