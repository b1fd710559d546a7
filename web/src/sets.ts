import { html, nothing, svg, type TemplateResult } from "lit-html";
import type { Schemas } from "../../clients/typescript/src/index.ts";
import { ensureAccount, enter, note } from "./account.ts";
import { paint, type Poster } from "./poster.ts";
import { go } from "./route.ts";
import { button, givenName, local, nameField, page, send } from "./shell.ts";
import { attempt, client, draw, notify, reason, state } from "./state.ts";
import { dayOf, signed, t, dateOf } from "./words.ts";

type DealSet = Schemas["DealSet"];
type SetDeal = Schemas["SetDeal"];

interface SetScreen {
  set?: DealSet;
  results?: Schemas["SetResult"][];
  problem?: string;
  name: string;
}

/** Bars of a histogram: more would be too thin on a phone. */
const MOST_BARS = 24;

/** A set by its id, or the set of the day; whoever has no player yet is shown what the day's is, and asked nothing. */
export async function loadSet(id: string | undefined): Promise<void> {
  if (!state.signedIn) return;
  const screen = local<SetScreen>({ name: "" });
  try {
    const set = id === undefined ? await client.call("getDailySet") : await client.call("getSet", { path: { set_id: id } });
    screen.set = set;
    if (set.state === "finished" && set.type === "challenge") {
      screen.results = (await client.call("listSetResults", { path: { set_id: set.id } })).items;
    }
  } catch (fault) {
    screen.problem = reason(fault);
  }
  draw();
}

/** Whether par or the count is still on its way. */
export function isIncomplete(): boolean {
  const { set } = local<SetScreen>({ name: "" });
  return set?.state === "finished" && (set.par_score === undefined || !set.counted);
}

/** The deals of a match that the player has finished alone, for others to try. */
export async function challenge(matchId: string): Promise<void> {
  const { id } = await client.call("createSet", { body: { match_id: matchId } });
  go(`/s/${id}`);
}

/** Plays a set. An entry that has begun goes on where it stands. */
export async function playSet(id: string, name?: string): Promise<void> {
  await ensureAccount(name);
  const update = await client.call("enterSet", { path: { set_id: id } });
  const begun = update.events[0]?.version === 1 && update.match.next_move <= 4;
  await note(update);
  if (begun) enter(update);
  else go(`/m/${update.match.id}`);
}

export async function playDaily(): Promise<void> {
  await ensureAccount();
  const { id } = await client.call("getDailySet");
  await playSet(id);
}

export function daily(): TemplateResult {
  return state.signedIn ? dealSet() : page(t("daily.title"), html`<p class="lead">${t("daily.what")}</p>
    <div class="actions">${button(t("daily.play"), () => void attempt(playDaily), "primary")}</div>
    <p class="small">${t("welcome.free")}</p>`);
}

export function dealSet(): TemplateResult {
  const screen = local<SetScreen>({ name: "" });
  const { set, results, problem } = screen;
  if (problem) return page(t("set.title"), html`<p class="problem">${problem}</p><a class="btn primary" href="/">${t("invite.home")}</a>`);
  if (!set) return page(t("set.title"), html`<p>${t("loading")}</p>`);
  return page(titleOf(set), html`${lead(set)} ${scores(set)} ${deals(set)} ${ranking(set)} ${byName(results)} ${actions(set, screen)}`);
}

function titleOf(set: DealSet): string {
  const { type, day, maker } = set;
  if (type === "daily" && day) return t("daily.of", { day: dayOf(day) });
  return isMine(set) ? t("challenge.mine") : t("challenge.of", { name: maker?.name || t("player") });
}

function isMine({ maker }: DealSet): boolean {
  return maker?.id !== undefined && maker.id === state.me?.id;
}

function lead(set: DealSet): TemplateResult | typeof nothing {
  if (set.state === "abandoned") return html`<p class="lead">${t("set.abandoned")}</p>`;
  if (set.state === "playing") return html`<p class="lead">${t("set.playing", { n: set.rules.deals - set.deals.length })}</p>${until(set.due_at)}`;
  if (set.state === "finished") return nothing;
  if (!set.takes_entries) return html`<p class="lead">${t("set.closed")}</p>`;
  return html`<p class="lead">${t(set.type === "daily" ? "daily.what" : "challenge.what", { n: set.rules.deals })}</p>${until(set.closes_at)}`;
}

function until(time: string | undefined): TemplateResult | typeof nothing {
  return time ? html`<p class="small">${t("set.until", { time: dateOf(time) })}</p>` : nothing;
}

function scores({ score, par_score }: DealSet): TemplateResult | typeof nothing {
  if (score === undefined) return nothing;
  const won = par_score !== undefined && score > par_score;
  return html`<p class="final ${won ? "won" : ""}">
    <small>${t("table.points")}</small>
    <span>${t("set.you")} <b>${signed(score)}</b></span>
    ${par_score === undefined ? nothing : html`<span>${t("set.par")} <b>${signed(par_score)}</b></span>`}
  </p>`;
}

/** Better than par, as par, worse: a sign that tells nothing of the cards. */
function sign({ points, par_points }: SetDeal): "better" | "par" | "worse" | undefined {
  if (points === undefined || par_points === undefined) return undefined;
  return points > par_points ? "better" : points === par_points ? "par" : "worse";
}

const SIGNS = { better: "▲", par: "●", worse: "▼" };

