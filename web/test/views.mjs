// The timeline: what is drawn where.  The canvas is asked for its colours at places.
import { holds, same } from "./bench.mjs";

async function mouse(bench) {
  const { address } = bench.answer("race", bench.example("race/hidden.std"));
  const page = await bench.page(address);
  const canvas = page.locator("section.pane:last-of-type canvas");
  const box = await canvas.boundingBox();
  // Eight events between the labels and the right edge, the first thread's four first.
  const x = (n) => 120 + ((n - 0.5) * (box.width - 12 - 120)) / 8;
  const lane = Math.min(76, Math.max(42, Math.floor((box.height - 24) / 2)));
  for (const [event, row] of [[1, 0], [3, 0], [6, 1], [8, 1]]) {
    await canvas.click({ position: { x: x(event), y: 24 + (row + 0.5) * lane } });
    const chosen = /^event (\d+)/.exec(await page.textContent("#step-body .note"))[1];
    same(chosen, String(event), "the event that was clicked");
  }
}

/** Zooming at an event leaves it under the pointer; all is shown again by 0. */
async function zooming(bench) {
  bench.run("generate", "bank", "3", "200", "--seed=2", "--output=zoom.std");
  bench.run("view", "--html=zoom.html", "zoom.std");
  const page = await bench.page(`file://${bench.folder}/zoom.html`);
  const canvas = page.locator("section.pane:not([hidden]) canvas");
  const picture = () => canvas.evaluate((c) => c.toDataURL());
  const settled = () => page.waitForTimeout(60);
  await settled();
  const far = await picture();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -200);
  await settled();
  const near = await picture();
  holds(near !== far, "the wheel zooms");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 200, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await settled();
  holds((await picture()) !== near, "dragging moves");
  await page.keyboard.press("0");
  await settled();
  await bench.shot(page, "far");
  for (const key of ["+", "+", "+", "+", "+", "+"]) await page.keyboard.press(key);
  await settled();
  await bench.shot(page, "near");
  await page.keyboard.press("-");
  for (let i = 0; i < 8; i++) await page.keyboard.press("-");
  await settled();
  same((await picture()) === far, true, "keys zoom out to the same picture");
}

async function layers(bench) {
  const { address } = bench.answer("race", bench.example("race/hidden.std"));
  const page = await bench.page(address);
  const canvas = page.locator("section.pane:last-of-type canvas");
  for (const name of ["locks", "path"]) {
    await page.waitForTimeout(60);
    const with_ = await canvas.evaluate((c) => c.toDataURL());
    await page.uncheck(`#layer-${name}`);
    await page.waitForTimeout(60);
    holds((await canvas.evaluate((c) => c.toDataURL())) !== with_, `without ${name} the picture is another`);
  }
}

/** Sources beside the page: the line of the event, and those that the finding is about. */
async function sources(bench) {
  bench.write("a.c", "one\ntwo\nthree\nfour\n");
  bench.write("b.c", Array.from({ length: 3000 }, (_, i) => `line ${i + 1}`).join("\n"));
  bench.write("lines.std", "a|w(x)|a.c:2\nb|w(x)|b.c:2500\n");
  const { address } = bench.answer("race", "lines.std");
  const page = await bench.page(address);
  const current = () => page.textContent("#source [aria-current] code");
  await page.keyboard.press("f");
  same(await current(), "two", "the line of the first access");
  await page.keyboard.press("ArrowRight");
  same(await current(), "line 2500", "the line of the second");
  holds(await page.locator("#source [aria-current]").isVisible(), "it is in sight");
  same(await page.$$eval("#source li.fault", (items) => items.map((item) => item.dataset.line)), ["2500"], "marked lines");
}

/** A link to a finding and a step. */
async function links(bench) {
  const { address } = bench.answer("nondet", bench.example("bank/bank.std"));
  const page = await bench.page(`${address}#finding=2&step=3`);
  same((await page.textContent("#position-text")).split(" ")[0], "3", "the step");
  same(await page.getAttribute("#findings .row[aria-rowindex='3']", "aria-selected"), "true", "the finding");
}

const LONG = Array.from({ length: 4 }, (_, i) => `thread_of_the_connection_pool_number_${i}_that_serves_clients`);

