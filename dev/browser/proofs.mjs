// Proofs in a real browser: node proofs.mjs BASE CHROMIUM NAME. Prints what was seen as JSON; fails with what was wrong.
import { axe, check, DESKTOP, launch, PHONE } from "./browser.mjs";
import { decide, decideByKeyboard, next, playToTheEnd } from "./play.mjs";

const LANGUAGES = ["en", "hi", "gu"];
const QUICK = { animation: "off", language: "en" };

const [base, chromium, name] = process.argv.slice(2);
const { user, faults, close } = await launch(base, chromium);

/** Opens the address and presses "Play now", as somebody who has never been here. */
async function firstDeal(page) {
  await page.goto(base);
  await page.locator(".welcome .primary").click();
}

async function finished(page) {
  await page.waitForSelector(".final");
  const said = await page.locator(".log p").allTextContents();
  check(said.some((text) => /tricks? on hold|on hold;/.test(text)), "nothing was said of the pile");
  await page.locator(".deals a").first().click();
  await page.waitForSelector(".proof .good");
  const checks = await page.locator(".proof li").evaluateAll((items) => items.map((item) => item.className));
  check(checks.length === 10 && checks.every((kind) => kind === "ok"), `the proof: ${checks}`);
  return { said: said.length, checks: checks.length };
}

