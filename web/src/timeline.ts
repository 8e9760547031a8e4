// One order of events on a canvas: threads are lanes, positions go from left to right.  Only what is
// in sight is drawn; from far away the events of a pixel's width become one bar.
import { scaleLinear, ScaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { zoom, zoomIdentity, ZoomBehavior, ZoomTransform } from "d3-zoom";
import { LOCK, READS, Trace, WRITES } from "./data";
import { Order } from "./schedule";
import { element, grouped, printable, shownValue } from "./text";
import { Colours, lockColour } from "./theme";

/** Height of a lane: at least, and at most where there is room. */
const LOWEST = 48;
const HIGHEST = 76;
const RULER = 24;
/** Width of the names of threads: at least, and at most, which is also a share of the whole. */
const NARROWEST = 112;
const WIDEST = 260;
const SHARE = 0.3;
/** Pixels an event needs to be drawn by itself, with its shape, with its edges, with its text. */
const ALONE = 1.2;
const SHAPE = 7;
const EDGES = 3;
const TEXT = 58;

const NAME_FONT = "600 12px system-ui, sans-serif";

export interface Layers {
  must: boolean;
  locks: boolean;
  path: boolean;
}

export interface Scene {
  order: Order;
  title: string;
  /** Steps taken in this order, or 0 if it is not the one that is stepped through. */
  position: number;
  active: boolean;
  selected: number;
  /** The write that the selected event sees in this order, if it is a read; else 0. */
  sees: number;
  /** Events that the finding is about. */
  faults: Set<number>;
  hits: Set<number>;
  layers: Layers;
}

export class Timeline {
  readonly root: HTMLElement;
  private readonly canvas = element("canvas", { tabindex: "0", role: "img" });
  private readonly scroller = element("div", { class: "lanes" });
  private readonly spacer = element("div", { class: "spacer" });
  private readonly heading = element("h3");
  private readonly behaviour: ZoomBehavior<HTMLCanvasElement, unknown>;
  private transform: ZoomTransform = zoomIdentity;
  private base: ScaleLinear<number, number> = scaleLinear();
  private scene: Scene | undefined;
  private colours: Colours = {};
  private asked = 0;
  private width = 0;
  private height = 0;
  private lane = LOWEST;
  private gutter = NARROWEST;
  private names: string[] = [];
  /** The position whose lane is to be in sight at the next frame, or 0. */
  private revealed = 0;
  /** Frames drawn, for measurements. */
  frames = 0;

  constructor(private readonly choose: (event: number) => void) {
    this.spacer.append(this.canvas);
    this.scroller.append(this.spacer);
    this.root = element("section", { class: "pane" }, this.heading, this.scroller);
    this.behaviour = zoom<HTMLCanvasElement, unknown>()
      .filter((event: Event) => !(event instanceof WheelEvent && event.shiftKey) && !(event instanceof MouseEvent && event.button !== 0))
      .on("zoom", ({ transform, sourceEvent }) => {
        // A drag moves the lanes up and down, too.
        if (sourceEvent instanceof MouseEvent && sourceEvent.type === "mousemove") this.scroller.scrollTop -= sourceEvent.movementY;
        this.transform = transform;
        this.draw();
      });
    select(this.canvas).call(this.behaviour).on("dblclick.zoom", null);
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.scroller.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.resize()).observe(this.scroller);
  }

  set(scene: Scene, colours: Colours): void {
    const fresh = this.scene?.order !== scene.order;
    this.scene = scene;
    this.colours = colours;
    this.heading.textContent = scene.title;
    this.canvas.setAttribute("aria-label", `${scene.title}. Arrow keys step, plus and minus zoom; the schedule is listed in the panel beside it.`);
    if (fresh) this.resize();
    else this.draw();
  }

  // ---- what is in sight ----

  private get scale(): ScaleLinear<number, number> {
    return this.transform.rescaleX(this.base);
  }

  /** Pixels an event has. */
  private get pitch(): number {
    return Math.max(1e-9, this.scale(1) - this.scale(0));
  }

  private resize(): void {
    const scene = this.scene;
    if (!scene) return;
    const ratio = window.devicePixelRatio || 1;
    this.width = this.scroller.clientWidth;
    this.nameLanes(scene.order.trace);
    this.height = Math.max(1, this.scroller.clientHeight);
    const lanes = scene.order.trace.lanes.length;
    this.lane = Math.max(LOWEST, Math.min(HIGHEST, Math.floor((this.height - RULER) / Math.max(1, lanes))));
    this.spacer.style.height = `${RULER + lanes * this.lane}px`;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    const n = Math.max(1, scene.order.sequence.length);
    const right = Math.max(this.gutter + 1, this.width - 12);
    this.base = scaleLinear([0.5, n + 0.5], [this.gutter + 8, right]);
    const widest = Math.max(1, (72 * n) / (right - this.gutter));
    this.behaviour.scaleExtent([1, widest]).translateExtent([[0, -Infinity], [this.width, Infinity]]);
    this.behaviour.extent([[0, 0], [this.width, this.height]]);
    this.draw();
  }

  /** As wide as the longest name needs; what all names begin with is left out if that is too wide. */
  private nameLanes(trace: Trace): void {
    const g = this.canvas.getContext("2d");
    const all = trace.lanes.map((thread) => printable(trace.threads[thread] ?? "", 200));
    const most = Math.max(NARROWEST, Math.min(WIDEST, this.width * SHARE));
    const needed = (names: string[]) => {
      if (g) g.font = NAME_FONT;
      return Math.max(NARROWEST, ...names.map((name) => (g ? g.measureText(name).width : 0) + 20));
    };
    this.names = needed(all) > most ? withoutCommonStart(all) : all;
    this.gutter = Math.min(most, needed(this.names));
  }

  /** Zooms so that the positions fill the width. */
  show(from: number, to: number): void {
    const middle = (from + to) / 2;
    const wanted = (this.width - this.gutter) / Math.max(1, to - from + 1);
    const [, most] = this.behaviour.scaleExtent();
    const k = Math.min(most, Math.max(1, wanted / (this.base(1) - this.base(0))));
    const x = (this.gutter + this.width) / 2 - k * this.base(middle);
    select(this.canvas).call(this.behaviour.transform, zoomIdentity.translate(x, 0).scale(k));
  }

  fit(): void {
    select(this.canvas).call(this.behaviour.transform, zoomIdentity);
  }

  zoomBy(factor: number): void {
    const at = this.scene?.position ? this.scale(this.scene.position) : this.width / 2;
    const inside = at > this.gutter && at < this.width ? at : (this.gutter + this.width) / 2;
    select(this.canvas).call(this.behaviour.scaleBy, factor, [inside, 0]);
  }

  panBy(share: number): void {
    select(this.canvas).call(this.behaviour.translateBy, (-share * (this.width - this.gutter)) / this.transform.k, 0);
  }

  /** Moves as little as needed to have a position, and its lane, in sight. */
  reveal(position: number): void {
    const scene = this.scene;
    if (!scene || !position) return;
    const x = this.scale(position);
    const margin = Math.min(60, this.width / 6);
    if (x < this.gutter + margin || x > this.width - margin)
      select(this.canvas).call(this.behaviour.translateTo, this.base(position) - this.gutter / 2 / this.transform.k, 0, [this.width / 2, 0]);
    this.revealed = position;
    this.draw();
  }

  /** The same for the lane, once a frame: to ask where it is makes the browser lay the page out. */
  private scrollToLane(scene: Scene): void {
    const trace = scene.order.trace;
    const event = scene.order.sequence[this.revealed - 1];
    this.revealed = 0;
    if (event === undefined) return;
    const top = trace.laneOf[trace.thread[event]!]! * this.lane;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    const low = top + this.lane + RULER - this.height;
    if (low > this.scroller.scrollTop) this.scroller.scrollTop = low;
  }

  // ---- the mouse ----

  private wheel(event: WheelEvent): void {
    if (!event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    const by = event.deltaX || event.deltaY;
    select(this.canvas).call(this.behaviour.translateBy, -by / this.transform.k, 0);
  }

  private laneAt(mouse: MouseEvent): number {
    return Math.floor((mouse.offsetY - RULER + this.scroller.scrollTop) / this.lane);
  }

  private eventAt(mouse: MouseEvent): number {
    const scene = this.scene;
    if (!scene) return 0;
    const x = mouse.offsetX;
    const lane = this.laneAt(mouse);
    const { order } = scene;
    const reach = Math.max(0.5, 6 / this.pitch);
    const middle = this.scale.invert(x);
    let best = 0;
    for (let at = Math.max(1, Math.ceil(middle - reach)); at <= Math.min(order.sequence.length, middle + reach); at++) {
      const e = order.sequence[at - 1]!;
      if (order.trace.laneOf[order.trace.thread[e]!] !== lane) continue;
      if (!best || Math.abs(at - middle) < Math.abs(order.at[best]! - middle)) best = e;
    }
    return best;
  }

  private click(mouse: MouseEvent): void {
    const event = this.eventAt(mouse);
    if (event) this.choose(event);
  }

  private hover(mouse: MouseEvent): void {
    const trace = this.scene?.order.trace;
    const thread = trace?.lanes[this.laneAt(mouse)];
    const event = mouse.offsetX < this.gutter ? 0 : this.eventAt(mouse);
    const name = trace && thread !== undefined && mouse.offsetX < this.gutter ? printable(trace.threads[thread] ?? "", 400) : "";
    this.canvas.title = event ? eventLine(trace!, event) : name;
  }

  // ---- drawing ----

  draw(): void {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.frames++;
      this.paint();
    });
  }

  private paint(): void {
    const scene = this.scene;
    const g = this.canvas.getContext("2d");
    if (!scene || !g || !this.width) return;
    if (this.revealed) this.scrollToLane(scene);
    const ratio = window.devicePixelRatio || 1;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    const x = this.scale;
    const length = scene.order.sequence.length;
    const from = Math.max(1, Math.floor(x.invert(this.gutter)) - 1);
    const to = Math.min(length, Math.ceil(x.invert(this.width)) + 1);
    const brush = new Brush(g, scene, this.colours, x, this.pitch, from, to, this.scroller.scrollTop, this.width, this.height, this.lane, this.gutter, this.names);
    g.save();
    g.beginPath();
    g.rect(this.gutter, RULER, this.width - this.gutter, this.height - RULER);
    g.clip();
    brush.lanes();
    brush.end();
    brush.bands();
    if (this.pitch >= ALONE) {
      if (scene.layers.path) brush.path();
      brush.edges();
      brush.marks();
    } else brush.bars();
    brush.position();
    g.restore();
    brush.ruler();
    brush.labels();
  }
}

