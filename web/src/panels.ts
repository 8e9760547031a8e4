// The panels at the right: the step, the threads with their locks, the values of variables.
import { Finding, Line, placeOf, Trace, Wait } from "./data";
import { endedParts, waitsAtEnd } from "./ended";
import { Order } from "./schedule";
import { State, valueText } from "./state";
import { byId, count, element, printable, shownValue } from "./text";
import { operation } from "./timeline";

const VARIABLES = 40;

function table(head: string[], rows: (string | Node)[][], chosen: number, label: string): HTMLElement {
  const body = element("tbody");
  rows.forEach((cells, i) => {
    const row = element("tr", i === chosen ? { "aria-current": "true" } : {});
    cells.forEach((cell) => row.append(element("td", typeof cell === "string" && cell.length > 16 ? { title: cell } : {}, cell)));
    body.append(row);
  });
  const heads = element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)));
  return element("table", { "aria-label": label }, element("thead", {}, heads), body);
}

export function lockList(trace: Trace, state: State, thread: number): string {
  const held = state.held.get(thread) ?? [];
  return held.map((hold) => printable(trace.data.names.lock?.[hold.lock] ?? "", 40) + (hold.reading ? " (reading)" : "")).join(", ");
}

/** Who waits at the end of a run, as explore says it, or check in words. */
function waitsOf(finding: Finding | undefined): Wait[] {
  const words = (finding?.places ?? []).filter((place) => place.role === "waits" && finding?.run);
  return finding?.waits ?? words.map((place) => ({ thread: place.thread ?? "", line: 0, statement: place.text ?? "" }));
}

/** What a thread does next: its next event; where it waits at the end of a run; or nothing more. */
function nextText(trace: Trace, state: State, thread: number, waits: Wait[]): string {
  const next = trace.of[thread]![state.done[thread]!];
  if (next) return `${next} ${operation(trace, next, 40, false)}`;
  const wait = waits.find((each) => each.thread === trace.threads[thread]);
  return wait ? `waits: ${printable(wait.statement, 60)}` : "no more events";
}

/** Does the order end as the recorded run did? */
function isRecorded(order: Order, finding: Finding | undefined): boolean {
  return order.name === "observed" || finding?.claim?.kind === "end";
}

export function showThreads(order: Order, state: State, finding: Finding | undefined): void {
  const trace = order.trace;
  const waits = isRecorded(order, finding) ? waitsAtEnd(trace) : waitsOf(finding);
  const rows = trace.lanes.map((thread) => [
    printable(trace.threads[thread] ?? "", 60),
    lockList(trace, state, thread) || "–",
    nextText(trace, state, thread, waits),
  ]);
  const current = state.current ? trace.laneOf[trace.thread[state.current]!]! : -1;
  byId("threads").replaceChildren(table(["thread", "holds", "next"], rows, current, "Threads"));
}

export function showValues(trace: Trace, state: State): void {
  const latest = [...state.touched.keys()].reverse();
  const rows = latest.slice(0, VARIABLES).map((variable) => {
    const write = state.writes.get(variable) ?? 0;
    const by = write ? `${write} ${printable(trace.threadName(write), 20)}` : "–";
    return [printable(trace.data.names.variable?.[variable] ?? "", 120), valueText(trace, write), by];
  });
  const isAccess = state.current > 0 && !state.waits && trace.class(state.current) === "variable";
  const parts: HTMLElement[] = [table(["variable", "value", "written by"], rows, isAccess ? 0 : -1, "Values")];
  if (!rows.length) parts.splice(0, 1, element("p", { class: "note" }, "No variable was accessed yet."));
  if (latest.length > VARIABLES) parts.push(element("p", { class: "note" }, `and ${count(latest.length - VARIABLES, "variable", "variables")} accessed before`));
  byId("values").replaceChildren(...parts);
}

/** What this step does, in a sentence; also for screen readers. */
export function stepText(order: Order, state: State): string {
  const trace = order.trace;
  const e = state.current;
  if (!e) return "Before the first event.";
  const kind = trace.kinds[trace.kind[e]!]!;
  const thread = printable(trace.threadName(e), 40);
  if (state.waits) return `${thread} waits for lock ${printable(trace.objectName(e))}.`;
  return `${thread}: ${kind.text}, ${operation(trace, e)}.`;
}

function seesText(trace: Trace, state: State): string {
  const write = (event: number) => (event ? `event ${event}${trace.value(event) === null ? "" : `, value ${shownValue(trace.value(event)!)}`}` : "the initial value");
  if (state.sees === state.saw) return `It sees ${write(state.sees!)}, as in the trace.`;
  return `It sees ${write(state.sees!)}; in the trace it saw ${write(state.saw!)}.`;
}

