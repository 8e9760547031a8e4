// The viewer: reads the report from the page and wires the parts.
import { Finding, placeOf, READS, Report, Trace } from "./data";
import { endedText, endedWell } from "./ended";
import { Lattice } from "./lattice";
import { List } from "./list";
import { adviceOf, isProved, lockList, showStep, showThreads, showValues, stepText, wordsOf } from "./panels";
import { nextEvents, observed, Order, witnessOf } from "./schedule";
import { nextHit, search } from "./search";
import { SourceView } from "./source";
import { State, stateAt } from "./state";
import { isShaky, showSummary, verdictOf } from "./summary";
import { byId, count, element, grouped, placeCell, printable } from "./text";
import { applyTheme, loadTheme, readColours, Theme } from "./theme";
import { Layers, operation, Timeline } from "./timeline";

const KEYS: [string, string][] = [
  ["→ ←", "step, step back"],
  ["] [", "to the next switch of threads, to the one before"],
  ["Home End", "to the start, to the end"],
  ["f", "to what was found"],
  ["o", "step through the other order"],
  ["j k", "next finding, finding before"],
  ["+ -", "zoom in, zoom out"],
  ["0", "see all"],
  ["Shift+→ Shift+←", "move sideways"],
  ["/", "search; Enter or n, N: next match, match before"],
  ["1 2 3", "timeline, global states, summary"],
  ["t", "light, dark, as the system"],
  ["?", "this list"],
];

class Viewer {
  private readonly whole: Trace | undefined;
  private readonly traces: Trace[] = [];
  private readonly words = element("div", { class: "words", tabindex: "0" });
  private readonly source: SourceView;
  private readonly lists: { findings: List; schedule: List };
  private readonly panes: { observed: Timeline; witness: Timeline };
  private lattice: Lattice | undefined;
  private theme: Theme = loadTheme();
  private layers: Layers = { must: true, locks: true, path: true };
  private filtered: number[] = [];
  private sorted = { column: -1, down: false };
  private chosen = -1;
  private trace: Trace | undefined;
  private orders: Order[] = [];
  private active: Order | undefined;
  private position = 0;
  private faults = new Set<number>();
  private hits = new Set<number>();
  private tab = "timeline";
  private linking = 0;
  private sees = 0;

  constructor(private readonly report: Report) {
    if (report.trace) this.whole = new Trace(report.trace, report.kinds);
    this.source = new SourceView(report);
    this.lists = { findings: this.findingsList(), schedule: this.scheduleList() };
    byId("findings").append(this.lists.findings.root);
    byId("findings").parentElement!.classList.toggle("none", !report.findings.length);
    byId("schedule").append(this.lists.schedule.root);
    const choose = (event: number) => this.select(event);
    this.panes = { observed: new Timeline(choose), witness: new Timeline(choose) };
    byId("timeline").append(this.words, this.panes.witness.root, this.panes.observed.root);
    applyTheme(this.theme);
    this.heading();
    this.controls();
    this.filter();
    const asked = Number(/finding=(\d+)/.exec(location.hash)?.[1] ?? 1);
    const step = /step=(\d+)/.exec(location.hash)?.[1];
    this.open(report.findings.length ? Math.min(asked, report.findings.length) - 1 : -1);
    if (step) this.go(Number(step));
  }

  // ---- the head of the page ----

  private heading(): void {
    const { report } = this;
    const title = `heddle ${report.command} · ${printable(report.input, 60)}`;
    byId("title").textContent = title;
    document.title = title;
    byId("verdict").textContent = verdictOf(report);
    byId("verdict").classList.toggle("good", !report.findings.length && report.complete && !isShaky(report.verdict));
    this.showEnd();
    showSummary(report, this.whole);
    const leftOut = byId("left-out");
    leftOut.hidden = !report.left_out;
    leftOut.textContent = `${count(report.left_out, "finding is", "findings are")} not in this page: it would be too large.`;
  }