/** "15  T1  r(account1=96)  bank.c:18" */
export function eventLine(trace: Trace, event: number): string {
  return `${event}  ${printable(trace.threadName(event), 40)}  ${operation(trace, event)}  ${printable(trace.locationName(event), 60)}`;
}

export function operation(trace: Trace, event: number, most = 60, withValue = true): string {
  const value = withValue ? trace.value(event) : null;
  return `${trace.op(event)}(${printable(trace.objectName(event), most)}${value === null ? "" : `=${shownValue(value)}`})`;
}

/** Which colour, by what an event does. */
export function colourName(trace: Trace, event: number): string {
  const traits = trace.traits(event);
  if (traits & WRITES) return "write";
  if (traits & READS) return "read";
  if (traits & LOCK || trace.class(event) === "lock") return "lock";
  if (trace.class(event) === "thread") return "thread";
  return trace.op(event) === "mark" || trace.class(event) === "block" ? "mark" : "sync";
}

class Brush {
  private readonly trace: Trace;

  constructor(
    private readonly g: CanvasRenderingContext2D,
    private readonly scene: Scene,
    private readonly colours: Colours,
    private readonly x: ScaleLinear<number, number>,
    private readonly pitch: number,
    private readonly from: number,
    private readonly to: number,
    private readonly scroll: number,
    private readonly width: number,
    private readonly height: number,
    private readonly lane: number,
    private readonly gutter: number,
    private readonly names: string[],
  ) {
    this.trace = scene.order.trace;
  }