/** Around the step of a model or program. */
function machineStep(finding: Finding | undefined, position: number): string {
  const after = finding?.after;
  if (!after || !finding?.steps || !position) return "";
  const at = after.findIndex((events) => events >= position);
  const step = finding.steps[at];
  return step ? `Step ${at + 1} of ${finding.steps.length}${step.line ? `, line ${step.line}` : ""}: ${printable(step.statement, 200)}` : "";
}

function waitsList(waits: Wait[]): HTMLElement {
  const rows = waits.map((wait) => [
    printable(wait.thread, 30),
    printable(wait.statement, 80),
    wait.holder ? `${printable(wait.lock ?? "", 40)}, held by ${printable(wait.holder, 30)}` : "–",
  ]);
  return table(["thread", "waits at", "for"], rows, -1, "Who waits");
}

function faultText(finding: Finding): string {
  const message = printable(finding.message ?? "", 300);
  return message.startsWith(finding.rule) ? message : `${printable(finding.rule)}: ${message}`;
}

export function showStep(order: Order, state: State, position: number, finding: Finding | undefined, faults: Set<number>): void {
  const trace = order.trace;
  const e = state.current;
  const box = byId("step-body");
  const parts: HTMLElement[] = [element("p", { class: "sentence" }, stepText(order, state))];
  const end = position === order.sequence.length;
  if (e) {
    const place = printable(trace.locationName(e), 80) || "no place known";
    parts.push(element("p", { class: "note" }, `event ${e} · ${place} · ${position > order.length ? "next after the schedule" : `position ${position}`}`));
  }
  const machine = machineStep(finding, position);
  if (machine) parts.push(element("p", { class: "note" }, machine));
  if (state.sees !== undefined) parts.push(element("p", state.sees === state.saw ? { class: "note" } : { class: "differs" }, seesText(trace, state)));
  if (finding && (faults.has(e) || (end && order.name !== "observed")))
    parts.push(element("p", { class: "fault", id: "fault-text" }, faultText(finding)));
  if (end && isRecorded(order, finding)) parts.push(...endedParts(trace));
  if (finding?.waits && end) parts.push(waitsList(finding.waits));
  if (finding && (e === 0 || end || faults.has(e))) parts.push(...stacksOf(finding));
  box.replaceChildren(...parts, ...adviceOf(finding));
}

export function isProved(finding: Finding): boolean {
  return finding.proof ? finding.proof !== "unproved" : finding.claim !== undefined;
}

/** What the finding speaks of: each place with the locks held there and its stack. */
function stacksOf(finding: Finding): HTMLElement[] {
  const places = (finding.places ?? []).filter((place) => place.stack?.length || place.locks);
  return places.map((place) => {
    const frames = (place.stack ?? []).map((frame) => element("li", {}, `${printable(frame.function ?? "?", 60)} `, element("span", { class: "note" }, printable(placeOf(frame), 80))));
    const locks = place.locks?.map((lock) => printable(lock.name, 40) + (lock.reading ? " (reading)" : "")).join(", ");
    const held = locks === undefined ? "" : locks ? `, holding ${locks}` : ", holding no lock";
    const title = [place.role ?? "", place.thread ?? "", place.text ?? ""].filter((part) => part).map((part) => printable(part, 80)).join(" · ") + held;
    return element("div", { class: "stack" }, element("p", { class: "note" }, title), element("ol", { start: "0", "aria-label": `Stack, ${printable(place.role ?? "", 20)}` }, ...frames));
  });
}

/** How to see it again, and what helps. */
export function adviceOf(finding: Finding | undefined): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (finding?.proof) parts.push(element("p", { class: "note" }, `Proof: ${finding.proof}${finding.known ? "; known already" : ""}.`));
  if (finding?.replay) parts.push(element("p", { class: "note" }, "See again: ", element("code", {}, printable(finding.replay, 400))));
  if (finding?.help) parts.push(element("p", { class: "note" }, finding.help));
  return parts;
}

function lines(title: string, all: Line[]): HTMLElement[] {
  if (!all.length) return [];
  const rows = all.map((line) => [line.role ?? "", line.thread ?? "", line.text ?? "", placeOf(line)].map((text) => printable(text, 120)));
  return [element("h3", {}, title), table(["", "thread", "what", "place"], rows, -1, title)];
}

/** A finding that has no schedule to step through. */
export function wordsOf(finding: Finding | undefined, verdict: string): HTMLElement[] {
  if (!finding) return [element("p", { class: "empty" }, `${verdict[0]?.toUpperCase() ?? ""}${verdict.slice(1)}.`)];
  const why = finding.no_run ? [element("p", { class: "note" }, `Its schedule is not here: ${printable(finding.no_run, 300)}`)] : [];
  return [element("p", { class: "fault", id: "fault-text" }, faultText(finding)), ...why, ...lines("Places", finding.places ?? []), ...stacksOf(finding), ...lines("Steps", finding.words ?? [])];
}