/** Long names, lines and values: nothing overlaps, and what is cut can be scrolled to. */
async function longNames(bench) {
  bench.write("long.c", Array.from({ length: 9 }, (_, i) => "x".repeat(1500) + i).join("\n"));
  const source = "a_long_path/to_a_source_with/a_rather_long_name.c";
  const lines = LONG.map((name, i) => `${name}|w(a_variable_with_a_long_name[${i % 2}].and_a_long_member=187649984473770)|${i ? source : "long.c"}:${i + 1}\n`);
  bench.write("long.std", lines.join(""));
  const { address } = bench.answer("race", "long.std");
  for (const [width, height] of [[1400, 900], [500, 800]]) {
    const page = await bench.page(address, { viewport: { width, height } });
    await page.keyboard.press("f");
    const seen = await page.evaluate(() => {
      const wide = (element) => element.scrollWidth - element.clientWidth;
      const list = document.querySelector("#source ol");
      const boxes = [...document.querySelectorAll("#threads td, #values td")].map((cell) => wide(cell));
      return { page: wide(document.documentElement), boxes: Math.max(...boxes), source: wide(list), overflow: getComputedStyle(list).overflowX };
    });
    holds(seen.page <= 0, `at ${width} the page is no wider than the window`);
    holds(seen.boxes <= 0, `at ${width} no cell of the tables is wider than its column`);
    const outside = await page.evaluate(() => [...document.querySelectorAll("#schedule .row .place, #findings .row .place")].filter((place) => {
      const range = document.createRange();
      range.selectNode(place.lastChild); // the line
      return range.getBoundingClientRect().right > place.parentElement.getBoundingClientRect().right + 1;
    }).map((place) => place.textContent));
    same(outside, [], `at ${width} lines that are cut off`);
    holds((await page.locator("#schedule .row .place").count()) > 1, "places are there");
    holds(seen.source > 5000 && seen.overflow === "scroll", `at ${width} long lines can be scrolled to`);
    holds((await page.textContent("#values")).includes("0xaaaaaaaaaaaa"), "addresses are hexadecimal");
    await bench.shot(page, `long-${width}`);
  }
}

/** On a narrow window the findings come first. */
async function narrow(bench) {
  const { address } = bench.answer("race", bench.example("race/hidden.std"));
  const page = await bench.page(address, { viewport: { width: 500, height: 800 } });
  const box = await page.locator("#findings .row[aria-rowindex='2']").boundingBox();
  holds(box.y + box.height < 400, `the first finding is at ${box.y}`);
  await page.click("#findings .row[aria-rowindex='2']");
  holds((await page.locator("section.pane canvas").first().boundingBox()).y < 800, "and the timeline begins below it");
  const empty = await bench.page(bench.answer("view", bench.example("race/hidden.std")).address, { viewport: { width: 500, height: 800 } });
  const top = (await empty.locator("section.pane:not([hidden]) canvas").first().boundingBox()).y;
  holds(top < 260, `without a finding the timeline begins at ${top}`);
}

/** The page of `view --serve`, and nothing for a name that only points here. */
async function served(bench) {
  bench.write("served.std", "a|w(x)|a.c:1\nb|w(x)|b.c:2\n");
  const server = bench.start("view", "--serve", "served.std");
  try {
    const address = await new Promise((found) => server.stdout.once("data", (text) => found(String(text).trim())));
    const page = await bench.page(address);
    holds((await page.textContent("#title")).includes("served.std"), "the page is there");
    const answer = await fetch(address.replace("127.0.0.1", "localhost"));
    same(answer.status, 200, "by its name");
    const other = await bench.browser.newContext();
    const large = await other.newPage();
    await large.setExtraHTTPHeaders({ "X-Long": "x".repeat(1 << 15) });
    same((await large.goto(address)).status(), 431, "a head that is too large");
    await other.close();
  } finally {
    server.kill();
  }
}

export const cases = [
  ["a click chooses the event", mouse],
  ["zoom and drag", zooming],
  ["layers", layers],
  ["sources", sources],
  ["links", links],
  ["long names", longNames],
  ["a narrow window", narrow],
  ["served to the browser", served],
];
