import { html, type TemplateResult } from "lit-html";
import { page } from "./shell.ts";
import { t } from "./words.ts";

export function about(): TemplateResult {
  return page(
    t("about.title"),
    html`<h2>${t("about.game")}</h2>
      <p>${t("welcome.rule")}</p>
      <ul class="about">
        ${(["auction", "ser", "follow", "pile", "score"] as const).map((rule) => html`<li>${t(`about.${rule}`)}</li>`)}
      </ul>
      <h2>${t("about.privacy")}</h2>
      <p>${t("about.kept")}</p>
      <p>${t("about.not")}</p>
      <h2>${t("about.contact")}</h2>
      <p>${t("about.write")}</p>`,
  );
}
