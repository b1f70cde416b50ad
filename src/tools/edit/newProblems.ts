/** Reports the problems that the editor finds in a file after a change and did not find before, for the result of that change (A2). */
import { extname } from "node:path";
import type { MonotonicClock } from "../../base/clock";
import type { CodeProblem, EditorPort } from "../../domain/tools/toolPorts";

/** Milliseconds: until the first report, until the first one for a kind of file that had none after its last change, between two reports, and in all. A language server reports the syntax first and types later. */
const waits = { first: 2000, firstOfSilent: 200, next: 500, all: 5000 };
const cap = 20;
const messageLength = 300;

/** A file that a change concerns. */
export interface WatchedFile {
  /** The path by which the editor names the file. */
  readonly file: string;
  /** The path by which the model names the file. */
  readonly label: string;
  /** Whether the change creates the file. */
  readonly isNew: boolean;
}

export class NewProblems {
  readonly #editor: EditorPort;
  readonly #clock: MonotonicClock;
  /** Extensions of files that had no report after their last change. */
  readonly #silent = new Set<string>();

  constructor(editor: EditorPort, clock: MonotonicClock) {
    this.#editor = editor;
    this.#clock = clock;
  }

  /**
   * Makes the change and waits within bounds for reports about its files. `report` begins with a line end; it is empty when nothing
   * was reported; `related`: other files that it may quote. Rejects as the change does, or with an abort.
   */
  async after<T>(
    watched: readonly WatchedFile[],
    change: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ readonly result: T; readonly report: string; readonly related: readonly string[] }> {
    const { reports } = this.#editor;
    if (!reports || watched.length === 0) return { result: await change(), report: "", related: [] };
    const files = new Set(watched.map(({ file }) => file));
    const known = new Map<string, number>();
    const before = this.#problemsOf(files);
    for (const problem of before) count(known, problem, 1);
    // The earlier problems of a file that no language server had read are not known.
    const isRead = watched.every(
      ({ file, isNew }) => isNew || before.some(({ position }) => position.file === file) || reports.isRead(file),
    );
    let seen = 0;
    let notify = (): void => undefined;
    const listening = reports.onDidReport((reported) => {
      if (!reported.some((file) => files.has(file))) return;
      seen += 1;
      notify();
    });
    const next = (): Promise<void> => new Promise((resolve) => (notify = resolve));
    try {
      const result = await change();
      await Promise.all(watched.map(({ file }) => reports.read(file)));
      await this.#untilQuiet(extname(watched[0]?.file ?? ""), () => seen, next, signal);
      const added = this.#problemsOf(files).filter((problem) => count(known, problem, -1) < 0);
      if (seen === 0) return { result, report: "", related: [] };
      const related = added.slice(0, cap).flatMap((problem) => problem.related ?? []);
      return { result, report: `\n${describeProblems(added, isRead, watched)}`, related };
    } finally {
      listening.dispose();
    }
  }

  async #untilQuiet(kind: string, seen: () => number, next: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const end = this.#clock.monotonic() + waits.all;
    let left = seen() > 0 ? waits.next : this.#silent.has(kind) ? waits.firstOfSilent : waits.first;
    while (left > 0) {
      const before = seen();
      const ended = new AbortController();
      const waited = this.#clock.delay(left, AbortSignal.any([signal, ended.signal]));
      await Promise.race([waited, next()]);
      ended.abort();
      await waited.catch(() => undefined);
      signal.throwIfAborted();
      if (seen() === before) break;
      left = Math.min(waits.next, end - this.#clock.monotonic());
    }
    if (seen() === 0) this.#silent.add(kind);
    else this.#silent.delete(kind);
  }

  #problemsOf(files: ReadonlySet<string>): readonly CodeProblem[] {
    return this.#editor.problems().filter(({ position, severity }) => files.has(position.file) && severity !== "hint");
  }
}

/** Counts equal problems, whatever their lines, because a change moves them to other lines. Returns the count so far. */
function count(known: Map<string, number>, problem: CodeProblem, by: 1 | -1): number {
  const { severity, source, message, position } = problem;
  const key = JSON.stringify([position.file, severity, source, message]);
  const counted = (known.get(key) ?? 0) + by;
  known.set(key, counted);
  return counted;
}

function describeProblems(problems: readonly CodeProblem[], isRead: boolean, watched: readonly WatchedFile[]): string {
  if (problems.length === 0) return isRead ? "(no new problems)" : "(no problems)";
  const lines = problems.slice(0, cap).map(({ severity, message, source, position: { file, line, column } }) => {
    const label = watched.length > 1 ? `${watched.find((one) => one.file === file)?.label}:` : "";
    const text = message.replace(/\s+/g, " ").slice(0, messageLength).toWellFormed();
    return `${label}${line}:${column}: ${severity}: ${text}${source === "" ? "" : ` [${source}]`}`;
  });
  const left = problems.length - lines.length;
  if (left > 0) lines.push(`(and ${left} more; list_problems has all)`);
  return [
    isRead
      ? "New problems since this change:"
      : watched.length > 1
        ? "Problems of these files, old ones among them:"
        : "Problems of this file, old ones among them:",
    ...lines,
  ].join("\n");
}
