// What a page shows of findings is what --json says.
import { holds, same, walk } from "./bench.mjs";

/** The rows of a virtual table, gathered by scrolling through it. */
export async function tableRows(page, id) {
  return page.evaluate(async (name) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const body = document.querySelector(`#${name} .rows`);
    const found = new Map();
    for (let top = 0; top <= body.scrollHeight; top += Math.max(26, body.clientHeight)) {
      body.scrollTop = top;
      await frame();
      for (const row of body.querySelectorAll(".row")) found.set(Number(row.getAttribute("aria-rowindex")), [...row.children].map((cell) => cell.textContent));
    }
    body.scrollTop = 0;
    await frame();
    return [...found].sort((a, b) => a[0] - b[0]).map(([, cells]) => cells);
  }, id);
}

const few = process.env.TEST_BUILDS === "few";

/** Whether a finding is looked at: with TEST_BUILDS=few the first one is, and the last. */
const isChosen = (findings, i) => !few || i === 0 || i === findings.length - 1;

/** Opens each finding by key and steps through it: the schedule, then what is next. */
async function eachSchedule(page, findings, next, message) {
  for (const [i, finding] of findings.entries()) {
    if (i) await page.keyboard.press("j");
    if (!isChosen(findings, i)) continue;
    const steps = await walk(page);
    same(steps.map((step) => step.event), [0, ...finding.schedule, ...next(finding)], `schedule of finding ${i + 1}`);
    same(steps.filter((step) => step.next).map((step) => step.event), next(finding), `what is next after finding ${i + 1}`);
    holds(steps[steps.length - 1].fault.includes(message(finding)), `the end of finding ${i + 1} says "${steps[steps.length - 1].fault}"`);
  }
}

async function race(bench) {
  const { json, address } = bench.answer("race", bench.example("race/hidden.std"));
  const page = await bench.page(address);
  same(json.findings.length, 1, "findings");
  same((await tableRows(page, "findings"))[0], ["1", "race", "x", "a.c:1, b.c:4"], "row");
  await eachSchedule(page, json.findings, (f) => [f.first, f.second], (f) => f.message);
  await page.keyboard.press("f");
  same(await page.textContent("#position-text"), "4 of 5", "where the finding is");
  await bench.shot(page, "race");
}

async function manyRaces(bench) {
  bench.run("generate", "locks", "4", "60", "--seed=3", "--output=locks.std");
  const { json, address } = bench.answer("race", "--all", "locks.std");
  holds(json.findings.length > 5, `${json.findings.length} races are too few to test with`);
  const page = await bench.page(address);
  const rows = await tableRows(page, "findings");
  same(rows.map((row) => row[2]), json.findings.map((f) => f.variable), "variables");
  await eachSchedule(page, json.findings, (f) => [f.first, f.second], (f) => f.message);
}

async function nondet(bench) {
  const { json, address } = bench.answer("nondet", bench.example("bank/bank.std"));
  holds(json.findings.length > 1, "too few to test with");
  const page = await bench.page(address);
  same((await tableRows(page, "findings")).length, json.findings.length, "findings");
  const next = (f) => (f.read === "final" ? [] : [f.read]);
  await eachSchedule(page, json.findings, next, (f) => f.message);
  // The last step of a read tells which write it sees, and which it saw.
  for (const [i, finding] of json.findings.entries()) {
    if (finding.read === "final" || !isChosen(json.findings, i)) continue;
    const fresh = await bench.page(`${address}#finding=${i + 1}`);
    await fresh.keyboard.press("f");
    const said = await fresh.textContent("#step-body .differs");
    const name = (event) => (event ? `event ${event},` : "the initial value");
    holds(said.includes(`It sees ${name(finding.sees)}`) && said.includes(`it saw ${name(finding.writer)}`), `finding ${i + 1}: ${said}`);
  }
  await bench.shot(page, "nondet");
}

async function deadlock(bench) {
  const { json, address } = bench.answer("deadlock", bench.example("race/philosophers.std"));
  const page = await bench.page(address);
  await eachSchedule(page, json.findings, (f) => f.acquires, (f) => f.message);
  await page.keyboard.press("f");
  const said = await page.textContent("#step-body .sentence");
  holds(/waits for lock/.test(said), said);
  await bench.shot(page, "deadlock");
}

async function exploreModel(bench) {
  const { json, address } = bench.answer("explore", bench.example("models/peterson-broken.hdm"));
  const page = await bench.page(address);
  const [finding] = json.findings;
  same((await tableRows(page, "findings"))[0].slice(0, 2), ["1", finding.rule], "row");
  const steps = await walk(page);
  holds(steps[steps.length - 1].fault.includes(finding.message), `the end says "${steps[steps.length - 1].fault}"`);
  holds((await page.textContent("#source [aria-current] code")).includes("assert"), "the source shows the assertion");
  await bench.shot(page, "explore-model");
}

async function exploreProgram(bench) {
  bench.example("programs/bank.c");
  bench.run("cc", "-O1", "-o", "bank", "bank.c");
  const { json, address } = bench.answer("explore", "./bank");
  const page = await bench.page(address);
  const steps = await walk(page);
  const waits = await page.$$eval("#step-body tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  same(
    waits,
    json.findings[0].waits.map((w) => [w.thread, w.statement, w.holder ? `${w.lock}, held by ${w.holder}` : "–"]),
    "who waits",
  );
  const last = steps[steps.length - 1];
  same(last.threads.filter((row) => row[1] !== "–").length, 3, "threads that hold a lock at the end");
  holds((await page.textContent("#source [aria-current] code")).includes("pthread_mutex_lock"), "the source shows the acquire");
  await bench.shot(page, "explore-program");
}

