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

export const cases = [
  ["a click chooses the event", mouse],
  ["zoom and drag", zooming],
  ["layers", layers],
  ["sources", sources],
  ["links", links],
];
