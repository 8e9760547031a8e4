// The program's text beside the events, as far as heddle could read it.
import { Report } from "./data";
import { byId, element, printable } from "./text";

const AROUND = 400;

export interface Place {
  file: string;
  line: number;
}

/** "file:line" or "file:line:column". */
export function placeOf(location: string): Place | undefined {
  const match = /^(.+?):(\d+)(?::\d+)?$/.exec(location);
  return match ? { file: match[1]!, line: Number(match[2]) } : undefined;
}

export class SourceView {
  private readonly texts = new Map<string, string[]>();
  private readonly missing = new Map<string, string>();
  private readonly box = byId("source");
  private shown = "";
  private asked = 0;

  constructor(report: Report) {
    for (const source of report.sources)
      if (source.text !== undefined) this.texts.set(source.file, source.text.split("\n"));
      else this.missing.set(source.file, source.missing ?? "");
  }

  /** Shows a line, and which other lines of the file the finding is about. */
  show(location: string, marked: string[]): void {
    const place = placeOf(location);
    const title = byId("source-title");
    title.textContent = printable(location, 80);
    const lines = place && this.texts.get(place.file);
    if (!place || !lines) {
      this.shown = "";
      const why = place ? `not in this report: ${this.missing.get(place.file) ?? "not looked for"}` : "no source line is known for this event";
      this.box.replaceChildren(element("p", { class: "note" }, place ? `${printable(place.file, 80)} is ${why}.` : `${why[0]!.toUpperCase()}${why.slice(1)}.`));
      return;
    }
    const from = Math.max(1, place.line - AROUND);
    const to = Math.min(lines.length, place.line + AROUND);
    const key = `${place.file}:${from}:${marked.join()}`;
    if (this.shown !== key) this.fill(lines, place.file, from, to, marked);
    this.shown = key;
    this.light(place.line);
  }

  private fill(lines: string[], file: string, from: number, to: number, marked: string[]): void {
    const faults = new Set(marked.map(placeOf).filter((place) => place?.file === file).map((place) => place!.line));
    const list = element("ol", { start: String(from), tabindex: "0", "aria-label": `Source of ${printable(file, 60)}` });
    for (let line = from; line <= to; line++) {
      const text = printable((lines[line - 1] ?? "").replace(/\r$/, "").replace(/\t/g, "    "), 2000);
      const item = element("li", { "data-line": String(line) }, element("code", {}, text));
      if (faults.has(line)) item.classList.add("fault");
      list.append(item);
    }
    this.box.replaceChildren(list);
  }

  private light(line: number): void {
    this.box.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.box.querySelector<HTMLElement>(`[data-line="${line}"]`);
    if (!item) return;
    item.setAttribute("aria-current", "step");
    cancelAnimationFrame(this.asked);
    this.asked = requestAnimationFrame(() => this.scrollTo(item));
  }

  private scrollTo(item: HTMLElement): void {
    const list = item.parentElement;
    if (!list) return;
    if (item.offsetTop < list.scrollTop + 20 || item.offsetTop > list.scrollTop + list.clientHeight - 40)
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
  }
}