  /** How the run ended, if the trace says so. */
  private showEnd(): void {
    const ended = this.whole?.data.ended;
    const text = byId("ended");
    text.hidden = !ended;
    text.textContent = ended ? `The run ended: ${endedText(ended)}` : "";
    text.title = text.textContent;
    text.classList.toggle("good", !!ended && endedWell(ended));
  }

  // ---- findings ----

  private findingsList(): List {
    const cells = (row: number) => {
      const finding = this.report.findings[this.filtered[row]!]!;
      const rule = element("span", { class: `chip ${isProved(finding) ? "proved" : "unproved"} ${finding.level ?? ""}` }, printable(finding.rule, 24));
      return [String(this.filtered[row]! + 1), rule, printable(finding.variable ?? finding.message ?? "", 60), placeCell(this.placesOf(finding))];
    };
    const columns = [
      { title: "#", width: "3.2em", sortable: true },
      { title: "rule", width: "6.4em", sortable: true },
      { title: "about", width: "minmax(4em, 1.3fr)", sortable: true },
      { title: "place", width: "minmax(4em, 1fr)", sortable: true },
    ];
    return new List("Findings", columns, cells, (row) => this.open(this.filtered[row]!), undefined, (column) => this.sort(column));
  }

  /** Where it is: the places of its events, or the one that it names. */
  private placesOf(finding: Finding): string {
    const trace = this.whole;
    if (finding.places?.length) return [...new Set(finding.places.map(placeOf).filter((place) => place))].join(", ");
    const places = trace ? finding.events.filter((event) => event > 0).map((event) => trace.locationName(event)) : [];
    return [...new Set(places.filter((place) => place))].join(", ") || (finding.location ?? "");
  }

  private filter(): void {
    const words = byId<HTMLInputElement>("filter").value.toLowerCase().split(/\s+/).filter((word) => word);
    const rule = byId<HTMLSelectElement>("rule").value;
    this.filtered = [];
    this.report.findings.forEach((finding, i) => {
      const text = [finding.rule, finding.message, finding.variable, this.placesOf(finding)].join(" ").toLowerCase();
      if ((!rule || finding.rule === rule) && words.every((word) => text.includes(word))) this.filtered.push(i);
    });
    this.arrange();
    const all = this.report.findings.length;
    const shown = this.filtered.length === all ? grouped(all) : `${grouped(this.filtered.length)} of ${grouped(all)}`;
    byId("findings-title").textContent = `Findings (${shown})`;
  }

  private sort(column: number): void {
    this.sorted = { column, down: this.sorted.column === column && !this.sorted.down };
    this.arrange();
  }

  private arrange(): void {
    const { column, down } = this.sorted;
    const key = (i: number): string | number => {
      const finding = this.report.findings[i]!;
      return [i, finding.rule, finding.variable ?? finding.message ?? "", this.placesOf(finding)][Math.max(0, column)]!;
    };
    this.filtered.sort((a, b) => {
      const x = key(a);
      const y = key(b);
      const less = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
      return (down ? -less : less) || a - b;
    });
    this.lists.findings.set(this.filtered.length, this.filtered.indexOf(this.chosen));
  }

  private get finding(): Finding | undefined {
    return this.report.findings[this.chosen];
  }

  /** Shows a finding, or the trace alone. */
  private open(index: number): void {
    this.chosen = index;
    const finding = this.finding;
    this.lists.findings.select(this.filtered.indexOf(index));
    this.trace = this.traceOf(finding);
    this.words.hidden = Boolean(this.trace);
    if (!this.trace) return this.showWords();
    const witness = finding && !finding.run ? witnessOf(this.trace, finding) : undefined;
    const seen = finding?.run || this.orders.every((order) => order.trace !== this.trace) ? observed(this.trace, finding?.run ? "run" : "observed") : this.orders[this.orders.length - 1]!;
    this.orders = witness ? [witness, seen] : [seen];
    this.faults = this.faultsOf(finding);
    this.hits = search(this.trace, byId<HTMLInputElement>("search-text").value);
    this.active = this.orders[0];
    this.lattice = undefined;
    this.orderButtons();
    this.panes.witness.root.hidden = !witness;
    this.panes.observed.root.hidden = false;
    this.step(this.start());
    this.frame();
  }

