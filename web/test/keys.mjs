// The keyboard alone, landmarks and names for screen readers, light and dark.
import { holds, same } from "./bench.mjs";

async function open(bench, options) {
  const { address } = bench.answer("nondet", bench.example("bank/bank.std"));
  return bench.page(address, options);
}

const position = (page) => page.textContent("#position-text");

async function stepping(bench) {
  const page = await open(bench);
  await page.keyboard.press("Home");
  const at = [await position(page)];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "]", "[", "End", "f"]) {
    await page.keyboard.press(key);
    at.push(await position(page));
  }
  const most = Number(at[6].split(" of ")[1]);
  same(at.slice(0, 4), ["0", "1", "2", "1"].map((n) => `${n} of ${most}`), "steps");
  holds(Number(at[4].split(" ")[0]) > 1 && Number(at[5].split(" ")[0]) < Number(at[4].split(" ")[0]), `switches: ${at}`);
  same(at[6], `${most} of ${most}`, "end");
  // The other order, from the same event.
  const event = (await page.textContent("#step-body .note")).split(" ·")[0];
  await page.keyboard.press("o");
  same((await page.textContent("#step-body .note")).split(" ·")[0], event, "the same event in the observed order");
  holds((await page.textContent("#schedule-title")).includes("observed"), "the observed order is listed");
}

async function searching(bench) {
  const page = await open(bench);
  await page.keyboard.press("o");
  await page.keyboard.press("Home");
  await page.keyboard.press("/");
  await page.keyboard.type("acq bob");
  const found = Number((await page.textContent("#search-count")).split(" ")[0]);
  holds(found > 1, "there are matches");
  const seen = [];
  for (let i = 0; i <= found; i++) {
    if (i === 1) await page.keyboard.press("Escape");
    await page.keyboard.press(i ? "n" : "Enter");
    seen.push(await page.textContent("#step-body .sentence"));
  }
  holds(seen.every((text) => /acq\(.*bob.*\)/.test(text)), seen.join("\n"));
  same(seen[found], seen[0], "around the end");
  await page.fill("#search-text", "#3");
  same(await page.textContent("#search-count"), "1 match", "an event by number");
  await page.fill("#search-text", "no such thing");
  same(await page.textContent("#search-count"), "0 matches", "no match");
}

async function byTab(bench) {
  const page = await open(bench);
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => {
      const e = document.activeElement;
      const box = e.getBoundingClientRect();
      return { name: e.id || e.tagName + (e.closest("[id]")?.id ?? ""), visible: box.width > 0 || e.tagName === "BODY" };
    });
    holds(here.visible, `${here.name} has the focus and is not to be seen`);
    seen.add(here.name);
  }
  for (const id of ["search-text", "theme", "help", "filter", "rule", "tab-timeline", "forward", "position", "CANVAStimeline", "DIVfindings", "DIVschedule"])
    holds(seen.has(id), `Tab does not come to ${id}: ${[...seen]}`);
  // The tables go by arrows.
  await page.focus("#findings .rows");
  await page.keyboard.press("ArrowDown");
  // It is drawn at the next frame.
  await page.waitForSelector("#findings .row[aria-rowindex='3'][aria-selected='true']", { timeout: 5000 });
  await page.focus("#schedule .rows");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  same((await position(page)).split(" ")[0], "1", "the first event");
  // The dialog opens, keeps the keys to itself and closes.
  await page.keyboard.press("?");
  holds(await page.evaluate(() => document.getElementById("keys").open), "the list of keys is open");
  await page.keyboard.press("ArrowRight");
  same((await position(page)).split(" ")[0], "1", "no step behind the dialog");
  await bench.shot(page, "keys");
  await page.keyboard.press("Escape");
  holds(!(await page.evaluate(() => document.getElementById("keys").open)), "and closed");
  await page.focus("#tab-timeline");
  await page.keyboard.press("ArrowRight");
  same(await page.evaluate(() => document.activeElement.id), "tab-states", "tabs go by arrows");
}

async function readers(bench) {
  const page = await open(bench);
  for (const [role, name] of [["banner", ""], ["navigation", "Findings and schedule"], ["main", "Timeline"], ["complementary", "State at this step"], ["search", "Search events"], ["toolbar", "Steps through the schedule"]]) {
    const found = name ? page.getByRole(role, { name, exact: true }) : page.getByRole(role);
    same(await found.count(), 1, `${role} "${name}"`);
  }
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, canvas, [role=grid], [role=img]")]
      .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.title || e.labels?.length))
      .map((e) => e.outerHTML.slice(0, 80)),
  );
  same(nameless, [], "elements without a name");
  const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
  same(ids.length, new Set(ids).size, "ids are unique");
  const levels = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3")].map((e) => e.tagName));
  same(levels[0], "H1", "the first heading");
  await page.keyboard.press("ArrowLeft");
  holds(/^Step \d+ of \d+\. \S+: .*\./.test(await page.textContent("#live")), "a step is announced");
  same(await page.getAttribute("html", "lang"), "en", "language");
}

/** Contrast of text and what is behind it, as in WCAG. */
async function contrast(page) {
  return page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const probe = document.createElement("span");
    document.body.append(probe);
    const colour = (name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    const result = {};
    for (const back of ["back", "panel"]) for (const front of ["text", "soft", "bad", "accent"]) result[`${front} on ${back}`] = ratio(colour(front), colour(back));
    probe.remove();
    return result;
  });
}

async function themes(bench) {
  for (const scheme of process.env.TEST_BUILDS === "few" ? ["dark"] : ["light", "dark"]) {
    const page = await open(bench, { colorScheme: scheme });
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    same(await back(), scheme === "light" ? "rgb(255, 255, 255)" : "rgb(20, 23, 29)", `background, ${scheme}`);
    for (const [what, ratio] of Object.entries(await contrast(page))) holds(ratio >= 4.5, `${scheme}: ${what} has a contrast of ${ratio.toFixed(2)}`);
    await bench.shot(page, `theme-${scheme}`);
    // t: light, then dark, then as the system.
    await page.keyboard.press("t");
    same(await back(), "rgb(255, 255, 255)", "light by key");
    await page.keyboard.press("t");
    same(await back(), "rgb(20, 23, 29)", "dark by key");
  }
}

async function narrow(bench) {
  const page = await open(bench, { viewport: { width: 420, height: 800 } });
  holds(await page.isVisible("#timeline canvas"), "the timeline is there");
  holds((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "nothing sticks out");
  await bench.shot(page, "narrow");
}

export const cases = [
  ["stepping", stepping],
  ["searching", searching],
  ["Tab, arrows and the dialog", byTab],
  ["landmarks and names", readers],
  ["light and dark", themes],
  ["a narrow window", narrow],
];
