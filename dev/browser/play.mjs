// How people play: with a mouse, with a finger, with the keyboard alone.
const DECISION = ".lesson .primary, .calls .call, .sers .call, .card.legal, .scored .primary, .final";
const LONGEST = 90_000; // milliseconds until the next decision

/** Waits until the player has something to do; what it is. */
export async function next(page) {
  await page.waitForSelector(DECISION, { timeout: LONGEST });
  for (const [what, selector] of [
    ["over", ".final"],
    ["lesson", ".lesson .primary"],
    ["scored", ".scored .primary"],
    ["call", ".calls .call"],
    ["ser", ".sers .call"],
    ["card", ".card.legal"],
  ]) {
    if (await page.$(selector)) return what;
  }
  return "gone";
}

/** One decision by pointer; `press` is a click or a tap. */
export async function decide(page, press = (locator) => locator.click()) {
  const what = await next(page);
  const first = (selector) => page.locator(selector).first();
  try {
    if (what === "lesson") await press(first(".lesson .primary"));
    if (what === "scored") await press(first(".scored .primary"));
    if (what === "call") await press(first(".calls .call"));
    if (what === "ser") await press(first(".sers .call"));
    if (what === "card") {
      const name = await first(".card.legal").getAttribute("data-card");
      const card = page.locator(`.hand [data-card="${name}"]`);
      if (!(await card.evaluate((node) => node.classList.contains("lifted")))) await press(card);
      await press(card);
      await card.waitFor({ state: "detached" });
    }
  } catch (fault) {
    if (!/detached|not attached|Timeout/.test(fault.message)) throw fault; // the table went on meanwhile
  }
  return what;
}

export async function playToTheEnd(page, press) {
  const made = { lesson: 0, scored: 0, call: 0, ser: 0, card: 0, gone: 0 };
  for (;;) {
    const what = await decide(page, press);
    if (what === "over") return made;
    made[what] += 1;
  }
}

/** One decision with arrows and Enter alone: the focus is on it already. */
export async function decideByKeyboard(page) {
  const what = await next(page);
  const focused = { lesson: ".lesson .primary", scored: ".scored .primary", call: ".calls .call", ser: ".sers .call", card: ".hand .card" }[what];
  if (focused === undefined) return what;
  await page
    .waitForFunction((wanted) => document.activeElement?.matches(wanted), focused, { timeout: 5000 })
    .catch(async () => {
      throw new Error(`${what}: the focus is on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`);
    });
  if (what === "card") {
    for (let presses = 0; presses < 14; presses += 1) {
      if (await page.evaluate(() => document.activeElement?.matches(".card.legal"))) break;
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Enter");
  return what;
}