  private y(lane: number): number {
    return RULER + lane * this.lane - this.scroll;
  }

  private middle(event: number): number {
    return this.y(this.trace.laneOf[this.trace.thread[event]!]!) + this.lane / 2;
  }

  private visible(lane: number): boolean {
    const top = this.y(lane);
    return top + this.lane > RULER && top < this.height;
  }

  lanes(): void {
    const { g, colours } = this;
    this.trace.lanes.forEach((_, lane) => {
      if (!this.visible(lane)) return;
      g.fillStyle = lane % 2 ? colours.back! : colours.lane!;
      g.fillRect(this.gutter, this.y(lane), this.width - this.gutter, this.lane);
    });
  }

  /** Behind the schedule comes what is next. */
  end(): void {
    const { g, scene, colours } = this;
    if (scene.order.length === scene.order.sequence.length) return;
    const left = this.x(scene.order.length + 0.5);
    g.fillStyle = colours.bad!;
    g.globalAlpha = 0.08;
    g.fillRect(left, RULER, this.width - left, this.height);
    g.globalAlpha = 1;
    g.strokeStyle = colours.bad!;
    g.setLineDash([4, 4]);
    line(g, left, RULER, left, this.height);
    g.setLineDash([]);
  }

  bands(): void {
    const { g, scene, colours } = this;
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "top";
    for (const hold of scene.order.holds) {
      if (hold.from > this.to || hold.to < this.from || !this.visible(hold.lane)) continue;
      const left = Math.max(this.gutter - 2, this.x(hold.from));
      const right = Math.min(this.width + 2, hold.to === Infinity ? this.x(scene.order.length + 0.5) : this.x(hold.to));
      if (right - left < 1) continue;
      const inset = 3 + Math.min(4, hold.depth) * 3;
      const top = this.y(hold.lane) + inset;
      g.fillStyle = lockColour(hold.lock, hold.reading ? 0.14 : 0.26);
      g.fillRect(left, top, right - left, this.lane - 2 * inset);
      if (this.pitch > EDGES) {
        g.strokeStyle = lockColour(hold.lock, 0.8);
        g.strokeRect(left + 0.5, top + 0.5, right - left - 1, this.lane - 2 * inset - 1);
      }
      if (right - left > 48 && hold.depth < 1) {
        g.fillStyle = colours.soft!;
        fitText(g, this.trace.data.names.lock?.[hold.lock] ?? "", left + 4, top + 2, right - left - 8);
      }
    }
  }

