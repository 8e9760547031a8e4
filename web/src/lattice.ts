// The global states of a small trace as a drawing: a state is how many events of each thread are
// done; one event leads from a state to another.  States with the same number of events are a row.
import { States, Trace } from "./data";
import { Order } from "./schedule";
import { element, printable } from "./text";

const STEP_Y = 34;
const SVG = "http://www.w3.org/2000/svg";

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

interface Node {
  counts: number[];
  level: number;
  x: number;
  y: number;
  mark: SVGElement;
}

export class Lattice {
  readonly root: HTMLElement;
  private readonly nodes = new Map<string, Node>();
  private readonly edges = new Map<string, SVGElement>();
  private readonly text = element("p", { class: "note" });
  private readonly picture: SVGElement;
  private readonly lines = svg("g", {});
  private lit: Element[] = [];

  constructor(readonly trace: Trace, readonly states: States) {
    const levels = this.arrange();
    const widest = Math.max(...levels.map((level) => level.length));
    const step = Math.max(14, Math.min(46, 900 / widest));
    const width = Math.max(320, widest * step + 60);
    const height = levels.length * STEP_Y + 30;
    this.picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${this.nodes.size} global states` });
    this.place(levels, width, step);
    this.drawEdges();
    this.picture.append(this.lines);
    for (const node of this.nodes.values()) this.picture.append(node.mark);
    const what = `${this.nodes.size} ${states.class} states of the ${states.model}, from none of the events (top) to all`;
    this.root = element("div", { class: "lattice" }, element("p", {}, what), this.text, element("div", { class: "picture", tabindex: "0" }));
    this.root.lastElementChild!.append(this.picture);
  }

  /** States by their number of events; in a level by how far the first threads are. */
  private arrange(): Node[][] {
    const width = this.states.threads.length;
    const levels: Node[][] = [];
    for (let at = 0; at < this.states.counts.length; at += width) {
      const counts = this.states.counts.slice(at, at + width);
      const level = counts.reduce((sum, count) => sum + count, 0);
      const mark = svg("circle", { r: 4, class: "state" });
      const title = document.createElementNS(SVG, "title");
      title.textContent = this.describe(counts);
      mark.append(title);
      const node = { counts, level, x: 0, y: 0, mark };
      this.nodes.set(counts.join(), node);
      (levels[level] ??= []).push(node);
    }
    for (let i = 0; i < levels.length; i++) levels[i] ??= [];
    return levels;
  }

  private describe(counts: number[]): string {
    return this.states.threads.map((thread, i) => `${printable(this.trace.threads[thread] ?? "", 24)} ${counts[i]}`).join(", ");
  }

  /** From the top down each state goes below the middle of those that lead to it. */
  private place(levels: Node[][], width: number, step: number): void {
    levels.forEach((level, depth) => {
      const wish = new Map<Node, number>();
      for (const node of level) {
        const above = this.before(node);
        const tilt = node.counts.reduce((sum, count, i) => sum + count * (i - (node.counts.length - 1) / 2), 0);
        wish.set(node, above.length ? above.reduce((sum, other) => sum + other.x, 0) / above.length + tilt * 1e-3 : width / 2);
      }
      level.sort((a, b) => wish.get(a)! - wish.get(b)!);
      level.forEach((node, i) => {
        node.x = width / 2 + (i - (level.length - 1) / 2) * step;
        node.y = 20 + depth * STEP_Y;
        node.mark.setAttribute("cx", String(node.x));
        node.mark.setAttribute("cy", String(node.y));
      });
    });
  }

  private before(node: Node): Node[] {
    const found: Node[] = [];
    for (let i = 0; i < node.counts.length; i++) {
      const counts = [...node.counts];
      if (counts[i]!-- === 0) continue;
      const other = this.nodes.get(counts.join());
      if (other) found.push(other);
    }
    return found;
  }

  private drawEdges(): void {
    for (const node of this.nodes.values())
      for (const other of this.before(node)) {
        const line = svg("line", { x1: other.x, y1: other.y, x2: node.x, y2: node.y, class: "edge" });
        this.edges.set(`${other.counts}>${node.counts}`, line);
        this.lines.append(line);
      }
  }

  /** Lights up the way of each order, and the state that is reached. */
  show(orders: Order[], active: Order, position: number): void {
    for (const element of this.lit) element.classList.remove("observed", "witness", "run", "here");
    this.lit = [];
    for (const order of orders) this.way(order);
    const here = this.nodes.get(this.countsAt(active, Math.min(position, active.length)).join());
    if (here) this.light(here.mark, "here");
    const counts = this.describe(this.countsAt(active, Math.min(position, active.length)));
    this.text.textContent = here ? `Here: ${counts}` : `Here: ${counts}; it is not one of the states drawn`;
    if (here) this.scrollTo(here);
  }

  private scrollTo(node: Node): void {
    const box = this.root.lastElementChild as HTMLElement;
    if (node.y < box.scrollTop + 30 || node.y > box.scrollTop + box.clientHeight - 30) box.scrollTop = node.y - box.clientHeight / 2;
    if (node.x < box.scrollLeft + 30 || node.x > box.scrollLeft + box.clientWidth - 30) box.scrollLeft = node.x - box.clientWidth / 2;
  }

  private way(order: Order): void {
    const counts = this.countsAt(order, 0);
    let before = counts.join();
    this.lightState(before, order.name);
    for (let i = 0; i < order.length; i++) {
      const thread = this.states.threads.indexOf(this.trace.thread[order.sequence[i]!]!);
      counts[thread]!++;
      const now = counts.join();
      const edge = this.edges.get(`${before}>${now}`);
      if (edge) {
        this.light(edge, order.name);
        this.lines.append(edge); // above the others
      }
      this.lightState(now, order.name);
      before = now;
    }
  }

  private lightState(key: string, name: string): void {
    const node = this.nodes.get(key);
    if (node) this.light(node.mark, name);
  }

  private light(element: Element, name: string): void {
    element.classList.add(name);
    this.lit.push(element);
  }

  private countsAt(order: Order, position: number): number[] {
    const counts = this.states.threads.map(() => 0);
    for (let i = 0; i < position; i++) counts[this.states.threads.indexOf(this.trace.thread[order.sequence[i]!]!)]!++;
    return counts;
  }
}