  private traceOf(finding: Finding | undefined): Trace | undefined {
    if (finding?.run) return new Trace(finding.run, this.report.kinds);
    const data = finding?.trace === undefined ? undefined : this.report.traces?.[finding.trace];
    if (!data) return this.whole;
    return (this.traces[finding!.trace!] ??= new Trace(data, this.report.kinds));
  }

  /** A finding without a schedule to step through: what is known of it, in words. */
  private showWords(): void {
    const finding = this.finding;
    this.orders = [];
    this.active = undefined;
    this.panes.witness.root.hidden = this.panes.observed.root.hidden = true;
    this.words.replaceChildren(...wordsOf(finding, verdictOf(this.report)));
    byId("orders").hidden = true;
    byId("step-body").replaceChildren(...adviceOf(finding));
    for (const id of ["threads", "values"]) byId(id).replaceChildren(element("p", { class: "note" }, "There is no trace to step through."));
    this.lists.schedule.set(0, -1);
    this.source.show(finding?.location ?? "", (finding?.places ?? []).map(placeOf));
    byId("live").textContent = finding ? `${finding.rule}: ${printable(finding.message ?? "", 200)}` : "";
    if (this.tab === "states") this.showStates();
    document.body.dataset.ready = "yes";
  }

  private faultsOf(finding: Finding | undefined): Set<number> {
    if (!finding) return new Set();
    // Of a run it is what happened last; of a race, in each of the last two threads.
    if (finding.run && this.trace) return new Set(lastEvents(this.trace, finding.claim?.kind));
    const claim = finding.claim;
    const more = claim?.kind === "final" || claim?.kind === "read" ? [claim.sees!, claim.writer!] : [];
    return new Set([...finding.events, ...nextEvents(finding), ...more].filter((event) => event > 0));
  }

  /** A finding opens where it happens, a trace at its start. */
  private start(): number {
    return this.finding && this.active!.name !== "observed" ? this.fault() : 0;
  }

  /** Where in the active order the finding is. */
  private fault(): number {
    const order = this.active!;
    if (order.name !== "observed") return order.length < order.sequence.length ? order.length + 1 : order.sequence.length;
    const places = [...this.faults].map((event) => order.at[event]!).filter((at) => at > 0);
    return places.length ? Math.max(...places) : order.sequence.length;
  }

  /** What each pane shows at first: all, or the neighbourhood of what was found. */
  private frame(): void {
    requestAnimationFrame(() => {
      for (const order of this.orders) {
        const pane = this.paneOf(order);
        const n = order.sequence.length;
        const places = [...this.faults].map((event) => order.at[event]!).filter((at) => at > 0);
        if (n <= 60 || !places.length) pane.fit();
        else if (order.name === "observed") pane.show(Math.min(...places) - 20, Math.max(...places) + 20);
        else pane.show(n - 50, n);
      }
      document.body.dataset.ready = "yes";
    });
  }

  private paneOf(order: Order): Timeline {
    return order.name === "witness" ? this.panes.witness : this.panes.observed;
  }

  private titleOf(order: Order): string {
    const events = grouped(order.trace.length);
    const switches = count(order.switches.length, "context switch", "context switches");
    if (order.name === "observed") return `Observed run: ${events} events, ${switches}`;
    if (order.name === "run") return `The run that shows it: ${events} events, ${switches}`;
    return `Witness: ${grouped(order.length)} of ${events} events, ${switches}`;
  }

  // ---- stepping ----

  private go(position: number): void {
    if (!this.active) return;
    this.step(Math.max(0, Math.min(this.active.sequence.length, position)));
  }

  private select(event: number): void {
    const at = this.active?.at[event];
    if (at) this.go(at);
    else {
      const other = this.orders.find((order) => order.at[event]);
      if (other) this.follow(other, other.at[event]!);
    }
  }

