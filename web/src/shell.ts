import { html, nothing, type TemplateResult } from "lit-html";
import { notify, set, state } from "./state.ts";
import { LANGUAGES, t, type Language } from "./words.ts";

/** A page with a header; the table has a frame of its own. `returns`: Back leads to where the player came from, if that was in the app. */
export function page(title: string, content: unknown, back = "/", returns = false): TemplateResult {
  return html`<header class="bar">
      ${back ? html`<a class="icon" href=${back} data-back=${returns ? "" : nothing} aria-label=${t("back")}><span aria-hidden="true">‹</span></a>` : nothing}
      <h1 tabindex="-1">${title}</h1>
    </header>
    <main class="page">${content}</main>`;
}

export function notice(): TemplateResult {
  return html`<div class="notice" role="status">${state.notice ? html`<p>${state.notice}</p>` : nothing}</div>`;
}

/** A button that is off stays focusable: one that were disabled would drop the focus of whoever just pressed it. */
export function button(text: string, action: () => void, kind = "", off = state.busy): TemplateResult {
  return html`<button class="btn ${kind}" aria-disabled=${off ? "true" : nothing} @click=${off ? nothing : action}>${text}</button>`;
}

/** One choice of a few, as radio buttons. */
export function choice<T extends string | number>(
  legend: string,
  name: string,
  options: readonly (readonly [T, string])[],
  chosen: T,
  choose: (value: T) => void,
): TemplateResult {
  return html`<fieldset class="choice">
    <legend>${legend}</legend>
    <div>
      ${options.map(
        ([value, text]) => html`<label
          ><input type="radio" name=${name} .checked=${value === chosen} @change=${() => choose(value)} /><span>${text}</span></label
        >`,
      )}
    </div>
  </fieldset>`;
}

export function languages(): TemplateResult {
  return html`<nav class="languages" aria-label=${t("settings.language")}>
    ${(Object.keys(LANGUAGES) as Language[]).map(
      (code) => html`<button
        lang=${code}
        aria-pressed=${state.settings.language === code}
        @click=${() => set({ language: code })}
      >${LANGUAGES[code]}</button>`,
    )}
  </nav>`;
}

/** Where players say how they are called at the table. */
export function nameField(form: { name: string }): TemplateResult {
  return html`<label class="field"
    >${t("name.label")}<input
      name="name"
      maxlength="24"
      autocomplete="nickname"
      .value=${form.name}
      @input=${(event: InputEvent) => (form.name = (event.target as HTMLInputElement).value)}
  /></label>`;
}

/** The name, or undefined with a word to the player and the focus on the field. */
export function givenName({ name }: { name: string }): string | undefined {
  if (name.trim()) return name.trim();
  notify(t("name.needed"));
  document.querySelector<HTMLInputElement>("input[name=name]")?.focus();
  return undefined;
}

/** Keeps what a screen holds for as long as it is open. */
export function local<T extends object>(initial: T): T {
  if (Object.keys(state.screen).length === 0) Object.assign(state.screen, initial);
  return state.screen as T;
}

/** Hands a text with a link to the phone's own share sheet, or else to the clipboard. */
export async function send(text: string, url: string): Promise<void> {
  try {
    if ((await share(text, url)) === "copied") notify(t("copied"));
  } catch {
    notify(t("copy_failed"));
  }
}

async function share(text: string, url: string): Promise<"shared" | "copied"> {
  if (navigator.share) {
    await navigator.share({ text, url }).catch((fault: Error) => {
      if (fault.name !== "AbortError") throw fault;
    });
    return "shared";
  }
  await navigator.clipboard.writeText(`${text} ${url}`);
  return "copied";
}
