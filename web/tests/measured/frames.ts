// Reads a trace of Chromium: how long each task of the page took, and when frames were shown.

export interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  /** In microseconds. */
  ts: number;
  dur?: number;
  /** Of these, those that the thread had a processor for. */
  tdur?: number;
  args?: { name?: string; data?: { frame?: string } };
}

/** The thread that runs the page: of the renderers' main threads the one that did the most. */
function pageThread(events: readonly TraceEvent[]): { pid: number; tid: number } {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const work = ({ pid, tid }: TraceEvent): number => events.filter((one) => one.pid === pid && one.tid === tid).length;
  const [busiest] = threads.toSorted((one, other) => work(other) - work(one));
  if (busiest === undefined) throw new Error("the trace has no page");
  return { pid: busiest.pid, tid: busiest.tid };
}

export interface Task {
  /** When it began, in milliseconds of the trace. */
  at: number;
  /** How long it took the processor, in milliseconds. What other programs did meanwhile is not in it. */
  milliseconds: number;
}

/** The tasks of the page's thread, in order. */
export function tasksOf(events: readonly TraceEvent[]): Task[] {
  const { pid, tid } = pageThread(events);
  return events
    .filter((one) => one.pid === pid && one.tid === tid && /RunTask$/.test(one.name) && one.ph === "X")
    .map(({ ts, dur = 0, tdur }) => ({ at: ts / 1000, milliseconds: (tdur ?? dur) / 1000 }))
    .toSorted((one, other) => one.at - other.at);
}

/** The milliseconds between one shown frame and the next. */
export function framesOf(events: readonly TraceEvent[]): number[] {
  const { pid } = pageThread(events);
  const shown = events
    .filter((one) => one.pid === pid && one.name === "DrawFrame")
    .map(({ ts }) => ts / 1000)
    .toSorted((one, other) => one - other);
  return shown.slice(1).map((at, index) => at - (shown[index] ?? at));
}

/** The value that this part of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
