import { Refused, type Schemas, type SeatName } from "../../clients/typescript/src/index.ts";
import { html, nothing, type TemplateResult } from "lit-html";
import { ensureAccount, join, lookUpInvite } from "./account.ts";
import { playSet } from "./sets.ts";
import { nameOf } from "./seats.ts";
import { button, languages, local, nameField, page } from "./shell.ts";
import { attempt, draw, reason, state } from "./state.ts";
import { t } from "./words.ts";

interface Invite {
  table?: Schemas["Invitation"];
  problem?: string;
  name: string;
  seat?: SeatName;
}

export async function loadInvite(code: string): Promise<void> {
  const screen = local<Invite>({ name: state.me?.name ?? "" });
  try {
    screen.table = await lookUpInvite(code);
    delete screen.problem;
    const free = screen.table.free_seats;
    const host = screen.table.seats.find(({ player }) => player?.id !== undefined && player.id === screen.table?.host?.id);
    const opposite = free.find((seat) => host && across(host.seat) === seat);
    if (!free.some((seat) => seat === screen.seat)) {
      const chosen = opposite ?? free[0];
      if (chosen) screen.seat = chosen;
      else delete screen.seat;
    }
  } catch (fault) {
    screen.problem = reason(fault);
  }
  draw();
}

function across(seat: SeatName): SeatName {
  return ({ north: "south", south: "north", east: "west", west: "east" } as const)[seat];
}

export function invite(code: string): TemplateResult {
  const screen = local<Invite>({ name: state.me?.name ?? "" });
  const { table, problem } = screen;
  if (problem) {
    return page(t("invite.title"), html`<p class="problem">${problem}</p>
      <div class="actions"><a class="btn primary" href="/">${t("invite.home")}</a><a class="btn" href="/back">${t("welcome.back")}</a></div>`);
  }
  if (!table) return page(t("invite.title"), html`<p>${t("loading")}</p>`);
  const { match_id, deal_set_id } = table;
  if (deal_set_id !== undefined) return dared(screen, table, deal_set_id);
  const isFree = ({ seat }: Schemas["SeatInfo"]) => table.free_seats.includes(seat);
  const seated = table.seats.some(({ player }) => player?.id !== undefined && player.id === state.me?.id);
  if (seated) {
    return page(t("invite.title"), html`<p>${t("invite.seated")}</p>
      <a class="btn primary" href="/m/${match_id}">${t("invite.open")}</a>`);
  }
  if (table.free_seats.length === 0) return page(t("invite.title"), html`<p class="problem">${t("invite.full")}</p>`);
  const sit = async () => {
    await ensureAccount(screen.name.trim());
    try {
      if (screen.seat && match_id) await join(match_id, screen.seat, code);
    } catch (fault) {
      if (fault instanceof Refused && fault.problem.code === "seat_taken") await loadInvite(code);
      throw fault;
    }
  };
  const days = (table.rules.turn_seconds ?? 0) > 3600;
  return page(
    t("invite.title"),
    html`${newcomer()}
      <p class="lead">${t("invite.from", { name: table.host?.name ?? t("player") })}</p>
      <p>${t(days ? "invite.days" : "invite.now", { n: table.rules.deals })}</p>
      <div class="form">
        ${nameField(screen)}
        <fieldset class="choice seats">
          <legend>${t("invite.choose")}</legend>
          <div class="around">
            ${table.seats.map(
              (info) => html`<label class="at-${info.seat} ${isFree(info) ? "" : "taken"}"
                ><input
                  type="radio"
                  name="seat"
                  ?disabled=${!isFree(info)}
                  .checked=${screen.seat === info.seat}
                  @change=${() => {
                    screen.seat = info.seat;
                    draw();
                  }}
                /><span>${isFree(info) ? t("seat.free") : nameOf(info)}</span></label
              >`,
            )}
          </div>
        </fieldset>
        <p class="small">${t("invite.partners")}</p>
        ${button(t("invite.sit"), () => void attempt(sit), "primary")}
      </div>
      <p class="small">${t("welcome.rule")}</p>
      <p class="small"><a href="/back">${t("welcome.back")}</a></p>`,
  );
}

/** Whoever was sent here and has never seen the page: what it is, in a language of theirs. */
function newcomer(): TemplateResult | typeof nothing {
  return state.signedIn ? nothing : html`${languages()} <p class="small"><b>Do Dooni</b>: ${t("welcome.tagline")}</p>`;
}

/** Where a challenge leads: the same deals as the one who sends it has played, in the same chair. */
function dared(screen: Invite, { host, rules }: Schemas["Invitation"], setId: string): TemplateResult {
  if (host?.id !== undefined && host.id === state.me?.id) {
    return page(t("challenge.mine"), html`<p>${t("challenge.own")}</p><a class="btn primary" href="/s/${setId}">${t("set.open")}</a>`);
  }
  return page(
    t("challenge.of", { name: host?.name || t("player") }),
    html`${newcomer()}
      <p class="lead">${t("challenge.what", { n: rules.deals })}</p>
      <div class="form">
        ${nameField(screen)} ${button(t("challenge.play"), () => void attempt(() => playSet(setId, screen.name.trim())), "primary")}
      </div>
      <p class="small">${t("welcome.rule")}</p>
      <p class="small"><a href="/back">${t("welcome.back")}</a></p>`,
  );
}
