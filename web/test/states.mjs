// The drawing of global states has the states that heddle counts, and steps move in it.
import { holds, same } from "./bench.mjs";

const drawn = (page) => page.evaluate(() => document.querySelectorAll("#states .state").length);

async function counted(bench) {
  for (const model of ["poset", "loset"]) {
    const { json, address } = bench.answer("states", `--model=${model}`, bench.example("bank/bank.std"));
    const page = await bench.page(address);
    await page.keyboard.press("2");
    same(await drawn(page), json.result.states, `states of the ${model}`);
    holds((await page.textContent("#verdict")).startsWith(`${json.result.states} global states`), "verdict");
    const list = JSON.parse(bench.run("states", `--model=${model}`, "--list", "--json", "bank.std"));
    const titles = await page.evaluate(() => [...document.querySelectorAll("#states .state title")].map((t) => t.textContent));
    const wanted = list.result.list.map((counts) => counts.map((count, i) => `${list.result.threads[i]} ${count}`).join(", "));
    same([...titles].sort(), [...wanted].sort(), `the states of the ${model}`);
  }
}

async function ways(bench) {
  const { json, address } = bench.answer("race", bench.example("race/hidden.std"));
  const page = await bench.page(address);
  await page.keyboard.press("2");
  const lit = (name) => page.evaluate((word) => document.querySelectorAll(`#states .state.${word}`).length, name);
  same(await lit("observed"), 9, "states on the observed way");
  same(await lit("witness"), json.findings[0].schedule.length + 1, "states on the way of the witness");
  const here = () => page.evaluate(() => document.querySelector("#states .state.here title").textContent);
  same(await here(), "a 0, b 3", "where the race is");
  await page.keyboard.press("Home");
  same(await here(), "a 0, b 0", "the start");
  await page.keyboard.press("ArrowRight");
  same(await here(), "a 0, b 1", "a step");
  await bench.shot(page, "states");
}

async function tooMany(bench) {
  bench.run("generate", "bank", "4", "40", "--seed=1", "--output=many.std");
  bench.run("view", "--html=many.html", "many.std");
  const page = await bench.page(`file://${bench.folder}/many.html`);
  await page.keyboard.press("2");
  holds((await page.textContent("#states")).includes("too many global states to draw"), "it says so");
  await page.keyboard.press("3");
  holds((await page.textContent("#summary")).includes("bank.std") === false && (await page.textContent("#summary")).includes("many.std"), "the summary");
  await bench.shot(page, "summary");
}

export const cases = [
  ["as many as counted", counted],
  ["the ways through", ways],
  ["too many", tooMany],
];
