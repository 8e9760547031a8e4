// Names are text, whatever they hold.
import { holds, same, walk } from "./bench.mjs";
import { tableRows } from "./findings.mjs";

const MARKUP = "<script>throw 1</script><style>body{display:none}</style>";
const CLOSING = "</script><!--<script>]]>&lt;\"'`${1}";
const LOADING = "<img src=x onerror=document.hacked=1>";

async function markup(bench) {
  bench.write("names.std", `${MARKUP}|w(${CLOSING})|${LOADING}.c:1\nb|w(${CLOSING})|b"><svg onload=document.hacked=1>.c:2\n`);
  const { json, address } = bench.answer("race", "names.std");
  const page = await bench.page(address);
  same(json.findings.length, 1, "findings");
  for (const key of ["ArrowLeft", "End", "2", "3", "1"]) await page.keyboard.press(key);
  same(await page.evaluate(() => document.hacked), undefined, "nothing of it ran");
  same(await page.evaluate(() => document.querySelectorAll("img, svg[onload], script:not(:last-of-type)").length), 0, "no element of it");
  holds((await page.textContent("#threads")).includes(MARKUP.slice(0, 20)), "it shows as text");
  holds((await tableRows(page, "findings"))[0][2].startsWith("</script><!--"), "and in the table");
}

async function control(bench) {
  const thread = "t\u0001\u0007\u001b[31m\u202eevil\u200b";
  bench.write("names.std", `${thread}|w(x\u007f\t)|a\u0000.c:1\n`.replace("\u0000", "\u0002") + "b|w(x\u007f\t)|b.c:1\n");
  const { address } = bench.answer("race", "names.std");
  const page = await bench.page(address);
  const text = await page.evaluate(() => document.body.innerText);
  holds(text.includes("t\\u0001\\u0007\\u001b[31m\\u202eevil\\u200b"), "control characters are written out");
  // eslint-disable-next-line no-control-regex
  holds(!/[\u0000-\u0008\u000b-\u001f\u007f\u202e\u200b]/.test(text), "and none is in the page as it is");
}

async function bytes(bench) {
  bench.write("names.std", Buffer.concat([Buffer.from("t|w(x"), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from(")|a.c:1\n")]));
  bench.run("view", "--html=bytes.html", "names.std");
  const page = await bench.page(`file://${bench.folder}/bytes.html`);
  holds((await walk(page))[1].sentence.includes("w(x\\ufffd"), "bytes that are no UTF-8");
}

async function long(bench) {
  const name = "n".repeat(1 << 20);
  bench.write("names.std", `${name}|w(x${name})|${name}:1\nb|w(x${name})|b.c:1\n`);
  const { address } = bench.answer("race", "names.std");
  const page = await bench.page(address);
  await page.keyboard.press("End");
  await page.keyboard.press("3");
  const longest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("body *:not(script)")].filter((e) => !e.children.length).map((e) => e.textContent.length)));
  holds(longest < 700, `the longest text has ${longest} characters`);
  holds((await page.textContent("#threads")).includes("nnnnnnnnnn…"), "it is cut, and says so");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  holds(wide <= 0, "the page is no wider than the window");
  await bench.shot(page, "hostile");
}

async function values(bench) {
  bench.write("values.std", "a|w(x=9007199254740993)|a.c:1\na|r(x=9007199254740993)|a.c:2\na|w(x=-9223372036854775808)|a.c:3\n");
  bench.run("view", "--html=values.html", "values.std");
  const steps = await walk(await bench.page(`file://${bench.folder}/values.html`));
  same(steps[1].values, [["x", "9007199254740993", "1 a"]], "a value that no double holds");
  same(steps[3].values, [["x", "-9223372036854775808", "3 a"]], "the least value");
}

export const cases = [
  ["markup", markup],
  ["control characters", control],
  ["bytes that are not UTF-8", bytes],
  ["a megabyte", long],
  ["values of 64 bits", values],
];
