// How the run of a recording ended: in the head of the page, at its last step, in the summary.
import { holds, same } from "./bench.mjs";

const DEADLOCK = `
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *other(void *unused) {
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second);
}
`;

const LINES = [
  "main waits for lock second, which main.1 holds, at stuck.c:17",
  "main.1 waits for lock first, which main holds, at stuck.c:8",
];

/** The lines of a list or of the rows of the summary, one blank for any. */
const lines = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((each) => each.textContent.replace(/\s+/g, " ")));

/** Is all of its text within the window, and in a colour that can be read? */
async function isReadable(page, selector, what) {
  const seen = await page.locator(selector).evaluate((it) => {
    const box = it.getBoundingClientRect();
    const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (colour) => {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      return [...brush.getImageData(0, 0, 1, 1).data];
    };
    const light = (colour) => {
      const part = rgb(colour).slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    let behind = it;
    while (behind.parentElement && rgb(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
    const [a, b] = [light(getComputedStyle(it).color), light(getComputedStyle(behind).backgroundColor)];
    return { left: box.left, right: box.right, height: box.height, cut: it.scrollWidth > it.clientWidth + 1, contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
  });
  const width = page.viewportSize().width;
  holds(seen.height > 0 && seen.left >= 0 && seen.right <= width, `${what}: from ${seen.left} to ${seen.right} of ${width}`);
  holds(!seen.cut, `${what}: cut off`);
  holds(seen.contrast >= 4.5, `${what}: contrast ${seen.contrast}`);
}

async function deadlock(bench) {
  bench.write("stuck.c", DEADLOCK);
  bench.run("cc", "-O1", "-o", "stuck", "stuck.c");
  bench.run("record", "-o", "stuck.htr", "--", "./stuck");
  bench.run("view", "--html=stuck.html", "stuck.htr");
  const address = `file://${bench.folder}/stuck.html`;
  for (const [width, height] of [[1400, 900], [500, 900]])
    for (const colorScheme of process.env.TEST_BUILDS === "few" ? [width === 500 ? "dark" : "light"] : ["light", "dark"]) {
      const what = `${width}, ${colorScheme}`;
      const page = await bench.page(address, { viewport: { width, height }, colorScheme });
      same(await page.textContent("#ended"), "The run ended: deadlock: every thread waits", what);
      await isReadable(page, "#ended", `${what}: the head`);
      same(await page.locator("#ended-here").count(), 0, `${what}: before the end`);
      await page.keyboard.press("End");
      same(await page.textContent("#ended-here"), "Here the run ended: deadlock: every thread waits.", what);
      same(await lines(page, ".stuck li"), LINES, what);
      await isReadable(page, "#ended-here", `${what}: the last step`);
      await isReadable(page, ".stuck", `${what}: who waits`);
      same((await lines(page, "#threads tbody td:nth-child(3)"))[0], "waits: lock second", `${what}: threads`);
      await bench.shot(page, `ended-${width}-${colorScheme}`);
      await page.click("#tab-summary");
      const summary = await lines(page, "#summary dd");
      for (const line of LINES) holds(summary.includes(line.replace(/^\S+ /, "")), `${what}: the summary says ${summary}`);
      await isReadable(page, "#summary", `${what}: the summary`);
      await bench.shot(page, `ended-summary-${width}-${colorScheme}`);
    }
}

/** Other ends, and none. */
async function others(bench) {
  const ends = [
    ["exit 0", "exit status 0", "good"],
    ["exit 3", "exit status 3", ""],
    ["signal 6", "killed by signal 6, Aborted", ""],
    ["stopped 15", "ended with the recorder, by signal 15, Terminated", ""],
    ["limit", null, ""],
  ];
  for (const [how, text, look] of process.env.TEST_BUILDS === "few" ? ends.slice(1, 3) : ends) {
    bench.write("ended.std", `main|w(x)|a.c:1\n# heddle: ended ${how}\n`);
    bench.run("view", "--html=ended.html", "ended.std");
    const page = await bench.page(`file://${bench.folder}/ended.html`);
    const shown = await page.textContent("#ended");
    if (text) same(shown, `The run ended: ${text}`, how);
    holds(shown.length > "The run ended: ".length, how);
    same((await page.getAttribute("#ended", "class")) ?? "", look, how);
    await page.keyboard.press("End");
    holds((await page.textContent("#ended-here")).startsWith("Here the run ended: "), how);
    await bench.closePages();
  }
  bench.write("open.std", "main|w(x)|a.c:1\n");
  bench.run("view", "--html=open.html", "open.std");
  const page = await bench.page(`file://${bench.folder}/open.html`);
  await page.keyboard.press("End");
  same([await page.locator("#ended").isVisible(), await page.locator("#ended-here").count()], [false, 0], "not known");
}

/** A reordering did not end so. */
async function witness(bench) {
  bench.write("race.std", "main|fork(a)|a.c:1\nmain|w(x)|a.c:2\na|w(x)|a.c:3\nmain|join(a)|a.c:4\n# heddle: ended exit 1\n");
  const { address } = bench.answer("race", "race.std");
  const page = await bench.page(address);
  same(await page.textContent("#ended"), "The run ended: exit status 1", "the head");
  await page.keyboard.press("End");
  same(await page.locator("#ended-here").count(), 0, "at the end of the witness");
  await page.keyboard.press("o");
  await page.keyboard.press("End");
  same(await page.textContent("#ended-here"), "Here the run ended: exit status 1.", "at the end of the run");
}

export const cases = [
  ["a deadlock, wide and narrow, light and dark", deadlock],
  ["exit, signal, limit, not known", others],
  ["only the observed run has it", witness],
];