async function detect(bench) {
  const { json, address } = bench.answer("detect", bench.example("race/hidden.std"), "pos(a) >= 2 && pos(b) >= 1");
  const page = await bench.page(address);
  await eachSchedule(page, json.findings, () => [], () => json.result.predicate);
  await page.keyboard.press("2");
  const counts = Object.entries(json.findings[0].state).map(([thread, count]) => `${thread} ${count}`);
  same(await page.evaluate(() => document.querySelector("#states .state.here title").textContent), counts.join(", "), "the state");
}

/** Everything in one page: a run, schedules of several traces, and what is there in words only. */
async function check(bench) {
  bench.example("programs/bank.c");
  const { json, address } = bench.answer("check", "--notes", "--time=30s", "--flag=-DCHECKED", "bank.c");
  const page = await bench.page(address);
  const rows = await tableRows(page, "findings");
  same(rows.map((row) => row[1]), json.findings.map((f) => f.rule), "rules");
  const levels = ["error", "warning", "note"].map((level) => [level, json.findings.filter((f) => f.level === level).length]);
  const verdict = levels.filter(([, n]) => n).map(([level, n]) => `${n} ${level}${n === 1 ? "" : "s"}`).join(", ");
  holds((await page.textContent("#verdict")).startsWith(verdict), `verdict: ${verdict}`);
  for (const [i, finding] of json.findings.entries()) {
    if (i) await page.keyboard.press("j");
    const said = await page.textContent("#fault-text");
    holds(said.includes(finding.message), `finding ${i + 1} says "${said}" for "${finding.message}"`);
    const stacks = await page.$$eval(".stack", (all) => all.map((each) => [...each.querySelectorAll("li")].map((li) => li.firstChild.textContent.trim())));
    same(stacks, finding.places.filter((p) => p.stack || p.locks).map((p) => (p.stack ?? []).map((frame) => frame.function)), `stacks of finding ${i + 1}`);
    if (finding.witness) continue;
    const words = await page.$$eval(".words table:last-of-type tbody tr", (all) => all.map((row) => row.children[2].textContent));
    same(words, finding.steps.map((step) => step.text), `steps of finding ${i + 1} in words`);
  }
  const first = json.findings.findIndex((f) => f.witness);
  holds(first >= 0, "one of them has a schedule");
  for (let i = json.findings.length - 1; i > first; i--) await page.keyboard.press("k");
  holds((await walk(page)).length > 3, "there is something to step through");
  await bench.shot(page, "check");
}

async function nothing(bench) {
  bench.write("one.std", "a|w(x)|a.c:1\n");
  const { address } = bench.answer("race", "one.std");
  const page = await bench.page(address);
  same(await page.textContent("#verdict"), "nothing found, search complete", "verdict");
  holds((await page.textContent("#summary")).includes("[recording]"), "the page says what it rests on");
  same((await walk(page)).map((step) => step.event), [0, 1], "steps");
  const model = bench.answer("explore", bench.example("models/philosophers-ordered.hdm"));
  const other = await bench.browser.newPage();
  await other.goto(model.address);
  same(await other.textContent("#verdict"), "nothing found, search complete", "verdict of a model");
  same(await other.textContent("#findings-title"), "Findings (0)", "findings of a model");
  await other.close();
}

async function filter(bench) {
  bench.run("generate", "locks", "4", few ? "60" : "120", "--seed=5", "--output=locks.std");
  const { json, address } = bench.answer("race", "--all", "locks.std");
  const page = await bench.page(address);
  const variable = json.findings[0].variable;
  await page.fill("#filter", variable);
  const wanted = json.findings.filter((f) => `race ${f.message} ${f.variable}`.includes(variable)).length;
  same((await tableRows(page, "findings")).length, wanted, `rows with ${variable}`);
  same(await page.textContent("#findings-title"), `Findings (${wanted} of ${json.findings.length})`, "title");
  await page.fill("#filter", "");
  await page.click("#findings [role=columnheader]:nth-child(3) button");
  const sorted = (await tableRows(page, "findings")).map((row) => row[2]);
  same(sorted, [...sorted].sort((a, b) => a.localeCompare(b, "en", { numeric: true })), "sorted by variable");
  await page.click("#findings .row[aria-rowindex='3']");
  holds((await page.getAttribute("#findings .row[aria-rowindex='3']", "aria-selected")) === "true", "the row is chosen");
}

async function served(bench) {
  bench.example("race/hidden.std");
  const server = bench.start("view", "--serve", "hidden.std");
  try {
    const address = await new Promise((done) => server.stdout.once("data", (data) => done(String(data).trim())));
    const page = await bench.page(address);
    same(await page.title(), "heddle view · hidden.std", "title");
    same((await walk(page)).length, 9, "steps");
  } finally {
    server.kill();
  }
}

export const cases = [
  ["a race", race],
  ["many races", manyRaces],
  ["nondeterministic reads", nondet],
  ["a deadlock", deadlock],
  ["a model that fails", exploreModel],
  ["a program that fails", exploreProgram],
  ["a state", detect],
  ["a check of a program", check],
  ["nothing found", nothing],
  ["filter and sort", filter],
  ["a page that is served", served],
];
