// Pictures for the README: node pictures.mjs BASE CHROMIUM FOLDER.
import { join } from "node:path";
import { DESKTOP, launch, PHONE } from "./browser.mjs";
import { decide, next } from "./play.mjs";

const [base, chromium, folder] = process.argv.slice(2);
const { user, close } = await launch(base, chromium);
const LESSONS = ["call", "ser", "play", "pile", "bank"];
const MOST_DEALS = 12;

async function seated(options, settings) {
  const page = await user({ ...options, settings: { language: "en", animation: "off", lessons: LESSONS, ...settings } });
  await page.goto(base);
  await page.locator(".welcome .primary").click();
  return page;
}

const save = (page, name) => page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 82 });
const onHold = (page) => page.locator(".stack i").count();

/** Plays until a trick is under way with so many on hold; a new deal where there are never so many. */
async function until(page, tricks, plays) {
  for (let deals = 0; deals < MOST_DEALS; ) {
    const what = await next(page);
    const lying = await page.locator(".played").count();
    if (what === "card" && (await onHold(page)) >= tricks && lying >= plays) return;
    if ((await decide(page)) !== "over") continue;
    deals += 1;
    await page.locator(".actions .primary").click();
    await page.waitForSelector(".table");
  }
  throw new Error(`never ${tricks} on hold`);
}

const phone = { ...PHONE, viewport: { width: 360, height: 700 }, deviceScaleFactor: 1.5 };
const newcomer = await seated({ ...phone, viewport: { width: 740, height: 360 } }, { lessons: ["call", "ser", "play"] });
while ((await next(newcomer)) !== "lesson") await decide(newcomer);
await save(newcomer, "lesson");
await newcomer.close();
const first = await seated(phone, {});
await next(first);
await save(first, "auction");
await until(first, 2, 1);
await save(first, "phone");
const hindi = await seated(phone, { language: "hi" });
await until(hindi, 1, 2);
await save(hindi, "hindi");
const wide = await seated({ ...DESKTOP, viewport: { width: 960, height: 640 } }, {});
await until(wide, 1, 2);
await save(wide, "desktop");
await until(wide, 5, 1);
await save(wide, "five-on-hold");
const dark = await seated({ ...phone, colorScheme: "dark" }, {});
await until(dark, 2, 2);
await save(dark, "dark");
await close();
console.log(JSON.stringify(["lesson", "auction", "phone", "hindi", "desktop", "five-on-hold", "dark"]));
