// The pages that heddle writes, in a real browser.  TAP, one line a test.
//
//     node test/run.mjs [--heddle PATH] [--filter TEXT] [--shots FOLDER]
//
// Each file of cases has a list of [name, function]; a function gets the bench (bench.mjs) and fails
// by throwing.  --shots keeps a picture of each view.  With TEST_BUILDS=few in the environment the speed
// is not measured, and some tests look at fewer pages.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Bench } from "./bench.mjs";

const { values: options } = parseArgs({
  options: { heddle: { type: "string" }, filter: { type: "string", default: "" }, shots: { type: "string" } },
});
const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const heddle = resolve(options.heddle ?? `${root}/build/heddle`);
if (options.shots) mkdirSync(options.shots, { recursive: true });

const SLOW = 3000;
const files = ["findings", "ended", "steps", "hostile", "keys", "states", "views"];
if (process.env.TEST_BUILDS !== "few") files.push("speed");
const cases = [];
for (const file of files) {
  const module = await import(`./${file}.mjs`);
  for (const [name, test] of module.cases) cases.push([`${file}: ${name}`, test]);
}
const chosen = cases.filter(([name]) => name.includes(options.filter));
const bench = await Bench.open(heddle, root, options.shots && resolve(options.shots));
console.log(`1..${chosen.length}`);
let failed = 0;
for (const [i, [name, test]] of chosen.entries()) {
  let wrong = "";
  const started = Date.now();
  try {
    await test(bench);
    wrong = bench.complaints();
  } catch (error) {
    wrong = String(error.stack ?? error);
    bench.complaints();
  }
  await bench.closePages();
  failed += wrong ? 1 : 0;
  console.log(`${wrong ? "not ok" : "ok"} ${i + 1} - ${name}`);
  if (Date.now() - started > SLOW) console.log(`# ${((Date.now() - started) / 1000).toFixed(1)} s`);
  if (wrong) console.log(wrong.replace(/^/gm, "# "));
}
await bench.close();
process.exit(failed ? 1 : 0);
