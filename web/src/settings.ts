import { html, type TemplateResult } from "lit-html";
import { attempt, client, notify, set, state } from "./state.ts";
import { button, choice, page } from "./shell.ts";
import { LANGUAGES, t, type Language } from "./words.ts";

export function settings(): TemplateResult {
  const { language, fourColours, animation, sound, highFirst } = state.settings;
  const yesNo = [["yes", t("yes")], ["no", t("no")]] as const;
  const rename = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    void attempt(async () => {
      state.me = await client.call("updateMe", { body: { name } });
      notify(t("saved"));
    });
  };
  return page(
    t("settings.title"),
    html`<div class="form">
      ${choice(
        t("settings.language"),
        "language",
        Object.entries(LANGUAGES) as [Language, string][],
        language,
        (value) => set({ language: value }),
      )}
      ${state.signedIn
        ? html`<form class="inline" @submit=${rename}>
            <label for="name">${t("name.label")}</label>
            <input id="name" name="name" maxlength="24" autocomplete="nickname" .value=${state.me?.name ?? ""} />
            <button class="btn">${t("save")}</button>
          </form>`
        : ""}
      ${choice(t("settings.colours"), "colours", yesNo, fourColours ? "yes" : "no", (value) => set({ fourColours: value === "yes" }))}
      ${choice(
        t("settings.animation"),
        "animation",
        (["normal", "fast", "off"] as const).map((value) => [value, t(`animation.${value}`)] as const),
        animation,
        (value) => set({ animation: value }),
      )}
      ${choice(t("settings.sound"), "sound", yesNo, sound ? "yes" : "no", (value) => set({ sound: value === "yes" }))}
      ${choice(
        t("settings.order"),
        "order",
        [["high", t("order.high")], ["low", t("order.low")]] as const,
        highFirst ? "high" : "low",
        (value) => set({ highFirst: value === "high" }),
      )}
      ${button(t("settings.lessons"), () => {
        set({ lessons: [], played: false });
        notify(t("saved"));
      })}
    </div>`,
    "/",
    true,
  );
}
