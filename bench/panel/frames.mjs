// Measures what a frame costs the page's main thread: the CPU time of its tasks, with script, layout and paint. What else runs on the machine is no
// part of it.

/** @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, tts: number, dur?: number, tdur?: number }} TraceEvent times in microseconds; `tts` and `tdur`: of the thread's CPU */

/**
 * Runs `work` in the page, which names what it begins by `performance.mark`, and resolves with what it returned and milliseconds of CPU: of the tasks from a mark `frame` or `rest` to the next, and under `laid` from a mark `frame` to the mark `laid` of its number.
 * @template Task, Result
 * @param {import("playwright-core").Page} page
 * @param {(task: Task) => Promise<Result>} work
 * @param {Task} task
 */
export async function traceFrames(page, work, task) {
  const browser = page.context().browser();
  if (browser === null) throw new Error("no browser");
  await browser.startTracing(page, { categories: ["blink.user_timing", "toplevel"] });
  // In playwright's type a task is serialisable; here it is plain JSON.
  const result = await page.evaluate(/** @type {any} */ (work), task);
  const trace = JSON.parse((await browser.stopTracing()).toString());
  return { result: /** @type {Result} */ (result), frames: cpuByMark(trace.traceEvents) };
}

/** @param {readonly TraceEvent[]} events @returns {ReadonlyMap<string, number>} */
function cpuByMark(events) {
  const marks = events.filter(({ name, ph }) => ph === "I" && /^(frame|rest)\b/.test(name)).sort((a, b) => a.ts - b.ts);
  const [first] = marks;
  const tasks = events.filter(
    ({ name, ph, pid, tid }) =>
      ph === "X" && name === "ThreadControllerImpl::RunTask" && pid === first?.pid && tid === first.tid,
  );
  /** @type {Map<string, number>} */
  const frames = new Map();
  const begun = new Map(marks.map(({ name, tts }) => [name, tts]));
  for (const { name, ph, tts } of events) {
    if (ph !== "I" || !name.startsWith("laid ")) continue;
    frames.set(name, (tts - (begun.get(name.replace("laid", "frame")) ?? NaN)) / 1000);
  }
  if (tasks.every(({ tdur }) => tdur === undefined))
    throw new Error("This system's traces have no CPU time of a thread.");
  let at = 0;
  // A time of 0 is left out of a trace.
  for (const { ts, dur = 0, tdur = 0 } of tasks.sort((a, b) => a.ts - b.ts)) {
    // A mark is set in the task that begins its work.
    while ((marks[at + 1]?.ts ?? Infinity) <= ts + dur) at += 1;
    const mark = marks[at];
    if (mark !== undefined && mark.ts <= ts + dur) frames.set(mark.name, (frames.get(mark.name) ?? 0) + tdur / 1000);
  }
  return frames;
}