  private follow(order: Order, position: number): void {
    this.active = order;
    this.orderButtons();
    this.step(position);
  }

  private step(position: number): void {
    this.position = position;
    const order = this.active!;
    const trace = order.trace;
    const state = stateAt(order, position);
    this.sees = state.sees ?? 0;
    showStep(order, state, position, this.finding, this.faults);
    showThreads(order, state, this.finding);
    showValues(trace, state);
    const marked = [...this.faults].map((event) => trace.locationName(event));
    if (this.finding?.location) marked.push(this.finding.location);
    const here = state.current ? trace.locationName(state.current) : "";
    this.source.show(here || (this.finding?.location ?? ""), marked);
    this.announce(position, state);
    this.lists.schedule.set(order.sequence.length, position - 1);
    this.lists.schedule.select(position - 1);
    byId("schedule-title").textContent = order.name === "witness" ? "Schedule of the witness" : order.name === "run" ? "Schedule of the run" : "Schedule as observed";
    this.redraw();
    for (const each of this.orders) this.paneOf(each).reveal(each === order ? position : each.at[state.current] ?? 0);
    if (this.tab === "states") this.showStates();
    const slider = byId<HTMLInputElement>("position");
    slider.max = String(order.sequence.length);
    slider.value = String(position);
    const text = `${grouped(position)} of ${grouped(order.sequence.length)}`;
    slider.setAttribute("aria-valuetext", text);
    byId("position-text").textContent = text;
    this.link();
  }

