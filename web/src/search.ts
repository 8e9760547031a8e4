// Search over all events: a number, or words that must each occur in the thread, operation, object
// or place of an event.  Names are looked at once each, so a hundred thousand events take no time.
import { Trace } from "./data";
import { Order } from "./schedule";

export function search(trace: Trace, text: string): Set<number> {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word);
  const found = new Set<number>();
  if (!words.length) return found;
  const number = /^#?(\d+)$/.exec(words.join(" "));
  if (number) {
    const event = Number(number[1]);
    if (event >= 1 && event <= trace.length) found.add(event);
    if (words[0]!.startsWith("#")) return found;
  }
  const tests = words.map((word) => matcher(trace, word));
  for (let e = 1; e <= trace.length; e++) if (tests.every((test) => test(e))) found.add(e);
  return found;
}

function matcher(trace: Trace, word: string): (event: number) => boolean {
  const has = (names: string[] | undefined) => (names ?? []).map((name) => name.toLowerCase().includes(word));
  const threads = has(trace.threads);
  const places = has(trace.data.names.location);
  const kinds = trace.kinds.map((kind) => kind.op === word);
  const objects = Object.fromEntries(Object.entries(trace.data.names).map(([kind, names]) => [kind, has(names)]));
  const byKind = trace.kinds.map((kind) => objects[kind.class] ?? []);
  return (e) =>
    threads[trace.thread[e]!]! ||
    kinds[trace.kind[e]!]! ||
    places[trace.location[e]!]! ||
    byKind[trace.kind[e]!]![trace.object[e]!]!;
}

/** The first match after a position of the order, or before it; around the end. */
export function nextHit(order: Order, hits: Set<number>, position: number, direction: 1 | -1): number {
  const places = [...hits].map((event) => order.at[event]!).filter((at) => at > 0).sort((a, b) => a - b);
  if (!places.length) return 0;
  if (direction > 0) return places.find((at) => at > position) ?? places[0]!;
  for (let i = places.length - 1; i >= 0; i--) if (places[i]! < position) return places[i]!;
  return places[places.length - 1]!;
}
