// How the run of a trace ended: in the head of the page, at its last step, in the summary.
import { Ended, Trace, Wait } from "./data";
import { observed } from "./schedule";
import { stateAt } from "./state";
import { element, printable } from "./text";

/** A thread that had not ended, and what it waited for. */
export interface Stuck {
  thread: string;
  what: string;
  holder: string;
  place: string;
}

const WORDS: Record<string, string> = {
  acq: "lock",
  racq: "lock, for reading,",
  join: "the end of",
  wake: "a notification of",
  bout: "the others at barrier",
  take: "a unit of semaphore",
};

/** Did it come to an end of its own, and a good one? */
export function endedWell(ended: Ended): boolean {
  return ended.how === "exit 0";
}

/** "deadlock", "killed by signal 6, Aborted" */
export function endedText(ended: Ended): string {
  return printable(ended.text, 120);
}

/** Who holds each lock when all events are done, by its name. */
function holders(trace: Trace): Map<string, string[]> {
  const made = new Map<string, string[]>();
  for (const [thread, holds] of stateAt(observed(trace), trace.length).held)
    for (const hold of holds) {
      const lock = trace.data.names.lock?.[hold.lock] ?? "";
      made.set(lock, [...(made.get(lock) ?? []), printable(trace.threads[thread] ?? "", 40)]);
    }
  return made;
}

const made = new WeakMap<Trace, Stuck[]>();

export function stuckThreads(trace: Trace): Stuck[] {
  const next = trace.data.ended?.next ?? [];
  const locks = (op: string) => op === "acq" || op === "racq";
  let stuck = made.get(trace);
  if (stuck) return stuck;
  const held = next.some(({ op }) => locks(op)) ? holders(trace) : new Map<string, string[]>();
  stuck = next.map(({ thread, op, object, location }) => ({
    thread: printable(thread, 40),
    what: op ? `${WORDS[op] ?? op} ${printable(object, 80)}` : printable(object, 80),
    holder: locks(op) ? (held.get(object) ?? []).join(", ") : "",
    place: printable(location, 80),
  }));
  made.set(trace, stuck);
  return stuck;
}

/** For the table of threads, as a finding says who waits. */
export function waitsAtEnd(trace: Trace): Wait[] {
  return (trace.data.ended?.next ?? []).map((next) => ({
    thread: next.thread,
    line: 0,
    statement: next.op ? `${WORDS[next.op] ?? next.op} ${next.object}` : next.object,
  }));
}

/** At the last step of the observed run. */
export function endedParts(trace: Trace): HTMLElement[] {
  const ended = trace.data.ended;
  if (!ended) return [];
  const parts: HTMLElement[] = [element("p", { class: endedWell(ended) ? "note" : "fault", id: "ended-here" }, `Here the run ended: ${endedText(ended)}.`)];
  const list = element("ul", { class: "stuck", "aria-label": "Who waits" });
  for (const stuck of stuckThreads(trace)) list.append(element("li", {}, element("b", {}, stuck.thread), ` ${stuckText(stuck)}`));
  if (list.childElementCount) parts.push(list);
  return parts;
}

/** "waits for lock m, which main.1 holds, at a.c:7" */
export function stuckText(stuck: Stuck): string {
  return `waits for ${stuck.what}${stuck.holder ? `, which ${stuck.holder} holds` : ""}${stuck.place ? `, at ${stuck.place}` : ""}`;
}
