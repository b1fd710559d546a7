// Proofs in a real browser: node proofs.mjs BASE CHROMIUM NAME. Prints what was seen as JSON; fails with what was wrong.
import { axe, check, DESKTOP, launch, misfits, PHONE } from "./browser.mjs";
import { decide, decideByKeyboard, next, playToTheEnd } from "./play.mjs";

const LANGUAGES = ["en", "hi", "gu"];
const QUICK = { animation: "off", language: "en" };
const LESSONS = ["call", "ser", "play", "pile", "bank"];
/** Screens that are narrow or low: 200 % zoom on a small laptop, phones upright and on their side. */
const SIZES = {
  zoomed: { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 },
  small: { ...PHONE, viewport: { width: 320, height: 568 } },
  phone: PHONE,
  landscape: { ...PHONE, viewport: { width: 740, height: 360 } },
};

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

/** A wrong code leaves no guest behind; a right one leads to a chair, from which the host sends its owner away. */
async function removed(host, code, sit) {
  const page = await user({ settings: QUICK, quiet: true });
  const deleted = page.waitForResponse((answer) => answer.request().method() === "DELETE" && answer.url().endsWith("/v1/me"));
  const type = async (text) => {
    await page.goto(base);
    await page.getByLabel("Invite code").fill(text);
    await page.keyboard.press("Enter");
  };
  await type("WRONGCODE");
  await page.waitForSelector(".problem");
  check((await deleted).status() === 204, "the guest of a wrong code stays");
  check(!(await page.evaluate(() => "do-dooni.tokens" in localStorage)), "its tokens stay");
  await page.getByRole("link", { name: "To the start page" }).click();
  await page.waitForSelector(".welcome");
  await type(code.toLowerCase());
  await sit(page, "Zoya");
  const zoya = host.locator(".lobby li", { hasText: "Zoya" });
  await zoya.getByRole("button", { name: "Remove" }).click();
  await zoya.waitFor({ state: "detached" });
  const said = [await page.locator(".problem").textContent()];
  await type(code);
  said.push(await page.locator(".problem").textContent()); // the old code has ended
  await type(await host.locator(".code").textContent());
  await page.getByRole("button", { name: "Sit down" }).click();
  said.push(await page.locator(".notice p").textContent());
  check(/removed you.*wrong or has expired.*removed you/.test(said.join()), said.join());
}

/** Somebody else's turn: the menu has a text for the family's chat. */
async function nudge(host) {
  await host.waitForSelector(".prompt");
  if (await host.locator(".calls .call").count()) await decide(host);
  await host.waitForFunction(() => /is thinking/.test(document.querySelector(".prompt")?.textContent ?? ""));
  await host.evaluate(() => Object.defineProperty(navigator, "share", { value: async (shared) => (globalThis.shared = shared) }));
  await host.locator(".top .icon").click();
  const found = [...(await axe(host)), ...(await misfits(host))];
  check(found.length === 0, found.join("\n"));
  await host.getByRole("button", { name: /^Nudge / }).click();
  const { text, url } = await host.evaluate(() => globalThis.shared);
  check(/^(Ravi|Meena|Kiran), it is your turn/.test(text) && url === host.url(), `${text} ${url}`);
  await host.keyboard.press("Escape");
}

/** Another game with the same people: asked for, taken from the start page and from the result, declined. */
async function rematch(host, [ravi, meena, kiran]) {
  await host.getByRole("button", { name: "Play again" }).click();
  await host.waitForFunction(() => document.querySelectorAll(".lobby .invited").length === 3);
  for (const page of [ravi, meena]) {
    await page.getByRole("link", { name: "My tables" }).click();
    await page.waitForSelector(".lobby li");
  }
  check((await ravi.locator(".lobby b").textContent()) === "Asha, Meena (invited), Kiran (invited)", "who plays again");
  const found = await axe(ravi);
  check(found.length === 0, found.join("\n"));
  await ravi.getByRole("button", { name: "Sit down" }).tap();
  await meena.getByRole("button", { name: "No, thanks" }).click();
  await meena.waitForFunction(() => document.querySelectorAll(".lobby").length === 0);
  await kiran.getByRole("button", { name: "Play again" }).click();
  await host.waitForFunction(() => document.querySelectorAll(".lobby .human").length === 3 && document.querySelectorAll(".lobby .empty").length === 1);
  await host.getByRole("button", { name: "Start now" }).click();
  await Promise.all([host, ravi, kiran].map((page) => page.waitForSelector(".hand")));
  await meena.locator(".tables a").first().click();
  await meena.waitForSelector(".final");
}