  /** The address says where we are; browsers allow no more than a few changes a second. */
  private link(): void {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => history.replaceState(null, "", `#finding=${this.chosen + 1}&step=${this.position}`), 250);
  }

  private announce(position: number, state: State): void {
    const order = this.active!;
    const thread = state.current ? order.trace.thread[state.current]! : 0;
    const holds = state.current ? lockList(order.trace, state, thread) : "";
    byId("live").textContent = `Step ${position} of ${order.sequence.length}. ${stepText(order, state)}${holds ? ` Holds ${holds}.` : ""}`;
  }

  private redraw(): void {
    const colours = readColours();
    const selected = this.position ? this.active!.sequence[this.position - 1]! : 0;
    for (const order of this.orders)
      this.paneOf(order).set(
        {
          order,
          title: this.titleOf(order),
          active: order === this.active,
          position: order === this.active ? this.position : 0,
          selected,
          sees: order === this.active ? this.sees : selected && order.trace.traits(selected) & READS ? order.trace.pair[selected]! : 0,
          faults: this.faults,
          hits: this.hits,
          layers: this.layers,
        },
        colours,
      );
  }

  private scheduleList(): List {
    const cells = (row: number) => {
      const order = this.active!;
      const e = order.sequence[row]!;
      return [
        String(row + 1),
        String(e),
        printable(order.trace.threadName(e), 30),
        operation(order.trace, e, 40),
        placeCell(order.trace.locationName(e)),
      ];
    };
    const classOf = (row: number) => {
      const order = this.active!;
      const e = order.sequence[row]!;
      const turn = row > 0 && order.trace.thread[order.sequence[row - 1]!] !== order.trace.thread[e];
      return [turn ? "switch" : "", this.faults.has(e) ? "fault" : "", row >= order.length ? "next" : ""].join(" ");
    };
    const columns = [
      { title: "", width: "2.8em" },
      { title: "event", width: "3.4em" },
      { title: "thread", width: "minmax(4.2em, 0.8fr)" },
      { title: "operation", width: "minmax(5em, 1.4fr)" },
      { title: "place", width: "minmax(4em, 0.9fr)" },
    ];
    return new List("Schedule", columns, cells, (row) => this.go(row + 1), classOf);
  }

  // ---- views ----

  private show(tab: string): void {
    this.tab = tab;
    for (const name of ["timeline", "states", "summary"]) {
      byId(name).hidden = name !== tab;
      const button = byId(`tab-${name}`);
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
    }
    if (tab === "states") this.showStates();
    if (tab === "timeline" && this.active) this.redraw();
  }

  private showStates(): void {
    const box = byId("states");
    const states = this.report.states;
    if (!states || !this.trace || this.trace !== this.whole) {
      const why = this.trace !== this.whole ? "The states of a run that was found are not drawn." : "This trace has too many global states to draw: it has to have at most 3,000, of 400 events and 16 threads.";
      box.replaceChildren(element("p", { class: "empty" }, why));
      return;
    }
    this.lattice ??= new Lattice(this.trace, states);
    if (box.firstElementChild !== this.lattice.root) box.replaceChildren(this.lattice.root);
    this.lattice.show([...this.orders].reverse(), this.active!, this.position);
  }

  // ---- controls ----

  private controls(): void {
    const click = (id: string, action: () => void) => byId(id).addEventListener("click", action);
    click("first", () => this.go(0));
    click("back", () => this.go(this.position - 1));
    click("forward", () => this.go(this.position + 1));
    click("last", () => this.go(Infinity));
    click("switch-back", () => this.turn(-1));
    click("switch-forward", () => this.turn(1));
    click("fault", () => this.active && this.go(this.fault()));
    click("theme", () => this.nextTheme());
    click("help", () => this.help());
    for (const name of ["timeline", "states", "summary"]) click(`tab-${name}`, () => this.show(name));
    byId("position").addEventListener("input", () => this.go(Number(byId<HTMLInputElement>("position").value)));
    byId("filter").addEventListener("input", () => this.filter());
    this.rules();
    this.layerBoxes();
    byId("search-text").addEventListener("input", () => this.search());
    byId("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.nextHit(1);
    });
    document.addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.active && this.redraw());
    this.fillKeys();
  }

  private rules(): void {
    const select = byId<HTMLSelectElement>("rule");
    const rules = [...new Set(this.report.findings.map((finding) => finding.rule))].sort();
    select.append(new Option("all rules", ""), ...rules.map((rule) => new Option(printable(rule, 30), rule)));
    select.addEventListener("change", () => this.filter());
  }

  private layerBoxes(): void {
    const names: [keyof Layers, string][] = [["must", "must-edges"], ["locks", "lock order"], ["path", "switches"]];
    for (const [name, text] of names) {
      const box = element("input", { type: "checkbox", id: `layer-${name}` });
      box.checked = true;
      box.addEventListener("change", () => {
        this.layers = { ...this.layers, [name]: box.checked };
        if (this.active) this.redraw();
      });
      byId("layers").append(element("label", { for: box.id, class: `layer ${name}` }, box, text));
    }
  }

  private orderButtons(): void {
    const box = byId("orders");
    box.replaceChildren(element("legend", { class: "hidden" }, "Order to step through"));
    box.hidden = this.orders.length < 2;
    for (const order of this.orders) {
      const button = element("input", { type: "radio", name: "order", id: `order-${order.name}` });
      button.checked = order === this.active;
      button.addEventListener("change", () => this.follow(order, Math.min(this.position, order.sequence.length)));
      box.append(element("label", { for: button.id }, button, order.name));
    }
  }

  private turn(direction: 1 | -1): void {
    if (this.active) this.go(this.active.switchFrom(this.position, direction));
  }

  private search(): void {
    if (!this.trace) return;
    const text = byId<HTMLInputElement>("search-text").value;
    this.hits = search(this.trace, text);
    byId("search-count").textContent = text.trim() ? count(this.hits.size, "match", "matches") : "";
    this.redraw();
  }

  private nextHit(direction: 1 | -1): void {
    if (!this.active) return;
    const at = nextHit(this.active, this.hits, this.position, direction);
    if (at) return this.go(at);
    const other = this.orders.find((order) => nextHit(order, this.hits, 0, 1));
    if (other) this.follow(other, nextHit(other, this.hits, 0, 1));
  }

  private nextFinding(by: number): void {
    const row = this.filtered.indexOf(this.chosen) + by;
    if (row >= 0 && row < this.filtered.length) this.open(this.filtered[row]!);
  }

  private nextTheme(): void {
    const themes: Theme[] = ["auto", "light", "dark"];
    this.theme = themes[(themes.indexOf(this.theme) + 1) % themes.length]!;
    applyTheme(this.theme);
    byId("theme").textContent = this.theme === "auto" ? "Theme" : `Theme: ${this.theme}`;
    if (this.active) this.redraw();
  }

  private fillKeys(): void {
    const rows = KEYS.map(([key, text]) => element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)));
    const close = element("button", { type: "button", autofocus: "" }, "Close");
    close.addEventListener("click", () => byId<HTMLDialogElement>("keys").close());
    byId("keys").append(element("h2", { id: "keys-title" }, "Keys"), element("dl", {}, ...rows), close);
  }

  private help(): void {
    const dialog = byId<HTMLDialogElement>("keys");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  private zoom(action: (pane: Timeline) => void): void {
    for (const order of this.orders) action(this.paneOf(order));
  }

  /** What a key does; none of it while somebody types. */
  private readonly keys: Record<string, () => void> = {
    ArrowRight: () => this.go(this.position + 1),
    ArrowLeft: () => this.go(this.position - 1),
    "Shift+ArrowRight": () => this.zoom((pane) => pane.panBy(0.2)),
    "Shift+ArrowLeft": () => this.zoom((pane) => pane.panBy(-0.2)),
    "]": () => this.turn(1),
    "[": () => this.turn(-1),
    Home: () => this.go(0),
    End: () => this.go(Infinity),
    f: () => this.active && this.go(this.fault()),
    o: () => this.orders.length > 1 && this.follow(this.orders[this.active === this.orders[0] ? 1 : 0]!, this.otherPosition()),
    j: () => this.nextFinding(1),
    k: () => this.nextFinding(-1),
    "+": () => this.zoom((pane) => pane.zoomBy(1.5)),
    "=": () => this.zoom((pane) => pane.zoomBy(1.5)),
    "-": () => this.zoom((pane) => pane.zoomBy(1 / 1.5)),
    "0": () => this.zoom((pane) => pane.fit()),
    "/": () => byId("search-text").focus(),
    n: () => this.nextHit(1),
    N: () => this.nextHit(-1),
    "1": () => this.show("timeline"),
    "2": () => this.show("states"),
    "3": () => this.show("summary"),
    t: () => this.nextTheme(),
    "?": () => this.help(),
  };

  /** Where the current event is in the other order. */
  private otherPosition(): number {
    const other = this.orders[this.active === this.orders[0] ? 1 : 0]!;
    return this.position ? other.at[this.active!.sequence[this.position - 1]!] ?? 0 : 0;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    if (event.key === "Escape" && target.matches("input[type=search]")) return target.blur();
    if (target.matches("input:not([type=checkbox]):not([type=radio]), select, textarea") || byId<HTMLDialogElement>("keys").open) return;
    if (target.matches("[role=tab]") && event.key.startsWith("Arrow")) return this.tabKey(event);
    const action = this.keys[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key];
    if (!action || (target.matches("input[type=radio]") && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    action();
  }

  private tabKey(event: KeyboardEvent): void {
    const names = ["timeline", "states", "summary"];
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = names[(names.indexOf(this.tab) + by + names.length) % names.length]!;
    event.preventDefault();
    this.show(next);
    byId(`tab-${next}`).focus();
  }
}

function lastEvents(trace: Trace, claim: string | undefined): number[] {
  const last = trace.length;
  if (!last || (claim !== "violation" && claim !== "race")) return [];
  let other = last - 1;
  while (other > 0 && trace.thread[other] === trace.thread[last]) other--;
  return claim === "race" && other > 0 ? [other, last] : [last];
}

function start(): void {
  const data = byId("heddle-data");
  const report = JSON.parse(data.textContent ?? "") as Report;
  data.remove();
  new Viewer(report);
}

start();