  /** The thread of control: from event to event. */
  path(): void {
    const { g, scene, colours } = this;
    if (this.pitch < EDGES) return;
    g.strokeStyle = colours.path!;
    g.lineWidth = 1.5;
    g.globalAlpha = 0.75;
    g.beginPath();
    for (let at = Math.max(1, this.from - 1); at <= Math.min(this.to, scene.order.length); at++) {
      const e = scene.order.sequence[at - 1]!;
      if (at === Math.max(1, this.from - 1)) g.moveTo(this.x(at), this.middle(e));
      else g.lineTo(this.x(at), this.middle(e));
    }
    g.stroke();
    g.globalAlpha = 1;
    g.lineWidth = 1;
  }

  edges(): void {
    const { scene, colours } = this;
    if (scene.layers.must) this.arrows(this.trace.must, colours.thread!, []);
    if (scene.layers.locks) this.arrows(scene.order.lockEdges, colours.lock!, [5, 3]);
    if (scene.sees) this.arrow(scene.sees, scene.selected, colours.accent!, [2, 3], 1);
  }

  private arrows(edges: Uint32Array, colour: string, dash: number[]): void {
    const at = this.scene.order.at;
    for (let i = 0; i < edges.length; i += 2) {
      const a = at[edges[i]!]!;
      const b = at[edges[i + 1]!]!;
      if (!a || !b) continue;
      const chosen = edges[i] === this.scene.selected || edges[i + 1] === this.scene.selected;
      if (!chosen && this.pitch < EDGES) continue;
      if (Math.max(a, b) < this.from || Math.min(a, b) > this.to) continue;
      this.arrow(edges[i]!, edges[i + 1]!, colour, dash, chosen ? 1 : 0.55);
    }
  }

