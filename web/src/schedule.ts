// An order of events of a trace: the observed one, or that of a witness, with what follows from it:
// where each event is, who holds which lock when, which lock was handed to whom.
import { Finding, Trace } from "./data";

export interface Hold {
  lock: number;
  lane: number;
  from: number;
  /** Position of the release, Infinity if there is none. */
  to: number;
  depth: number;
  reading: boolean;
}

export class Order {
  /** Position of an event, from 1 on; 0: it is not in. */
  readonly at: Uint32Array;
  readonly holds: Hold[] = [];
  /** Release to the next acquire of the lock in another thread: pairs of events. */
  readonly lockEdges: Uint32Array;
  readonly switches: number[] = [];
  /** How many of the sequence are in the schedule; the rest is next after it. */
  readonly length: number;

  constructor(
    readonly trace: Trace,
    readonly sequence: Uint32Array,
    readonly name: "observed" | "witness" | "run",
    next = 0,
    /** The events at the end cannot be taken: they wait for locks. */
    readonly blocked = false,
  ) {
    this.length = sequence.length - next;
    this.at = new Uint32Array(trace.length + 1);
    sequence.forEach((event, i) => (this.at[event] = i + 1));
    const edges: number[] = [];
    const open = new Map<number, Hold>();
    const lastRelease = new Map<number, number>();
    const depth = new Int32Array(trace.lanes.length);
    for (let i = 0; i < sequence.length; i++) {
      const e = sequence[i]!;
      const thread = trace.thread[e]!;
      if (i > 0 && i < this.length && trace.thread[sequence[i - 1]!] !== thread) this.switches.push(i + 1);
      if (!trace.changesLock(e) || i >= this.length) continue;
      const lock = trace.object[e]!;
      const lane = trace.laneOf[thread]!;
      const key = lock * trace.threads.length + thread;
      if (trace.isAcquire(e)) {
        const hold = { lock, lane, from: i + 1, to: Infinity, depth: depth[lane]!++, reading: trace.isReading(e) };
        this.holds.push(hold);
        open.set(key, hold);
        const before = lastRelease.get(lock);
        if (before && trace.thread[before] !== thread) edges.push(before, e);
      } else {
        const hold = open.get(key);
        if (hold) hold.to = i + 1;
        open.delete(key);
        depth[lane]!--;
        lastRelease.set(lock, e);
      }
    }
    this.lockEdges = Uint32Array.from(edges);
  }

  /** Position of the switch before or after a position. */
  switchFrom(position: number, direction: 1 | -1): number {
    const all = this.switches;
    if (direction > 0) return all.find((at) => at > position) ?? this.sequence.length;
    for (let i = all.length - 1; i >= 0; i--) if (all[i]! < position) return all[i]!;
    return 0;
  }
}

export function observed(trace: Trace, name: "observed" | "run" = "observed"): Order {
  const all = new Uint32Array(trace.length);
  for (let i = 0; i < all.length; i++) all[i] = i + 1;
  return new Order(trace, all, name);
}

/** The events that a claim says are next after its schedule. */
export function nextEvents(finding: Finding): number[] {
  const claim = finding.claim;
  if (!claim) return [];
  if (claim.kind === "race") return [claim.first!, claim.second!];
  if (claim.kind === "atomicity") return [claim.next!];
  if (claim.kind === "read") return [claim.read!];
  if (claim.kind === "deadlock") return claim.acquires ?? [];
  return [];
}

/** Turns of threads back into events. */
export function scheduleOf(trace: Trace, finding: Finding): number[] | undefined {
  if (finding.same === undefined || !finding.turns) return undefined;
  const events: number[] = [];
  const done = new Uint32Array(trace.threads.length);
  const take = (thread: number) => events.push(trace.of[thread]![done[thread]!++]!);
  for (let e = 1; e <= finding.same; e++) take(trace.thread[e]!);
  for (let i = 0; i < finding.turns.length; i += 2)
    for (let k = 0; k < finding.turns[i + 1]!; k++) take(finding.turns[i]!);
  return events;
}

export function witnessOf(trace: Trace, finding: Finding): Order | undefined {
  const events = scheduleOf(trace, finding);
  if (!events) return undefined;
  const next = nextEvents(finding);
  return new Order(trace, Uint32Array.from([...events, ...next]), "witness", next.length, finding.claim?.kind === "deadlock");
}
