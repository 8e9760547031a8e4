// Values and held locks at every step, against a slow twin that reads the text of the trace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { same, walk } from "./bench.mjs";

/** The events of a text trace. */
function read(bench, name) {
  return readFileSync(join(bench.folder, name), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => {
      const [, thread, op, object, value] = /^([^|]*)\|([a-z]+)\d*\(([^=]*?)(?:=(-?\d+))?\)/.exec(line);
      return { thread, op, object, value };
    });
}

/** What the page must show after a list of events, of which the last may be one that only waits. */
function twin(events, numbers, waits) {
  const held = {};
  const reading = {};
  const writer = {};
  const last = {};
  const done = {};
  numbers.slice(0, waits ? -1 : undefined).forEach((number, i) => {
    const { thread, op, object } = events[number - 1];
    done[thread] = (done[thread] ?? 0) + 1;
    held[thread] ??= [];
    if (op === "acq" || op === "racq") {
      const depth = held[thread].filter((lock) => lock === object).length;
      held[thread].push(object);
      if (!depth) reading[`${thread} ${object}`] = op === "racq";
    }
    if (op === "rel" || op === "rrel") held[thread].splice(held[thread].lastIndexOf(object), 1);
    if (/^a?(r|w|rmw)$/.test(op)) last[object] = i;
    if (/^a?(w|rmw)$/.test(op)) writer[object] = number;
  });
  const names = [...new Set(events.map((event) => event.thread))];
  const threads = names.map((name) => [
    name,
    [...new Set(held[name] ?? [])].map((lock) => lock + (reading[`${name} ${lock}`] ? " (reading)" : "")).join(", ") || "–",
  ]);
  const values = Object.keys(last)
    .sort((a, b) => last[b] - last[a])
    .map((name) => {
      const write = writer[name];
      const value = write ? events[write - 1].value ?? "not known" : "initial";
      return [name, value, write ? `${write} ${events[write - 1].thread}` : "–"];
    });
  return { threads, values: values.slice(0, 40) };
}

async function compare(bench, page, name, waiting) {
  const events = read(bench, name);
  const steps = await walk(page);
  steps.forEach((step, i) => {
    const numbers = steps.slice(1, i + 1).map((each) => each.event);
    if (step.next && waiting) numbers.splice(steps.findIndex((each) => each.next), numbers.length, step.event);
    const wanted = twin(events, numbers, step.next && waiting);
    same(step.threads.map((row) => row.slice(0, 2)), wanted.threads, `${name}: locks held after step ${i}`);
    same(step.values, wanted.values, `${name}: values after step ${i}`);
  });
}

const few = process.env.TEST_BUILDS === "few";
const families = [
  ["bank", "3", "4", "--seed=1"],
  ["locks", "3", "60", "--seed=2", "--rwlocks=600"],
  ["locks", "4", "80", "--seed=4", "--waits=100", "--barriers=20", "--semaphores=50"],
];

async function observed(bench) {
  for (const words of few ? families.slice(1, 2) : families) {
    bench.run("generate", ...words, "--output=run.std");
    bench.run("view", "--html=run.html", "run.std");
    await compare(bench, await bench.page(`file://${bench.folder}/run.html`), "run.std", false);
    await bench.closePages();
  }
}

async function witnesses(bench) {
  for (const words of few ? families.slice(2) : families) {
    bench.run("generate", ...words, "--output=run.std");
    for (const command of few ? ["race", "deadlock"] : ["race", "nondet", "deadlock"]) {
      const { json, address } = bench.answer(command, "run.std");
      const page = await bench.page(address);
      for (let i = 0; i < Math.min(2, json.findings.length); i++) {
        if (i) await page.keyboard.press("j");
        await compare(bench, page, "run.std", command === "deadlock");
      }
      await bench.closePages();
    }
  }
}

export const cases = [
  ["the observed order", observed],
  ["the orders of witnesses", witnesses],
];
