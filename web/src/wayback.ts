import { html, nothing, type TemplateResult } from "lit-html";
import { button, local, send } from "./shell.ts";
import { attempt, client, set, state } from "./state.ts";
import { dateOf, t } from "./words.ts";

interface WayBack {
  /** The code that was just made: it is shown this once. */
  recovery?: string;
}

/** A way back as a link: a fragment reaches no server and no log. */
function wayBackUrl(code: string): string {
  return `${location.origin}/back#${code}`;
}

export function inFours(code: string): string {
  return code.match(/.{1,4}/g)?.join(" ") ?? code;
}

/** After the first deal: how to come back if the browser forgets. */
export function offerWayBack(): TemplateResult | typeof nothing {
  if (state.settings.wayBack && local<WayBack>({}).recovery === undefined) return nothing;
  return wayBack(button(t("wayback.later"), () => set({ wayBack: true }), "quiet"));
}

/** A code to keep, made, sent and printed in place; `beside` stands next to the button that makes it. */
export function wayBack(beside: TemplateResult | typeof nothing = nothing): TemplateResult {
  const screen = local<WayBack>({});
  const code = screen.recovery;
  const make = () =>
    attempt(async () => {
      if (state.me?.recovery_code_at && !confirm(t("wayback.replace"))) return;
      screen.recovery = (await client.call("createRecoveryCode")).code;
      state.me = await client.call("getMe");
      set({ wayBack: true });
    });
  const since = state.me?.recovery_code_at;
  return html`<section class="share paper">
    <h2>${t("wayback.title")}</h2>
    <p>${t("wayback.why")}</p>
    ${code
      ? html`<p class="code">${inFours(code)}</p>
          <p>${t("wayback.where", { address: `${location.host}/back` })}</p>
          <p>${t("wayback.keep")} ${t("wayback.signs_out")}</p>
          <div class="actions">
            ${button(t("wayback.send"), () => void send(t("wayback.message"), wayBackUrl(code)), "primary")}
            ${button(t("wayback.print"), () => print())}
          </div>`
      : html`${since ? html`<p class="small">${t("wayback.have", { time: dateOf(since) })}</p>` : nothing}
          <div class="actions">${button(t("wayback.get"), () => void make(), "primary")} ${beside}</div>`}
  </section>`;
}