const proofs = {
  /** A solo deal by mouse, with its lessons; then a code to come back with, in place and on paper. */
  async mouse() {
    const page = await user({ settings: QUICK, colorScheme: "dark" });
    await firstDeal(page);
    const made = await playToTheEnd(page);
    check(made.lesson >= 6, `only ${made.lesson} lines of lessons`);
    check(made.card === 12 && made.call <= 1, JSON.stringify(made));
    await page.getByRole("button", { name: "Get my code" }).click();
    const code = await page.locator(".paper .code").textContent();
    await page.emulateMedia({ media: "print" });
    const printed = await page.locator("main").innerText();
    check(printed.includes(code) && printed.includes(`${new URL(base).host}/back`), printed);
    check(!/Play again|We called|Print/.test(printed), `on paper too: ${printed}`);
    check((await page.locator(".paper .code").evaluate((node) => getComputedStyle(node).color)) === "rgb(0, 0, 0)", "no ink");
    await page.emulateMedia({ media: "screen" });
    return { ...made, ...(await finished(page)) };
  },

  /** A coached deal on narrow and on low screens: nothing is wider than the screen, nothing covers a seat or a control. */
  async sizes() {
    const found = {};
    let looks = 0;
    const play = async ([size, screen]) => {
      const page = await user({ ...screen, settings: QUICK });
      const look = async (where) => {
        looks += 1;
        for (const misfit of await misfits(page)) (found[`${size}, ${where}`] ??= []).push(misfit);
      };
      await page.goto(base);
      await page.waitForSelector(".welcome");
      await look("welcome");
      await page.locator(".welcome .primary").click();
      for (;;) {
        const what = await next(page);
        await look(what);
        if ((await decide(page)) === "over") break;
      }
      await page.locator(".deals a").first().click();
      await page.waitForSelector(".proof .good");
      const at = () => page.locator(".stepper .btn").evaluateAll((buttons) => buttons.map((node) => node.getBoundingClientRect()).map(({ x, y }) => `${x},${y}`).join(" "));
      const places = new Set([await at()]);
      for (let step = 0; step < 13; step += 1) {
        await page.locator(".stepper .primary").click();
        places.add(await at());
      }
      check(places.size === 1, `${size}: the steps' buttons jump: ${[...places]}`);
      await look("replay");
    };
    await Promise.all(Object.entries(SIZES).map(play));
    check(Object.keys(found).length === 0, JSON.stringify(found, null, 1));
    return { looks };
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

  /** A coached deal with Enter and arrows alone: the focus goes to what is to be done, and back to where a dialog was
   * opened from; illegal cards say why. */
  async keyboard(deals = 1) {
    const page = await user({ settings: QUICK });
    await page.goto(base);
    await page.locator(".welcome .primary").focus();
    await page.keyboard.press("Enter");
    const focus = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? "");
    let refusals = 0;
    let dialogs = 0;
    for (let cards = 0; ; ) {
      const what = await decideByKeyboard(page);
      if (what === "over") break;
      check(!/^<body/.test(await focus()), `after ${what} the focus is nowhere`);
      if (what !== "card") continue;
      cards += 1;
      if ((await next(page)) !== "card") continue;
      if (dialogs++ === 0) {
        await page.locator(".top .icon").focus();
        await page.keyboard.press("Enter");
        await page.waitForSelector(".dialog h2:focus");
        await page.keyboard.press("Escape");
        await page.waitForSelector(".top .icon:focus");
        await page.locator(".hand .card[tabindex='0']").focus();
      }
      const names = await page.locator(".card.off").evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label")));
      check(names.every((text) => /not now\. Follow suit/.test(text)), `${names}`);
      refusals += names.length;
    }
    await page.waitForSelector("h1:focus");
    if (refusals === 0 && deals < 4) return this.keyboard(deals + 1); // whoever leads to every trick may play any card
    check(refusals > 0, "no card was ever refused");
    return { refusals, ...(await finished(page)) };
  },

  /** Four browsers through an invite link: one loses its network in mid-move, one reloads, one learns the game meanwhile.
   * Before it the host removes somebody, in it nudges, after it asks for another game: two take it, one declines. */
  async friends() {
    const settings = { ...QUICK, lessons: LESSONS };
    const host = await user({ settings });
    await host.goto(base);
    await host.getByRole("button", { name: "Play with friends" }).click();
    await host.getByLabel("Your name at the table").fill("Asha");
    await host.getByLabel("1", { exact: true }).check();
    await host.getByLabel("Strong").check();
    await host.getByRole("button", { name: "Make the table and invite" }).click();
    const sit = async (page, name) => {
      await page.getByLabel("Your name at the table").fill(name);
      await page.getByRole("button", { name: "Sit down" }).click();
      await page.waitForSelector(".lobby");
    };
    await removed(host, await host.locator(".code").textContent(), sit);
    const link = (await host.locator(".link").textContent()).trim();
    const guests = [];
    for (const guest of ["Ravi", "Meena", "Kiran"]) {
      const options = { Ravi: { ...PHONE, settings, quiet: true }, Meena: { settings }, Kiran: { settings: QUICK } }[guest];
      const page = await user(options);
      await page.goto(link);
      await sit(page, guest);
      guests.push(page);
    }
    const [ravi, meena, kiran] = guests;
    const all = [host, ...guests];
    await host.waitForFunction(() => document.querySelectorAll(".lobby .empty").length === 0);
    await host.getByRole("button", { name: "Start now" }).click();
    await nudge(host);
    let lost = 0;
    await ravi.route("**/moves/*", async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch(); // carried out, and the answer lost
      await ravi.context().setOffline(true);
      await route.abort();
      setTimeout(() => void ravi.context().setOffline(false), 1500);
    });
    let reloads = 0;
    let taught = 0;
    const plays = async (page) => {
      for (;;) {
        const what = await next(page);
        if (page === meena && what === "card" && reloads++ === 0) await page.reload();
        if (page === kiran && what === "lesson") {
          taught += 1;
          check(await page.locator(".prompt").isVisible(), "a lesson hides whose turn it is");
          const call = page.locator(".calls .call, .sers .call").first();
          if (await call.isVisible()) await call.click(); // nobody waits until a lesson is read
        }
        if ((await decide(page)) === "over") return;
      }
    };
    await Promise.all(all.map(plays));
    check(lost > 1 && reloads > 0 && taught > 2, `lost ${lost}, reloaded ${reloads}, taught ${taught}`);
    const finals = await Promise.all(all.map((page) => page.locator(".final b").allTextContents()));
    check(new Set(finals.map((scores) => scores.map(Number).sort().join())).size === 1, `${finals}`);
    const seen = await finished(kiran);
    await kiran.locator(".bar .icon").click();
    await rematch(host, guests);
    return { lost, reloads, taught, ...seen };
  },

  /** "Beat me": a friend plays the same cards from a link, and both see who did better; what is sent on tells no card. */
  async sets() {
    const settings = { ...QUICK, lessons: LESSONS };
    const cards = (page) => page.locator(".hand .card").evaluateAll((all) => all.map((card) => card.dataset.card).sort().join());
    const looked = async (page, where) => {
      const found = [...(await axe(page)), ...(await misfits(page))];
      check(found.length === 0, `${where}: ${found.join("\n")}`);
    };
    const share = (page) =>
      page.evaluate(() => {
        globalThis.shares = [];
        Object.defineProperty(navigator, "canShare", { value: () => true });
        Object.defineProperty(navigator, "share", { value: async (shared) => void globalThis.shares.push(shared) });
      });
    const asha = await user({ settings });
    await firstDeal(asha);
    await asha.waitForSelector(".calls .call");
    const hand = await cards(asha);
    await playToTheEnd(asha);
    await asha.getByRole("button", { name: /^Beat me/ }).click();
    await share(asha);
    await asha.getByLabel("Your name at the table").fill("Asha");
    await asha.getByRole("button", { name: "Send the challenge" }).click();
    await asha.waitForFunction(() => globalThis.shares.length === 1);
    const { text, url } = await asha.evaluate(() => globalThis.shares[0]);
    check(/\/t\/[2-9A-Z]{8}\?lang=en$/.test(url), url);
    check(!/[2-9TJQKA][SHDC]\b/.test(text), text);

    const ravi = await user({ ...PHONE, locale: "hi-IN", settings: { ...settings, language: undefined } });
    await ravi.goto(url);
    await ravi.getByText("A challenge from Asha").waitFor();
    await looked(ravi, "a challenge");
    await ravi.getByRole("button", { name: "हिन्दी" }).tap();
    await ravi.reload(); // a choice outlasts the link's language
    await ravi.getByText("Asha की चुनौती").waitFor();
    await ravi.getByRole("button", { name: "English" }).tap();
    await ravi.getByLabel("Your name at the table").fill("Ravi");
    await ravi.getByRole("button", { name: "Take it on" }).tap();
    await ravi.waitForSelector(".calls .call");
    check((await cards(ravi)) === hand, "other cards than those of the challenge");
    await playToTheEnd(ravi, (locator) => locator.tap());
    await ravi.getByRole("link", { name: "See how others did" }).tap();
    await ravi.waitForSelector(".ranks .mine");
    check((await ravi.locator(".ranks li").count()) === 2, "both are not listed");
    await looked(ravi, "the results");
    await share(ravi);
    await ravi.getByRole("button", { name: "As a picture" }).tap();
    await ravi.waitForFunction(() => globalThis.shares.length === 1);
    const picture = await ravi.evaluate(() => globalThis.shares[0].files[0].size);
    check(picture > 10_000, `a picture of ${picture} bytes`);

    const daily = await user({ settings });
    await daily.goto(base);
    await daily.getByRole("button", { name: "Today's deals" }).click();
    await looked(daily, "today's, before there is a player");
    await daily.getByRole("button", { name: "Play today's deals" }).click();
    await daily.waitForSelector(".hand");
    check(!(await daily.getByRole("button", { name: "Hint" }).count()), "hints in today's deals");
    await daily.goto(`${base}/daily`);
    await daily.getByText("4 deals to go").waitFor();
    await looked(daily, "today's, begun");
    await daily.goto(base);
    await daily.getByRole("heading", { name: "Your turn" }).waitFor();
    return { text, picture };
  },

  /** The bots that take a table's empty chairs are as good as its host chose. */
  async bots() {
    const page = await user({ settings: QUICK });
    await page.goto(`${base}/new`);
    await page.getByLabel("Your name at the table").fill("Asha");
    await page.getByLabel("Strong").check();
    await page.getByRole("button", { name: "Make the table and invite" }).click();
    await page.getByRole("button", { name: "Start now" }).click();
    await page.waitForSelector(".hand");
    const names = await page.locator(".who small").allTextContents();
    check(names.length === 3 && names.every((name) => name === "Strong bot"), `${names}`);
    return { names };
  },

  /** Who has no seat at a table that may be watched sees it from its south, without anybody's hand, move by move. */
  async watch() {
    const call = async (path, body, token, method = "POST") => {
      const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
      return (await fetch(`${base}/v1${path}`, { method, headers, body: JSON.stringify(body) })).json();
    };
    const { tokens } = await call("/players", { name: "Asha" });
    let { match } = await call("/matches", { deals: 1, spectators: true }, tokens.access_token);
    const page = await user({ settings: QUICK });
    await firstDeal(page);
    await page.waitForSelector(".hand");
    await page.goto(`${base}/m/${match.id}`);
    await page.waitForSelector(".seat.at-me");
    const names = await page.locator(".who b").allTextContents();
    check(names.sort().join() === "East,North,South,West", `${names}`);
    let watched = 0;
    for (let moves = 0; moves < 4; moves += 1) {
      const [move] = match.you.legal_moves;
      ({ match } = await call(`/matches/${match.id}/moves/${match.next_move}`, move, tokens.access_token, "PUT"));
      const card = match.deal.last_trick?.plays[0].card;
      if (card === undefined) continue;
      watched += 1;
      await page.waitForSelector("button.pile u, .pile.banking");
    }
    check((await page.locator(".hand, .calls .call, .hint").count()) === 0, "a watcher has something to play");
    check(/is thinking/.test(await page.locator(".prompt").textContent()), "whose turn is not said");
    const found = [...(await axe(page)), ...(await misfits(page))];
    check(found.length === 0, found.join("\n"));
    return { watched };
  },

  /** Without a network the page opens and shows the last own view; one move waits, says so, and goes out later. */
  async offline() {
    const page = await user({ ...PHONE, settings: { ...QUICK, lessons: LESSONS }, quiet: true });
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
    const phone = await user({ ...PHONE, settings: QUICK, quiet: true });
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
    await phone.getByRole("button", { name: "Get a code for the other phone" }).click(); // a kept code signs others out
    await phone.waitForSelector("h1:focus");
    const heading = await phone.locator("h1").evaluate((node) => getComputedStyle(node));
    check(heading.outlineStyle === "none" && heading.boxShadow === "none", "the heading has a frame");
    check(/signed out/.test(await phone.locator(".notice").textContent()), "a sign-out from afar is not said");
    await other.goto(`${base}/devices`);
    await other.getByRole("button", { name: "Delete my player" }).click();
    await other.getByText("This player was deleted.").waitFor();
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
    const table = page.url();
    await page.locator(".actions .primary").first().click();
    await page.waitForSelector(".final + .deals");
    await look("own challenge");
    await page.goto(table);
    await page.locator(".deals a").first().click();
    await page.waitForSelector(".proof summary");
    await look("replay");
    await visit("/settings", ".form");
    await visit("/devices", ".danger");
    await visit("/daily", ".lead");
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