const proofs = {
  /** A solo deal by mouse, with its lessons. */
  async mouse() {
    const page = await user({ settings: QUICK });
    await firstDeal(page);
    const made = await playToTheEnd(page);
    check(made.lesson >= 6, `only ${made.lesson} lines of lessons`);
    check(made.card === 12 && made.call <= 1, JSON.stringify(made));
    return { ...made, ...(await finished(page)) };
  },

  /** A solo deal on a touch screen of 360 px, at the pace people see, with a reload while the bots' cards are shown. Nothing is wider than the screen. */
  async touch() {
    const page = await user({ ...PHONE, settings: { ...QUICK, animation: "fast" } });
    await page.goto(base);
    await page.locator(".welcome .primary").tap();
    let widest = 0;
    let reloads = 0;
    for (;;) {
      const reloading = reloads === 0 && (await next(page)) === "card";
      const answered = reloading && page.waitForResponse("**/moves/*").then((response) => response.finished());
      const what = await decide(page, (locator) => locator.tap());
      if (reloading) {
        await answered;
        await page.reload();
        await page.waitForSelector(".hand");
        reloads += 1;
      }
      widest = Math.max(widest, await page.evaluate(() => document.documentElement.scrollWidth));
      if (what === "over") break;
    }
    check(widest <= 360, `${widest} px wide`);
    check(reloads === 1, "no reload");
    return { widest, reloads, ...(await finished(page)) };
  },

  /** A solo deal by keyboard alone; after a card the focus is on the next one, and illegal cards say why. */
  async keyboard() {
    const page = await user({ settings: { ...QUICK, lessons: ["call", "ser", "play", "pile", "bank"] } });
    await page.goto(base);
    await page.locator(".welcome .primary").focus();
    await page.keyboard.press("Enter");
    let refusals = 0;
    for (let cards = 0; ; ) {
      const what = await decideByKeyboard(page);
      if (what === "over") break;
      if (what !== "card") continue;
      cards += 1;
      if (cards < 12) {
        check(await page.evaluate(() => document.activeElement?.matches(".hand .card")), `the focus left the hand after card ${cards}`);
      }
      if ((await next(page)) !== "card") continue;
      const names = await page.locator(".card.off").evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label")));
      check(names.every((text) => /not now\. Follow suit/.test(text)), `${names}`);
      refusals += names.length;
    }
    check(refusals > 0, "no card was ever refused");
    return { refusals, ...(await finished(page)) };
  },

  /** Four browsers through an invite link: one loses its network in mid-move, one reloads. */
  async friends() {
    const lessons = ["call", "ser", "play", "pile", "bank"];
    const settings = { ...QUICK, lessons };
    const host = await user({ settings });
    await host.goto(base);
    await host.getByRole("button", { name: "Play with friends" }).click();
    await host.getByLabel("Your name at the table").fill("Asha");
    await host.getByLabel("1", { exact: true }).check();
    await host.getByRole("button", { name: "Make the table and invite" }).click();
    const link = (await host.locator(".link").textContent()).trim();
    const guests = [];
    for (const guest of ["Ravi", "Meena", "Kiran"]) {
      const page = await user({ ...(guest === "Ravi" ? PHONE : DESKTOP), settings, quiet: guest === "Ravi" });
      await page.goto(link);
      await page.getByLabel("Your name at the table").fill(guest);
      await page.getByRole("button", { name: "Sit down" }).click();
      await page.waitForSelector(".lobby");
      guests.push(page);
    }
    await host.waitForFunction(() => document.querySelectorAll(".lobby .empty").length === 0);
    await host.getByRole("button", { name: "Start now" }).click();
    const [ravi, meena] = guests;
    let lost = 0;
    await ravi.route("**/moves/*", async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch(); // carried out, and the answer lost
      await ravi.context().setOffline(true);
      await route.abort();
      setTimeout(() => void ravi.context().setOffline(false), 1500);
    });
    let reloads = 0;
    const plays = async (page) => {
      for (;;) {
        const what = await next(page);
        if (page === meena && what === "card" && reloads++ === 0) await page.reload();
        if ((await decide(page)) === "over") return;
      }
    };
    await Promise.all([host, ...guests].map(plays));
    check(lost > 1 && reloads > 0, "nothing was lost, or nobody reloaded");
    const finals = await Promise.all([host, ...guests].map((page) => page.locator(".final b").allTextContents()));
    check(new Set(finals.map((scores) => scores.map(Number).sort().join())).size === 1, `${finals}`);
    return { lost, reloads, ...(await finished(guests[2])) };
  },

  /** Without a network the page opens and shows the last own view; one move waits, says so, and goes out later. */
  async offline() {
    const page = await user({ ...PHONE, settings: { ...QUICK, lessons: ["call", "ser", "play", "pile", "bank"] }, quiet: true });
    await firstDeal(page);
    while ((await next(page)) !== "card") await decide(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const cards = await page.locator(".hand .card").count();
    await page.context().setOffline(true);
    await page.reload();
    const card = page.locator(".card.legal").first();
    await card.tap();
    await card.tap();
    await page.waitForSelector(".prompt.offline");
    const said = await page.locator(".prompt").textContent();
    check(/No connection\. Your move waits/.test(said), said);
    check((await page.locator(".card.legal").count()) === 0, "a second move is offered");
    await page.reload();
    await page.waitForSelector(".hand");
    check((await page.locator(".hand .card").count()) === cards - 1, "the waiting card is back in the hand");
    await page.context().setOffline(false);
    await next(page);
    const left = await page.locator(".hand .card").count();
    check(left === cards - 1, `${left} cards are left of ${cards}`);
    return { cards, left };
  },

  /** The way back: a link made on one device signs another one in as the same player. */
  async back() {
    const phone = await user({ ...PHONE, settings: QUICK });
    await firstDeal(phone);
    await next(phone);
    await phone.goto(`${base}/settings`);
    await phone.getByLabel("Your name at the table").fill("Asha");
    await phone.getByRole("button", { name: "Save" }).click();
    await phone.waitForSelector(".notice p");
    await phone.goto(`${base}/devices`);
    await phone.getByRole("button", { name: "Get my code" }).click();
    const code = (await phone.locator(".code").textContent()).replaceAll(" ", "");
    const other = await user({ settings: QUICK, quiet: true });
    const asked = [];
    other.on("request", (request) => asked.push(request.url()));
    await other.goto(`${base}/back#${code}`);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.waitForSelector(".hello");
    const hello = await other.locator(".hello").textContent();
    await other.locator(".tables a").first().click();
    await other.waitForSelector(".table");
    const table = other.url();
    await other.locator(".top .icon").click();
    await other.locator(".dialog a[href='/settings']").click();
    await other.locator(".bar .icon").click();
    await other.waitForSelector(".table");
    check(other.url() === table, `Back leads to ${other.url()}`);
    check(/Asha/.test(hello), hello);
    check(asked.every((url) => !url.replace(/#.*/, "").includes(code)), "the code is in an address that was sent");
    return { hello };
  },

  /** axe on every screen, in every language and theme: nothing. No text runs out of a screen of 320 px. */
  async axe() {
    const found = [];
    let screens = 0;
    const page = await user({ settings: { ...QUICK, lessons: [] }, quiet: true });
    const look = async (screen) => {
      for (const language of LANGUAGES) {
        await page.evaluate((chosen) => {
          const kept = JSON.parse(localStorage.getItem("do-dooni.settings") ?? "{}");
          localStorage.setItem("do-dooni.settings", JSON.stringify({ ...kept, language: chosen }));
        }, language);
        await page.reload();
        await page.waitForSelector("h1");
        await page.waitForTimeout(150);
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await axe(page)).map((line) => `${screen} ${language} ${colorScheme}: ${line}`));
          screens += 1;
        }
        await page.setViewportSize({ width: 320, height: 640 });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > 320) found.push(`${screen} ${language}: ${width} px wide on a screen of 320`);
        await page.setViewportSize(DESKTOP.viewport);
      }
    };
    const visit = async (path, ready) => {
      await page.goto(base + path);
      await page.waitForSelector(ready);
      await look(path);
    };
    await visit("/", ".welcome");
    await visit("/about", ".page");
    await visit("/back", "form");
    await visit("/t/NOSUCHCODE", ".problem");
    await page.goto(`${base}/new`);
    await page.waitForSelector(".form");
    await look("/new");
    await page.locator(".form .primary").click();
    check(await page.evaluate(() => document.activeElement?.matches("[name=name]")), "a table is made without a name");
    await page.locator("[name=name]").fill("Asha");
    await page.locator(".form .primary").click();
    await page.waitForSelector(".lobby");
    const link = (await page.locator(".link").textContent()).trim();
    await look("lobby");
    await page.goto(link);
    await page.waitForSelector(".page a.primary");
    await look("invite, seated");
    const guest = await user({ settings: QUICK });
    await guest.goto(link);
    await guest.waitForSelector(".around");
    found.push(...(await axe(guest)).map((line) => `invite: ${line}`));
    await page.goto(base);
    await page.waitForSelector(".actions .primary");
    await look("my tables");
    await page.locator(".actions .primary").click();
    await page.waitForSelector(".lesson");
    await look("table: lesson");
    for (let cards = 0; ; ) {
      const what = await decide(page);
      if (what === "over") break;
      if (what === "call" || what === "ser") await look(`table: after ${what}`);
      if (what === "card" && ++cards === 3) {
        if ((await next(page)) === "lesson") continue;
        await look("table: cards");
        await page.locator(".hint").click();
        await page.waitForSelector(".hinted");
        found.push(...(await axe(page)).map((line) => `hint: ${line}`));
        await page.locator(".top .icon").click();
        found.push(...(await axe(page)).map((line) => `menu: ${line}`));
        await page.keyboard.press("Escape");
        await page.locator("button.pile").click();
        found.push(...(await axe(page)).map((line) => `last trick: ${line}`));
        await page.keyboard.press("Escape");
      }
    }
    await look("result");
    await page.locator(".deals a").first().click();
    await page.waitForSelector(".proof summary");
    await look("replay");
    await visit("/settings", ".form");
    await visit("/devices", ".danger");
    check(found.length === 0, `\n${[...new Set(found)].join("\n")}`);
    return { screens };
  },
};

const started = Date.now();
try {
  const seen = await proofs[name]();
  check(faults.length === 0, faults.join("\n"));
  console.log(JSON.stringify({ ...seen, seconds: Math.round((Date.now() - started) / 100) / 10 }));
} catch (fault) {
  console.error(`${name}: ${fault.stack}\n${faults.join("\n")}`);
  process.exitCode = 1;
} finally {
  await close();
}
