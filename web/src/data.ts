// What heddle writes into the page (doc/report.md), and a trace with its indexes.

export interface Kind {
  op: string;
  text: string;
  class: string;
  traits: number;
}

/** How the run of a trace ended, and what its threads waited at. */
export interface Ended {
  how: string;
  text: string;
  /** op "": what it waited for is no event, and the object says it in words. */
  next: { thread: string; op: string; object: string; location: string }[];
}

export interface TraceData {
  incomplete: boolean;
  lost: number;
  ended?: Ended;
  names: Record<string, string[]>;
  events: {
    thread: number[];
    kind: number[];
    object: number[];
    location: number[];
    size?: number[];
    value?: (number | string | null)[];
    pair: number[];
    reentrant: number[];
  };
}

export interface Claim {
  kind: "reordering" | "read" | "final" | "race" | "unordered" | "atomicity" | "state" | "deadlock" | "violation" | "stuck" | "end";
  let_go?: boolean;
  read?: number;
  variable?: number;
  sees?: number;
  writer?: number;
  challenger?: number;
  order?: string;
  first?: number;
  second?: number;
  between?: number;
  back?: number;
  next?: number;
  acquires?: number[];
  counts?: number[];
}

export interface Wait {
  thread: string;
  line: number;
  statement: string;
  lock?: string;
  holder?: string;
}

export interface Frame {
  function?: string;
  file?: string;
  line?: number;
}

/** A place or a step in words. */
export interface Line {
  role?: string;
  thread?: string;
  text?: string;
  file?: string;
  line?: number;
  location?: string;
  locks?: { name: string; reading?: boolean }[];
  stack?: Frame[];
}

/** "file:line", or what is known instead. */
export function placeOf(line: Line | Frame): string {
  if (line.file) return line.line ? `${line.file}:${line.line}` : line.file;
  return "location" in line ? (line.location ?? "") : "";
}

export interface Finding {
  rule: string;
  message?: string;
  variable?: string;
  location?: string;
  fingerprint: string;
  count: number;
  events: number[];
  claim?: Claim;
  same?: number;
  turns?: number[];
  run?: TraceData;
  no_run?: string;
  steps?: { thread: string; line: number; statement: string }[];
  after?: number[];
  waits?: Wait[];
  /** Which of the report's traces it is of, if there are several. */
  trace?: number;
  level?: string;
  proof?: string;
  known?: boolean;
  replay?: string;
  help?: string;
  places?: Line[];
  words?: Line[];
}

export interface Source {
  file: string;
  text?: string;
  missing?: string;
}

export interface States {
  model: string;
  class: string;
  threads: number[];
  counts: number[];
}

/** What the answer says, and what that rests on (doc/verdict.md). */
export interface Verdict {
  asked: string;
  found: boolean;
  complete: boolean;
  why_not: { code: string; text: string }[];
  rests_on: { code: string; what?: string; trust: "firm" | "shaky" | "accepted"; text: string }[];
}

export interface Report {
  format: number;
  heddle: string;
  kinds: Kind[];
  command: string;
  input: string;
  trace?: TraceData;
  traces?: TraceData[];
  findings: Finding[];
  left_out: number;
  complete: boolean;
  verdict: Verdict;
  seconds: number;
  result: Record<string, unknown>;
  states?: States;
  sources: Source[];
}

export const READS = 1;
export const WRITES = 2;
export const ATOMIC = 4;
export const LOCK = 8;
export const ACCESS = READS | WRITES;

export type EdgeKind = "must" | "lock";

/** A trace in typed arrays; events are numbered from 1 on, 0 is no event. */
export class Trace {
  readonly length: number;
  readonly thread: Uint32Array;
  readonly kind: Uint8Array;
  readonly object: Uint32Array;
  readonly location: Uint32Array;
  readonly pair: Uint32Array;
  /** Position of an event in its thread, from 1 on. */
  readonly place: Uint32Array;
  readonly values: (number | string | null)[] | undefined;
  readonly sizes: number[] | undefined;
  readonly reentrant: Set<number>;
  readonly threads: string[];
  /** Events of each thread, in order. */
  readonly of: number[][];
  /** Threads that have events, in order of first appearance. */
  readonly lanes: number[];
  readonly laneOf: Int32Array;
  private must_: Uint32Array | undefined;

  constructor(readonly data: TraceData, readonly kinds: Kind[]) {
    const events = data.events;
    const n = (this.length = events.thread.length);
    this.thread = column(events.thread, n);
    this.object = column(events.object, n);
    this.location = column(events.location, n);
    this.pair = column(events.pair, n);
    this.kind = new Uint8Array(n + 1);
    this.kind.set(events.kind, 1);
    this.place = new Uint32Array(n + 1);
    this.values = events.value;
    this.sizes = events.size;
    this.reentrant = new Set(events.reentrant);
    this.threads = data.names.thread ?? [];
    this.of = this.threads.map(() => []);
    this.lanes = [];
    this.laneOf = new Int32Array(this.threads.length).fill(-1);
    for (let e = 1; e <= n; e++) {
      const t = this.thread[e]!;
      if (this.laneOf[t]! < 0) {
        this.laneOf[t] = this.lanes.length;
        this.lanes.push(t);
      }
      this.place[e] = this.of[t]!.push(e);
    }
  }

  traits(event: number): number {
    return this.kinds[this.kind[event]!]!.traits;
  }

  op(event: number): string {
    return this.kinds[this.kind[event]!]!.op;
  }

  class(event: number): string {
    return this.kinds[this.kind[event]!]!.class;
  }

  objectName(event: number): string {
    return this.data.names[this.class(event)]?.[this.object[event]!] ?? "";
  }

  locationName(event: number): string {
    return this.data.names.location?.[this.location[event]!] ?? "";
  }

  threadName(event: number): string {
    return this.threads[this.thread[event]!] ?? "";
  }

  value(event: number): number | string | null {
    return this.values?.[event - 1] ?? null;
  }

  /** An acquire or release that changes a lock. */
  changesLock(event: number): boolean {
    return (this.traits(event) & LOCK) !== 0 && !this.reentrant.has(event);
  }

  isAcquire(event: number): boolean {
    return this.op(event) === "acq" || this.op(event) === "racq";
  }

  isReading(event: number): boolean {
    return this.op(event) === "racq" || this.op(event) === "rrel";
  }

  /** Must-edges between threads, as pairs from, to; of a barrier round from its last arrival. */
  get must(): Uint32Array {
    this.must_ ??= mustEdges(this);
    return this.must_;
  }
}

function column(values: number[], n: number): Uint32Array {
  const made = new Uint32Array(n + 1);
  made.set(values, 1);
  return made;
}

function mustEdges(trace: Trace): Uint32Array {
  const edges: number[] = [];
  const lastIn = new Map<number, number>();
  const add = (from: number, to: number) => {
    if (from && to && trace.thread[from] !== trace.thread[to]) edges.push(from, to);
  };
  for (let e = 1; e <= trace.length; e++) {
    const other = trace.pair[e]!;
    switch (trace.op(e)) {
      case "fork":
        add(e, other);
        break;
      case "join":
      case "recv":
        add(other, e);
        break;
      case "wake":
        add(other, e);
        if (other) add(trace.of[trace.thread[e]!]![trace.place[e]! - 2]!, other);
        break;
      case "bin":
        if (other) lastIn.set(other, e);
        break;
      case "bout":
        add(lastIn.get(other) ?? 0, e);
        break;
    }
  }
  return Uint32Array.from(edges);
}
