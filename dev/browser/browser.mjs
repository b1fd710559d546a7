// Debian's Chromium, driven by playwright-core; every page is watched for errors and for requests to other hosts.
import { createRequire } from "node:module";

const require = createRequire(new URL("../node/", import.meta.url));
const { chromium } = require("playwright-core");
export const axeSource = require("axe-core").source;

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
export const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** A browser for one base address; `faults` lists what must not happen. */
export async function launch(base, executablePath) {
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const faults = [];
  const allowed = new Set();

  /** A page of its own user. `settings` are those of the page; `quiet`: failing requests are part of the proof. */
  async function user({ settings = {}, quiet = false, ...options } = {}) {
    const context = await browser.newContext({ ...DESKTOP, ...options });
    const kept = JSON.stringify(settings);
    await context.addInitScript((text) => {
      if (!localStorage.getItem("do-dooni.settings")) localStorage.setItem("do-dooni.settings", text);
    }, kept);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    if (quiet) allowed.add(page);
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => {
      const lost = quiet && /ERR_|Failed to load resource/.test(message.text());
      if (message.type() === "error" && !lost) faults.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith("data:")) faults.push(`other host: ${request.url()}`);
    });
    page.on("dialog", (dialog) => dialog.accept());
    return page;
  }

  return { user, faults, close: () => browser.close() };
}

/** A browser whose profile stays in a folder. */
export function launchWithProfile(executablePath, profile) {
  return chromium.launchPersistentContext(profile, { executablePath, args: FLAGS });
}

/** What axe finds on the page as it is now, one line a finding. */
export async function axe(page) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`));
}

/** What does not fit: a page wider than the screen, a control or a seat that something else covers. */
export async function misfits(page) {
  return page.evaluate(() => {
    const found = [];
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) found.push(`${wide} px too wide`);
    for (const element of document.querySelectorAll("button, a, input, .seat, .lesson p, .prompt > p")) {
      if (element.closest("[inert], .sr") || getComputedStyle(element).opacity === "0") continue;
      element.scrollIntoView({ block: "nearest" });
      const { left, top, width, height } = element.getBoundingClientRect();
      const inset = element.matches(".card") ? 8 : undefined; // a fan shows its cards' corners
      const x = left + (inset ?? width / 2);
      const y = top + (inset ?? height / 2);
      const there = document.elementFromPoint(x, y);
      if (!there || !(element.contains(there) || there.contains(element))) {
        found.push(`${element.outerHTML.slice(0, 90)} is under ${there?.outerHTML.slice(0, 90)}`);
      }
    }
    return found;
  });
}

export function check(holds, what) {
  if (!holds) throw new Error(what);
}
