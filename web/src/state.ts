// What the program's state is after so many events of an order: the last write of each variable,
// the locks that each thread holds, the next event of each thread.
import { READS, Trace, WRITES } from "./data";
import { Order } from "./schedule";
import { shownValue } from "./text";

export interface State {
  /** Last write of a variable, by number. */
  writes: Map<number, number>;
  /** Variables by last access, latest last. */
  touched: Map<number, number>;
  /** Locks held by a thread, with how. */
  held: Map<number, { lock: number; reading: boolean }[]>;
  /** Events of each thread that are done. */
  done: Uint32Array;
  current: number;
  /** The last event waits for a lock and is not taken. */
  waits: boolean;
  /** Of a read: the write that it sees here, and that it saw in the trace; else undefined. */
  sees: number | undefined;
  saw: number | undefined;
}

export function stateAt(order: Order, position: number): State {
  const trace = order.trace;
  const state: State = {
    writes: new Map(),
    touched: new Map(),
    held: new Map(),
    done: new Uint32Array(trace.threads.length),
    current: position > 0 ? order.sequence[position - 1]! : 0,
    waits: position > order.length && order.blocked,
    sees: undefined,
    saw: undefined,
  };
  const taken = order.blocked ? Math.min(position, order.length) : position;
  for (let i = 0; i < taken; i++) take(trace, state, order.sequence[i]!);
  return state;
}

function take(trace: Trace, state: State, event: number): void {
  const traits = trace.traits(event);
  const thread = trace.thread[event]!;
  const object = trace.object[event]!;
  state.done[thread]!++;
  state.sees = state.saw = undefined;
  if (traits & READS) {
    state.sees = state.writes.get(object) ?? 0;
    state.saw = trace.pair[event]!;
  }
  if (traits & (READS | WRITES)) {
    state.touched.delete(object);
    state.touched.set(object, event);
  }
  if (traits & WRITES) state.writes.set(object, event);
  if (!trace.changesLock(event)) return;
  let mine = state.held.get(thread);
  if (!mine) state.held.set(thread, (mine = []));
  if (trace.isAcquire(event)) mine.push({ lock: object, reading: trace.isReading(event) });
  else {
    const at = mine.findIndex((hold) => hold.lock === object);
    if (at >= 0) mine.splice(at, 1);
  }
}

/** The value that a variable has after a write, as text; of 0 the initial one. */
export function valueText(trace: Trace, write: number): string {
  if (!write) return "initial";
  const value = trace.value(write);
  return value === null ? "not known" : shownValue(value);
}