  private arrow(from: number, to: number, colour: string, dash: number[], alpha: number): void {
    const { g } = this;
    const at = this.scene.order.at;
    if (!at[from] || !at[to]) return;
    const x1 = this.x(at[from]!);
    const y1 = this.middle(from);
    const x2 = this.x(at[to]!);
    const y2 = this.middle(to);
    const bend = Math.min(40, Math.abs(x2 - x1) / 2);
    g.strokeStyle = g.fillStyle = colour;
    g.globalAlpha = alpha;
    g.lineWidth = alpha === 1 ? 2 : 1.2;
    g.setLineDash(dash);
    g.beginPath();
    g.moveTo(x1, y1);
    g.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2 - 6, y2);
    g.stroke();
    g.setLineDash([]);
    g.beginPath();
    g.moveTo(x2 - 5, y2);
    g.lineTo(x2 - 12, y2 - 4);
    g.lineTo(x2 - 12, y2 + 4);
    g.fill();
    g.globalAlpha = g.lineWidth = 1;
  }

  marks(): void {
    const { scene } = this;
    const texts: number[] = [];
    for (let at = this.from; at <= this.to; at++) {
      const e = scene.order.sequence[at - 1]!;
      if (!this.visible(this.trace.laneOf[this.trace.thread[e]!]!)) continue;
      this.mark(e, at);
      if (this.pitch >= TEXT || (scene.faults.has(e) && this.pitch >= SHAPE)) texts.push(at);
    }
    this.captions(texts);
  }

  /** What the finding is about is written first; other texts have the room that is left in their lane. */
  private captions(positions: number[]): void {
    const { scene } = this;
    const isFault = (at: number) => scene.faults.has(scene.order.sequence[at - 1]!);
    const taken = new Map<number, [number, number][]>();
    for (const at of [...positions.filter(isFault), ...positions.filter((each) => !isFault(each))]) {
      const event = scene.order.sequence[at - 1]!;
      const lane = this.trace.laneOf[this.trace.thread[event]!]!;
      const spans = taken.get(lane) ?? [];
      const span = this.caption(event, at, spans);
      if (span) taken.set(lane, [...spans, span]);
    }
  }

  private mark(event: number, at: number): void {
    const { g, scene, colours } = this;
    const x = this.x(at);
    const y = this.middle(event);
    const fault = scene.faults.has(event);
    const pending = scene.active && at > scene.position;
    g.fillStyle = colours[colourName(this.trace, event)]!;
    g.globalAlpha = pending && !fault ? 0.45 : 1;
    if (this.pitch < SHAPE && !fault) {
      const wide = Math.max(1, this.pitch - 0.8);
      g.fillRect(x - wide / 2, y - 8, wide, 16);
    } else shape(g, this.trace, event, x, y, fault ? 7 : Math.min(6, this.pitch / 2.2));
    g.globalAlpha = 1;
    if (scene.hits.has(event)) ring(g, x, y, 9, colours.hit!, 2);
    if (fault) ring(g, x, y, 11, colours.bad!, 2.5);
    if (event === scene.selected) ring(g, x, y, fault ? 15 : 11, colours.accent!, 2);
  }

  /** The text of an event below its mark, in its lane, as far as others leave room; where it is. */
  private caption(event: number, at: number, taken: [number, number][]): [number, number] | undefined {
    const { g, scene, colours } = this;
    const x = this.x(at);
    const fault = scene.faults.has(event);
    let left = x - 6;
    let right = this.width - 2;
    for (const [from, to] of taken) {
      if (from <= left && to > left) left = to + 6;
      if (from > left && from - 6 < right) right = from - 6;
    }
    const thread = this.trace.thread[event];
    for (let next = at + 1; !fault && next <= Math.min(at + 8, scene.order.sequence.length); next++)
      if (this.trace.thread[scene.order.sequence[next - 1]!] === thread) {
        right = Math.min(right, this.x(next) - 10);
        break;
      }
    g.font = "11px ui-monospace, monospace";
    g.textBaseline = "bottom";
    g.fillStyle = colours.text!;
    const most = Math.min(fault ? 260 : 200, Math.max(right - left, fault ? 90 : 0));
    const text = operation(this.trace, event, 40, fault || most > 120);
    const wide = Math.min(most, g.measureText(text).width);
    if (fault && left + wide > right) left = Math.max(this.gutter + 2, right - wide);
    if (left > x + 12) return undefined;
    fitText(g, text, left, this.y(this.trace.laneOf[this.trace.thread[event]!]!) + this.lane - 2, most);
    return [left, left + wide];
  }

  /** A pixel column of a lane is one bar: how much is there, and of what. */
  bars(): void {
    const { g, scene, colours, trace } = this;
    const columns = Math.ceil(this.width - this.gutter) + 1;
    const names = ["read", "write", "lock", "thread", "sync", "mark"];
    const lanes = trace.lanes.length;
    const counts = new Uint32Array(columns * lanes * 3);
    const kindClass = trace.kinds.map((kind) => (kind.traits & WRITES ? 1 : kind.traits & READS ? 0 : 2));
    const { sequence } = scene.order;
    const left = this.x(0) - this.gutter;
    let most = 1;
    for (let at = this.from; at <= this.to; at++) {
      const e = sequence[at - 1]!;
      const column = Math.floor(left + at * this.pitch);
      if (column < 0 || column >= columns) continue;
      const i = (trace.laneOf[trace.thread[e]!]! * columns + column) * 3 + kindClass[trace.kind[e]!]!;
      counts[i]!++;
    }
    for (let i = 0; i < counts.length; i += 3) most = Math.max(most, counts[i]! + counts[i + 1]! + counts[i + 2]!);
    const tall = this.lane - 10;
    for (let lane = 0; lane < lanes; lane++) {
      if (!this.visible(lane)) continue;
      const low = this.y(lane) + this.lane - 4;
      for (let c = 0; c < 3; c++) {
        g.fillStyle = colours[names[c]!]!;
        for (let column = 0; column < columns; column++) {
          const n = counts[(lane * columns + column) * 3 + c]!;
          if (!n) continue;
          let below = 0;
          for (let k = 0; k < c; k++) below += counts[(lane * columns + column) * 3 + k]!;
          const high = Math.max(1.5, (n / most) * tall);
          g.fillRect(this.gutter + column, low - (below / most) * tall - high, 1, high);
        }
      }
    }
    for (const set of [scene.hits, scene.faults])
      for (const e of set) {
        const at = scene.order.at[e];
        if (at) ring(g, this.x(at), this.middle(e), set === scene.faults ? 9 : 4, set === scene.faults ? colours.bad! : colours.hit!, 2);
      }
    const chosen = scene.selected && scene.order.at[scene.selected];
    if (chosen) ring(g, this.x(chosen), this.middle(scene.selected), 11, colours.accent!, 2);
  }

  position(): void {
    const { g, scene, colours } = this;
    if (!scene.active) return;
    const x = this.x(scene.position + 0.5);
    g.strokeStyle = colours.accent!;
    g.lineWidth = 2;
    line(g, x, RULER, x, this.height);
    g.lineWidth = 1;
  }

  ruler(): void {
    const { g, scene, colours } = this;
    g.fillStyle = colours.panel!;
    g.fillRect(0, 0, this.width, RULER);
    g.strokeStyle = colours.line!;
    line(g, 0, RULER - 0.5, this.width, RULER - 0.5);
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "middle";
    g.fillStyle = colours.soft!;
    g.textAlign = "center";
    for (const tick of this.x.ticks(Math.max(2, Math.floor((this.width - this.gutter) / 90)))) {
      const x = this.x(tick);
      if (tick < 1 || tick !== Math.floor(tick) || tick > scene.order.sequence.length || x < this.gutter) continue;
      line(g, x, RULER - 4, x, RULER);
      g.fillText(grouped(tick), x, 9);
    }
    g.textAlign = "left";
    this.switches();
  }

  private switches(): void {
    const { g, scene, colours } = this;
    if (this.pitch < EDGES || scene.order.name === "observed") return;
    g.fillStyle = colours.path!;
    for (const at of scene.order.switches) {
      if (at < this.from || at > this.to) continue;
      const x = this.x(at - 0.5);
      if (x < this.gutter) continue;
      g.beginPath();
      g.moveTo(x - 4, RULER - 7);
      g.lineTo(x + 4, RULER - 7);
      g.lineTo(x, RULER);
      g.fill();
    }
  }

  labels(): void {
    const { g, colours, trace } = this;
    g.fillStyle = colours.panel!;
    g.fillRect(0, 0, this.gutter, this.height);
    g.font = NAME_FONT;
    g.textBaseline = "middle";
    g.save();
    g.beginPath();
    g.rect(0, RULER, this.gutter, this.height);
    g.clip();
    trace.lanes.forEach((_, lane) => {
      if (!this.visible(lane)) return;
      const y = this.y(lane);
      g.fillStyle = colours.text!;
      fitText(g, this.names[lane] ?? "", 10, y + this.lane / 2, this.gutter - 16);
      g.strokeStyle = colours.line!;
      line(g, 0, y + this.lane - 0.5, this.width, y + this.lane - 0.5);
    });
    g.restore();
    g.strokeStyle = colours.line!;
    line(g, this.gutter - 0.5, 0, this.gutter - 0.5, this.height);
  }
}