function deals(set: DealSet): TemplateResult | typeof nothing {
  if (set.deals.length === 0) return nothing;
  return html`<ol class="deals">
    ${set.deals.map((deal) => {
      const kind = sign(deal);
      const par = deal.par_points === undefined ? "" : t("set.deal_par", { par: signed(deal.par_points) });
      return html`<li>
        <span>${kind ? html`<b class="sign ${kind}" title=${t(`set.${kind}`)}>${SIGNS[kind]}</b>` : nothing}
          ${deal.points === undefined ? t("set.deal_unplayed") : t("set.deal", { points: signed(deal.points) })} ${par}</span>
        ${set.match_id && deal.points !== undefined ? html`<a href="/m/${set.match_id}/${deal.deal_number}">${t("result.replay", { number: deal.deal_number })}</a>` : nothing}
      </li>`;
    })}
  </ol>
  ${set.deals.some(({ points }) => points !== undefined) ? html`<p class="small">${t("set.how")}</p>` : nothing}`;
}

function ranking({ rank, percentile, histogram, score }: DealSet): TemplateResult | typeof nothing {
  if (histogram === undefined || histogram.length === 0) return nothing;
  const entries = histogram.reduce((sum, one) => sum + one.players, 0);
  const text = rank === undefined ? t("set.entries", { n: entries }) : t("set.rank", { rank, n: entries });
  return html`<p>${text} ${percentile ? t("set.percentile", { percentile }) : nothing}</p>
    ${histogram.length > 1 ? bars(histogram, score, text) : nothing}`;
}

function bars(histogram: readonly Schemas["ScoreCount"][], own: number | undefined, text: string): TemplateResult {
  const lowest = histogram[0]?.score ?? 0;
  const highest = histogram.at(-1)?.score ?? 0;
  const width = Math.ceil((highest - lowest + 1) / MOST_BARS);
  const counts = Array.from({ length: Math.floor((highest - lowest) / width) + 1 }, () => 0);
  for (const { score, players } of histogram) counts[Math.floor((score - lowest) / width)]! += players;
  const most = Math.max(...counts);
  const mine = own === undefined ? -1 : Math.floor((own - lowest) / width);
  const label = `${text} ${t("set.range", { lowest: signed(lowest), highest: signed(highest) })}`;
  return html`<svg class="histogram" role="img" aria-label=${label} viewBox="0 0 ${10 * counts.length} 60" preserveAspectRatio="none">
      ${counts.map((count, index) => {
        const height = Math.max(1, (60 * count) / most);
        return svg`<rect class=${index === mine ? "mine" : ""} x=${10 * index + 1} y=${60 - height} width="8" height=${height} />`;
      })}
    </svg>
    <p class="range small" aria-hidden="true"><span>${signed(lowest)}</span><span>${signed(highest)}</span></p>`;
}

function byName(results: readonly Schemas["SetResult"][] | undefined): TemplateResult | typeof nothing {
  if (!results || results.length < 2) return nothing;
  return html`<h2>${t("set.results")}</h2>
    <ol class="deals ranks">
      ${results.map(
        ({ player, rank, score }) => html`<li class=${player.id !== undefined && player.id === state.me?.id ? "mine" : ""}>
          <span>${rank}. ${player.deleted ? t("player.deleted") : player.name || t("player")}</span> <b>${signed(score)}</b>
        </li>`,
      )}
    </ol>`;
}

/** Who sends a challenge says who they are, once. */
function actions(set: DealSet, screen: SetScreen): TemplateResult {
  const nameless = isMine(set) && !state.me?.name;
  const pass = () =>
    attempt(async () => {
      const name = nameless ? givenName(screen) : "";
      if (name === undefined) return;
      if (name) await ensureAccount(name);
      await send(shareText(set), shareUrl(set));
    });
  const play = () => void attempt(() => playSet(set.id));
  const canPlay = set.takes_entries && set.state === "not_entered";
  return html`${nameless ? nameField(screen) : nothing}<div class="actions">
    ${canPlay ? button(t(set.type === "daily" ? "daily.play" : "challenge.play"), play, "primary") : nothing}
    ${set.state === "playing" && set.match_id ? html`<a class="btn primary" href="/m/${set.match_id}">${t("set.go_on")}</a>` : nothing}
    ${set.state === "finished"
      ? html`${button(t(set.code ? "challenge.send" : "set.share"), () => void pass(), "primary")}
          ${button(t("set.picture"), () => void attempt(() => sharePicture(set)))}`
      : nothing}
    <a class="btn" href="/">${t("result.home")}</a>
  </div>`;
}

function shareUrl({ code }: DealSet): string {
  return code ? `${location.origin}/t/${code}?lang=${state.settings.language}` : `${location.origin}/daily`;
}

/** One a deal; none before par is known of all. */
function signsOf({ deals }: DealSet): Poster["signs"] {
  const signs = deals.flatMap((deal) => sign(deal) ?? []);
  return signs.length === deals.length ? signs : [];
}

/** What is sent to friends: how it went, and nothing of the cards. */
function shareText(set: DealSet): string {
  const what = set.type === "daily" && set.day ? t("daily.of", { day: dayOf(set.day) }) : t("challenge.beat");
  return `Do Dooni · ${what}\n${[...signsOf(set).map((kind) => SIGNS[kind]), signed(set.score ?? 0)].join(" ")}\n`;
}

async function sharePicture(set: DealSet): Promise<void> {
  const poster: Poster = {
    title: set.type === "daily" && set.day ? t("daily.of", { day: dayOf(set.day) }) : t("challenge.beat"),
    signs: signsOf(set),
    score: signed(set.score ?? 0),
    par: set.par_score === undefined ? "" : `${t("set.par")} ${signed(set.par_score)}`,
    address: shareUrl(set).replace(/^https?:\/\/|\?.*$/g, ""),
  };
  const file = new File([await paint(poster)], "do-dooni.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], text: shareText(set) + shareUrl(set) }).catch((fault: Error) => {
      if (fault.name !== "AbortError") throw fault;
    });
    return;
  }
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  URL.revokeObjectURL(link.href);
  notify(t("set.saved"));
}
