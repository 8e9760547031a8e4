// A table of any length of which only the rows in sight exist: findings, and the events of a schedule.
import { element } from "./text";

const ROW = 26;
const BEYOND = 6;

export interface Column {
  title: string;
  width: string;
  sortable?: boolean;
}

export class List {
  readonly root: HTMLElement;
  private readonly body = element("div", { class: "rows", tabindex: "0", role: "rowgroup" });
  private readonly spacer = element("div", { class: "spacer" });
  private readonly head = element("div", { class: "row head", role: "row" });
  private rows = 0;
  private chosen = -1;
  private asked = 0;
  /** The row to be in sight at the next frame, or -1: to ask where it is makes the browser lay the page out. */
  private revealed = -1;

  constructor(
    label: string,
    private readonly columns: Column[],
    private readonly cells: (row: number) => (string | Node)[],
    private readonly choose: (row: number) => void,
    private readonly classOf: (row: number) => string = () => "",
    sort?: (column: number) => void,
  ) {
    const template = columns.map((column) => column.width).join(" ");
    this.root = element("div", { class: "list", role: "grid", "aria-label": label });
    this.root.style.setProperty("--columns", template);
    columns.forEach((column, i) => {
      const cell = element("div", { role: "columnheader" });
      if (column.sortable && sort) {
        const button = element("button", { type: "button" }, column.title);
        button.addEventListener("click", () => sort(i));
        cell.append(button);
      } else cell.textContent = column.title;
      this.head.append(cell);
    });
    this.body.append(this.spacer);
    this.root.append(this.head, this.body);
    this.body.addEventListener("scroll", () => this.draw());
    this.body.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.body);
  }

  /** So many rows from now on; all are made anew. */
  set(rows: number, chosen: number): void {
    this.rows = rows;
    this.chosen = chosen;
    this.root.setAttribute("aria-rowcount", String(rows + 1));
    this.spacer.style.height = `${rows * ROW}px`;
    this.draw();
  }

  select(row: number): void {
    this.chosen = row;
    this.revealed = row;
    this.draw();
  }

  private scrollTo(row: number): void {
    const top = row * ROW;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    if (top + ROW > this.body.scrollTop + this.body.clientHeight) this.body.scrollTop = top + ROW - this.body.clientHeight;
  }

  focus(): void {
    this.body.focus();
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.body.clientHeight / ROW) - 1);
    const by: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const move = by[event.key];
    if (move === undefined || !this.rows) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(Math.max(0, Math.min(this.rows - 1, this.chosen + move)));
  }

  draw(): void {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.paint();
    });
  }

  private paint(): void {
    if (this.revealed >= 0) this.scrollTo(this.revealed);
    this.revealed = -1;
    const from = Math.max(0, Math.floor(this.body.scrollTop / ROW) - BEYOND);
    const to = Math.min(this.rows, Math.ceil((this.body.scrollTop + this.body.clientHeight) / ROW) + BEYOND);
    const made: HTMLElement[] = [];
    for (let row = from; row < to; row++) made.push(this.row(row));
    this.spacer.replaceChildren(...made);
    const active = this.chosen >= from && this.chosen < to ? made[this.chosen - from]!.id : "";
    if (active) this.body.setAttribute("aria-activedescendant", active);
    else this.body.removeAttribute("aria-activedescendant");
  }

  private row(row: number): HTMLElement {
    const name = this.root.getAttribute("aria-label")!.replace(/\W/g, "");
    const made = element("div", {
      class: `row ${this.classOf(row)}`,
      role: "row",
      id: `${name}-${row}`,
      "aria-rowindex": String(row + 2),
      "aria-selected": String(row === this.chosen),
    });
    made.style.top = `${row * ROW}px`;
    for (const cell of this.cells(row)) {
      const box = element("div", { role: "gridcell" }, cell);
      box.title = box.textContent ?? ""; // the column may be too narrow for it
      made.append(box);
    }
    made.addEventListener("click", () => this.choose(row));
    return made;
  }

  get width(): number {
    return this.columns.length;
  }
}
