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

/** The thread that runs the page: the main thread of the renderer that showed the most frames. */
function pageThread(events: readonly TraceEvent[]): { pid: number; tid: number } {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const shown = ({ pid }: TraceEvent): number =>
    events.filter((one) => one.pid === pid && one.name === "DrawFrame").length;
  const [page] = threads.toSorted((one, other) => shown(other) - shown(one));
  if (page === undefined) throw new Error("the trace has no page");
  return { pid: page.pid, tid: page.tid };
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

/** The milliseconds between one shown frame and the next, from where the page has set a mark: before it nothing moves, and
 * nothing has to be shown. */
export function framesOf(events: readonly TraceEvent[], mark: string): number[] {
  const { pid } = pageThread(events);
  const from = events.find((one) => one.pid === pid && one.name === mark)?.ts;
  if (from === undefined) throw new Error(`the page has set no mark ${mark}`);
  const shown = events
    .filter((one) => one.pid === pid && one.name === "DrawFrame" && one.ts >= from)
    .map(({ ts }) => ts / 1000)
    .toSorted((one, other) => one - other);
  return shown.slice(1).map((at, index) => at - (shown[index] ?? at));
}

/** How often the page laid everything out anew. */
export function layoutsOf(events: readonly TraceEvent[]): number {
  const { pid, tid } = pageThread(events);
  return events.filter((one) => one.pid === pid && one.tid === tid && one.name === "Layout").length;
}

/** The value that this part of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
