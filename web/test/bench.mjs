// What tests share: heddle, a folder to work in, the browser, and what is on a page.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

// The same engine without windows and menus around it: less than half of the work.
const SHELL = "/usr/bin/chromium-headless-shell";

const SIZE = { width: 1440, height: 900 };

export class Bench {
  static async open(heddle, root, shots) {
    const bench = new Bench();
    Object.assign(bench, { heddle, root, shots, folder: mkdtempSync(join(tmpdir(), "heddle-web-")), wrong: [], pages: [], spare: [] });
    const executablePath = process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : "/usr/bin/chromium");
    bench.browser = await chromium.launch({ executablePath, args: FLAGS });
    return bench;
  }

  async close() {
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  // ---- heddle ----

  /** Runs heddle in the folder; any status but 2 is an answer. */
  run(...words) {
    try {
      return execFileSync(this.heddle, words, { cwd: this.folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
    } catch (error) {
      if (error.status === 1 || error.status === 3) return error.stdout;
      throw new Error(`heddle ${words.join(" ")}: status ${error.status}: ${error.stderr}`);
    }
  }

  start(...words) {
    return spawn(this.heddle, words, { cwd: this.folder, stdio: ["ignore", "pipe", "inherit"] });
  }

  write(name, text) {
    writeFileSync(join(this.folder, name), text);
    return name;
  }

  example(name) {
    return this.write(name.replace(/.*\//, ""), readFileSync(join(this.root, "examples", name)));
  }

  /** One run of a command: its page's address, and what --json says. */
  answer(command, ...words) {
    const name = `page${++this.count}.html`;
    const json = JSON.parse(this.run(command, "--json", `--html=${name}`, ...words));
    return { json, address: `file://${this.folder}/${name}` };
  }

  count = 0;

  // ---- pages ----

  /** A page: one that an earlier test is done with, if there is one, because to open a window takes most
   *  of the time.  Each is in a window of its own: what is not in front draws nothing. */
  async page(address, { viewport = SIZE, colorScheme = "light" } = {}) {
    const page = this.spare.pop() ?? (await (await this.browser.newContext({ viewport: SIZE })).newPage());
    this.pages.push(page);
    if (page.viewportSize().width !== viewport.width || page.viewportSize().height !== viewport.height) await page.setViewportSize(viewport);
    if (page.scheme !== colorScheme) await page.emulateMedia({ colorScheme });
    page.scheme = colorScheme;
    page.on("console", (message) => this.wrong.push(`console: ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.wrong.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (request.url().split("#")[0] !== address.split("#")[0]) this.wrong.push(`request: ${request.url()}`);
    });
    await page.goto(address);
    await page.waitForSelector("body[data-ready]");
    return page;
  }

  /** What the pages of a test complained about. */
  complaints() {
    const all = this.wrong.join("\n");
    this.wrong = [];
    return all;
  }

  async closePages() {
    for (const page of this.pages.splice(0)) {
      if (page.isClosed()) continue;
      page.removeAllListeners();
      await page.evaluate(() => [localStorage, sessionStorage].forEach((store) => store.clear()));
      this.spare.push(page);
    }
  }

  async shot(page, name) {
    if (this.shots) await page.screenshot({ path: join(this.shots, `${name}.png`) });
  }
}

export function same(got, wanted, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: it is ${a}, and should be ${b}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

/** Steps from the start to the end by key; what is shown of each step. */
export function walk(page) {
  return page.evaluate(() => {
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const rows = (id) => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) => [...row.children].map((cell) => cell.textContent));
    press("Home");
    const steps = [];
    const most = Number(document.getElementById("position").max);
    for (let i = 0; i <= most; i++) {
      const notes = [...document.querySelectorAll("#step-body .note")].map((note) => note.textContent).join("\n");
      steps.push({
        event: Number(/^event (\d+)/.exec(notes)?.[1] ?? 0),
        next: notes.includes("next after the schedule"),
        sentence: document.querySelector("#step-body .sentence").textContent,
        differs: document.querySelector("#step-body .differs")?.textContent ?? "",
        fault: document.getElementById("fault-text")?.textContent ?? "",
        live: document.getElementById("live").textContent,
        threads: rows("threads"),
        values: rows("values"),
      });
      press("ArrowRight");
    }
    return steps;
  });
}
