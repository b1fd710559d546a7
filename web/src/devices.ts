import { html, nothing, type TemplateResult } from "lit-html";
import type { Schemas } from "../../clients/typescript/src/index.ts";
import { forgetPlayer, leaveVisit, settleIn } from "./account.ts";
import { go } from "./route.ts";
import { button, local, page } from "./shell.ts";
import { attempt, client, deviceName, draw, notify, reason, set, state } from "./state.ts";
import { inFours, wayBack } from "./wayback.ts";
import { dateOf, t } from "./words.ts";

/** Letters of a transfer code; a recovery code has more. */
const LONGEST_TRANSFER_CODE = 16;

interface Devices {
  transfer?: Schemas["TransferCode"];
  sessions?: Schemas["DeviceSession"][];
}

export async function loadDevices(): Promise<void> {
  if (!state.signedIn) return;
  const screen = local<Devices>({});
  try {
    screen.sessions = (await client.call("listSessions")).items;
  } catch (fault) {
    notify(reason(fault));
  }
  draw();
}

export function devices(): TemplateResult {
  const screen = local<Devices>({});
  if (!state.signedIn) return page(t("devices.title"), html`<p>${t("devices.none")}</p><a class="btn" href="/back">${t("welcome.back")}</a>`);
  const transfer = () =>
    attempt(async () => {
      screen.transfer = await client.call("createTransferCode");
    });
  const end = (session_id: string) =>
    attempt(async () => {
      await client.call("deleteSessionById", { path: { session_id } });
      await loadDevices();
    });
  const out = () =>
    attempt(async () => {
      if (!confirm(t("devices.out_confirm"))) return;
      await client.signOut();
      forgetPlayer();
      go("/");
      notify(t("signed_out"));
    });
  const erase = () =>
    attempt(async () => {
      if (!confirm(t("devices.delete_confirm"))) return;
      await client.call("deleteMe");
      forgetPlayer();
      go("/");
      notify(t("error.account_deleted"));
    });
  return page(
    t("devices.title"),
    html`${wayBack()}
      <section>
        <h2>${t("devices.list")}</h2>
        <ul class="lobby">
          ${(screen.sessions ?? []).map(
            ({ id, name, used_at, current }) => html`<li>
              <span><b>${name ?? t("devices.unnamed")}</b> <span class="small">${current ? t("devices.this") : dateOf(used_at)}</span></span>
              ${current ? nothing : html`<button class="btn quiet" @click=${() => void end(id)}>${t("devices.end_one")}</button>`}
            </li>`,
          )}
        </ul>
      </section>
      <section>
        <h2>${t("devices.second")}</h2>
        <p>${t("devices.second_how", { address: `${location.host}/back` })}</p>
        ${screen.transfer
          ? html`<p class="code">${inFours(screen.transfer.code)}</p><p class="small">${t("devices.until", { time: dateOf(screen.transfer.expires_at) })}</p>`
          : button(t("devices.code"), () => void transfer())}
      </section>
      <section class="danger">
        <h2>${t("devices.end")}</h2>
        ${button(t("devices.out"), () => void out())} ${button(t("devices.delete"), () => void erase(), "quiet")}
      </section>`,
    "/",
    true,
  );
}

/** Signs in with a code: from the address, or typed in. */
export function back(): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = String(new FormData(event.target as HTMLFormElement).get("code") ?? "").trim();
    if (code) void attempt(() => signIn(code));
  };
  return page(
    t("back.title"),
    html`<p>${t("back.how")}</p>
      <p class="small">${t("back.signs_out")}</p>
      ${state.signedIn ? html`<p class="small">${t("back.replaces", { name: state.me?.name ?? t("player") })}</p>` : nothing}
      <form class="inline" @submit=${submit}>
        <label for="code">${t("back.label")}</label>
        <input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="60" value=${decodeURIComponent(location.hash.slice(1))} />
        <button class="btn primary">${t("back.go")}</button>
      </form>`,
  );
}

async function signIn(code: string): Promise<void> {
  const signs = code.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, "");
  await leaveVisit();
  state.me = await client.signIn(signs.length > LONGEST_TRANSFER_CODE ? "recovery" : "transfer", code, deviceName());
  await settleIn();
  history.replaceState(null, "", "/back");
  set({ played: true });
  go("/");
}