function line(g: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

function ring(g: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string, width: number): void {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.beginPath();
  g.arc(x, y, radius, 0, 7);
  g.stroke();
  g.lineWidth = 1;
}

/** Names that all begin alike, without that; a few characters of it stay. */
function withoutCommonStart(names: string[]): string[] {
  const first = names[0] ?? "";
  let same = 0;
  while (names.length > 1 && same < first.length && names.every((name) => name[same] === first[same])) same++;
  return same > 12 ? names.map((name) => "…" + name.slice(same - 6)) : names;
}

/** As much of a text as there is room for. */
function fitText(g: CanvasRenderingContext2D, text: string, x: number, y: number, room: number): void {
  let shown = printable(text, 200);
  const wide = g.measureText(shown).width;
  if (wide > room) {
    const keep = Math.floor((shown.length * room) / wide) - 1;
    if (keep < 3) return;
    // Names often differ in their ends: keep both.
    const front = Math.ceil(keep * 0.45);
    shown = shown.slice(0, front) + "…" + shown.slice(shown.length - (keep - front));
  }
  g.fillText(shown, x, y);
}

/** Reads are round, writes square, locks point the way, threads are diamonds. */
function shape(g: CanvasRenderingContext2D, trace: Trace, event: number, x: number, y: number, r: number): void {
  const name = colourName(trace, event);
  g.beginPath();
  if (name === "read") g.arc(x, y, r, 0, 7);
  else if (name === "write") g.rect(x - r, y - r, 2 * r, 2 * r);
  else if (name === "lock") {
    const way = trace.isAcquire(event) ? 1 : -1;
    g.moveTo(x - way * r, y - r);
    g.lineTo(x + way * r, y);
    g.lineTo(x - way * r, y + r);
  } else if (name === "thread") {
    g.moveTo(x - r, y);
    g.lineTo(x, y - r);
    g.lineTo(x + r, y);
    g.lineTo(x, y + r);
  } else g.rect(x - r / 2, y - r, r, 2 * r);
  g.fill();
}
