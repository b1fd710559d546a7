import { html, nothing, type TemplateResult } from "lit-html";
import type { Schemas } from "../../clients/typescript/src/index.ts";
import { closeGame } from "./account.ts";
import { go } from "./route.ts";
import { button, local, page } from "./shell.ts";
import { attempt, client, set, state, storage } from "./state.ts";
import { dateOf, t } from "./words.ts";

interface Devices {
  transfer?: Schemas["TransferCode"];
  recovery?: string;
}

export function devices(): TemplateResult {
  const screen = local<Devices>({});
  if (!state.signedIn) return page(t("devices.title"), html`<p>${t("devices.none")}</p><a class="btn" href="/back">${t("welcome.back")}</a>`);
  const transfer = () =>
    attempt(async () => {
      screen.transfer = await client.call("createTransferCode");
    });
  const out = () =>
    attempt(async () => {
      if (!confirm(t("devices.out_confirm"))) return;
      await client.signOut();
      forget();
    });
  const erase = () =>
    attempt(async () => {
      if (!confirm(t("devices.delete_confirm"))) return;
      await client.call("deleteMe");
      forget();
    });
  return page(
    t("devices.title"),
    html`<section>
        <h2>${t("devices.second")}</h2>
        <p>${t("devices.second_how", { address: `${location.host}/back` })}</p>
        ${screen.transfer
          ? html`<p class="code">${screen.transfer.code}</p><p class="small">${t("devices.until", { time: dateOf(screen.transfer.expires_at) })}</p>`
          : button(t("devices.code"), () => void transfer())}
      </section>
      <section class="danger">
        <h2>${t("devices.end")}</h2>
        ${button(t("devices.out"), () => void out())} ${button(t("devices.delete"), () => void erase(), "quiet")}
      </section>`,
  );
}

function forget(): void {
  closeGame();
  for (const key of Object.keys(storage ?? {})) if (key.startsWith("do-dooni.") && key !== "do-dooni.settings") storage?.removeItem(key);
  state.signedIn = false;
  delete state.me;
  go("/");
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
      ${state.signedIn ? html`<p class="small">${t("back.replaces", { name: state.me?.name ?? t("player") })}</p>` : nothing}
      <form class="inline" @submit=${submit}>
        <label for="code">${t("code.label")}</label>
        <input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="60" value=${decodeURIComponent(location.hash.slice(1))} />
        <button class="btn primary" ?disabled=${state.busy}>${t("back.go")}</button>
      </form>`,
  );
}

async function signIn(code: string): Promise<void> {
  state.me = await client.signIn("transfer", code);
  state.signedIn = true;
  history.replaceState(null, "", "/back");
  set({ played: true });
  void navigator.storage?.persist?.();
  go("/");
}

