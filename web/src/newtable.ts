import type { Schemas } from "../../clients/typescript/src/index.ts";
import { html, nothing, type TemplateResult } from "lit-html";
import { createMatch, ensureAccount, keepBots } from "./account.ts";
import { button, choice, local, page, givenName, nameField } from "./shell.ts";
import { attempt, draw, state } from "./state.ts";
import { t } from "./words.ts";

type Seat = "empty" | "easy" | "steady" | "sharp";
interface NewTable {
  company: "friends" | "bots";
  pace: "now" | "days";
  deals: number;
  bots: Exclude<Seat, "empty">;
  name: string;
}

const TURN_SECONDS = { now: 120, days: 86_400 };
const MINUTES_A_DEAL = 6;
const DAYS_A_DEAL = 3;

export function newTable(): TemplateResult {
  const form = local<NewTable>({ company: "friends", pace: "now", deals: 4, bots: "steady", name: state.me?.name ?? "" });
  const choose = <Name extends keyof NewTable>(name: Name) => (value: NewTable[Name]) => {
    form[name] = value;
    draw();
  };
  const friends = form.company === "friends";
  const estimate =
    form.pace === "days" && friends ? t("new.days", { n: form.deals * DAYS_A_DEAL }) : t("new.minutes", { n: form.deals * MINUTES_A_DEAL });
  return page(
    t("new.title"),
    html`<div class="form">
      ${choice(t("new.company"), "company", [["friends", t("new.friends")], ["bots", t("new.bots")]], form.company, choose("company"))}
      ${friends
        ? html`${nameField(form)}
            ${choice(t("new.pace"), "pace", [["now", t("new.pace_now")], ["days", t("new.pace_days")]], form.pace, choose("pace"))}`
        : nothing}
      ${choice(t("new.deals"), "deals", [1, 4, 8].map((n) => [n, String(n)] as const), form.deals, choose("deals"))}
      ${choice(
        t(friends ? "new.level_empty" : "new.level"),
        "bots",
        (["easy", "steady", "sharp"] as const).map((level) => [level, t(`level.${level}`)] as const),
        form.bots,
        choose("bots"),
      )}
      <p class="estimate">${estimate}</p>
      ${button(t(friends ? "new.invite" : "new.start"), () => void attempt(() => create(form)), "primary")}
    </div>`,
  );
}

async function create(form: NewTable): Promise<void> {
  const { company, pace, deals, bots } = form;
  if (company === "bots") {
    const bot = { type: "bot", level: bots } as const;
    await createMatch({ deals, seats: { north: { type: "human" }, east: bot, south: bot, west: bot } });
    return;
  }
  const name = givenName(form);
  if (name === undefined) return;
  await ensureAccount(name);
  const empty = { type: "empty" } as const;
  const setup: Schemas["MatchSetup"] = {
    deals,
    turn_seconds: TURN_SECONDS[pace],
    start: "by_host",
    take_over: true,
    seats: { north: { type: "human" }, east: empty, south: empty, west: empty },
  };
  await keepBots(await createMatch(setup), bots);
}
