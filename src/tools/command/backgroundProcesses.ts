/** The commands of this window that run in the background, each with the chat that started it: read, written to, waited for, ended (A13). */
import { randomUUID } from "node:crypto";
import { abortable } from "../../base/async/abort";
import type { MonotonicClock } from "../../base/clock";
import type { Disposable } from "../../base/disposable";
import { definedFields } from "../../base/definedFields";
import { Emitter, type Event } from "../../base/event";
import type { BackgroundChild, ChildEnd } from "../../domain/tools/childProcesses";
import type { BackgroundProcess } from "../../domain/tools/backgroundProcess";
import { PlainOutput } from "./commandOutput";

/** An address of this machine, as servers print theirs. */
const loopbackAddress = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{1,5})\b/i;

/** Matches the line by which a server announces that it listens. */
const announced =
  /\b(?:listen\w*|serv(?:er|es|ing|ed)|running|started|ready|available|accepting|local|loopback|open)\b/i;

/** Matches a line about a request, most likely to a server that is another program. */
const requested =
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b|\b(?:connect(?:ing|ed)?|fetch\w*|request\w*|wait\w*|prox(?:y|ie)\w*|against|fail\w*|errors?|refused|retr(?:y|ie)\w*)\b/i;

/** Characters that are kept of a line that has not ended yet. The oldest are dropped. */
const lineLength = 1000;

/** Reads from the output of a command on which port it serves, because nothing outside can look into the sandbox. */
export class ServedPort {
  #line = "";

  /** Returns the port of the first whole line that announces one: a line that has not ended may be cut within the port. */
  add(text: string): number | undefined {
    const lines = (this.#line + text).split("\n");
    this.#line = (lines.pop() ?? "").slice(-lineLength);
    for (const line of lines) {
      const port = portIn(line);
      if (port !== undefined) return port;
    }
    return undefined;
  }
}

function portIn(line: string): number | undefined {
  const [address, digits] = loopbackAddress.exec(line) ?? [];
  if (address === undefined) return undefined;
  const words = line.replace(/https?:\S*/gi, "");
  const isAlone = !/[\p{L}\p{N}]/u.test(words);
  if (requested.test(words) || !(isAlone || announced.test(words))) return undefined;
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Milliseconds without output and without a read after which a process is ended. */
const idleLimit = 3_600_000;
const idlePace = 60_000;
/** Commands of a chat that may run at the same time. */
export const processCap = 8;
/** Characters that are kept for the next read. The oldest are dropped. */
const unreadCap = 256 * 1024;
/** Characters of the last line as it is shown. */
const lineCap = 200;
/** Names of new files that are shown. */
const madeCap = 20;
/** Milliseconds between two looks for a port. */
const lookPace = 250;
/** Milliseconds between two reports of the last line. */
const reportPace = 250;

/** The result of a read. `dropped`: characters before the text that are no longer kept. */
export interface ReadOutput {
  readonly text: string;
  readonly dropped: number;
  readonly end?: ChildEnd;
}

/** How a command is named where its whole line may be too long. */
export function commandLabel(line: string): string {
  return line.slice(0, 100).toWellFormed();
}

export class Background {
  readonly id: string;
  readonly chat: string;
  readonly line: string;
  /** It runs in the sandbox without the network, so nothing that it is given can leave. */
  isConfined: boolean;
  /** Set where others may have written its output, as in `CallEffects.untrusted`. */
  untrusted: string | undefined;
  port: number | undefined;
  /** The person has ended it. */
  isUnwanted = false;
  /** See `BackgroundProcess`. */
  heldPort: number | undefined;
  readonly made = new Set<string>();
  readonly begun: number;
  end: ChildEnd | undefined;
  child: BackgroundChild | undefined;
  readonly serve: StartFacts["serve"];
  readonly #clock: MonotonicClock;
  readonly #plain = new PlainOutput();
  #served = new ServedPort();
  readonly #arrived = new Emitter<void>();
  readonly #changed: () => void;
  #unread = "";
  #dropped = 0;
  #lastLine = "";
  #active: number;

  constructor(facts: StartFacts & { readonly id: string }, clock: MonotonicClock, changed: () => void) {
    this.id = facts.id;
    this.chat = facts.chat;
    this.line = facts.line;
    this.isConfined = facts.isConfined;
    this.untrusted = facts.untrusted;
    this.port = facts.port;
    this.serve = facts.serve;
    this.#clock = clock;
    this.#changed = changed;
    this.begun = this.#active = clock.monotonic();
  }

  readonly add = (chunk: string): void => {
    this.#keep(this.#plain.add(chunk));
  };

  ended(end: ChildEnd): void {
    this.#keep(this.#plain.end());
    this.end = end;
    this.#arrived.fire();
  }

  /** From now on the output comes from a second start of the command, which has the network of this machine. */
  restartedAt(port: number): void {
    this.#keep(this.#plain.end());
    // What comes over the network may be written by anybody.
    this.untrusted ??= commandLabel(this.line);
    this.isConfined = false;
    this.port = port;
    this.heldPort = undefined;
    this.#served = new ServedPort();
    this.#keep(`(The person has restarted it with the network of this machine, where it serves port ${port}.)\n`);
  }

  /** Milliseconds, as `begun`. */
  readonly now = (): number => this.#clock.monotonic();

  get lastLine(): string {
    return this.#lastLine;
  }

  /** Milliseconds since the last read or the last output. */
  get idle(): number {
    return this.#clock.monotonic() - this.#active;
  }

  touch(): void {
    this.#active = this.#clock.monotonic();
  }

  /** Returns the output since the last read. */
  read(): ReadOutput {
    this.touch();
    const { end } = this;
    const read = { text: this.#unread, dropped: this.#dropped, ...(end === undefined ? {} : { end }) };
    this.#unread = "";
    this.#dropped = 0;
    return read;
  }

  /** Resolves with true once `isThere` accepts the unread output, and with false at the deadline or once the process has ended. */
  async waitFor(
    isThere: (unread: string) => boolean | Promise<boolean>,
    ms: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const until = this.#clock.monotonic() + ms;
    for (;;) {
      const over = new AbortController();
      try {
        // It listens before it calls `isThere`, which may take a while, so that output in between is not missed.
        const arrival = this.#nextOutput(over.signal);
        if (await isThere(this.#unread)) return true;
        const left = until - this.#clock.monotonic();
        if (this.end !== undefined || left <= 0) return false;
        const pause = this.#clock.delay(Math.min(left, lookPace), over.signal);
        await abortable(Promise.race([arrival, pause]), signal);
      } finally {
        over.abort();
      }
    }
  }

  #nextOutput(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const listening = this.#arrived.event(() => {
        listening.dispose();
        resolve();
      });
      signal.addEventListener("abort", () => listening.dispose(), { once: true });
    });
  }

  #keep(text: string): void {
    if (text === "") return;
    this.touch();
    if (this.isConfined) this.heldPort ??= this.#served.add(text);
    this.#unread += text;
    if (this.#unread.length > unreadCap) {
      const surplus = this.#unread.length - unreadCap;
      this.#unread = this.#unread.slice(surplus);
      this.#dropped += surplus;
    }
    const line = text.split("\n").findLast((one) => one.trim() !== "");
    if (line !== undefined) this.#lastLine = line.trim().slice(0, lineCap).toWellFormed();
    this.#arrived.fire();
    this.#changed();
  }
}

/** The facts of a process at its start. */
export interface StartFacts {
  readonly chat: string;
  readonly line: string;
  readonly isConfined: boolean;
  readonly untrusted: string | undefined;
  readonly port?: number | undefined;
  readonly serve?: Serving | undefined;
}

/** Starts a process of the sandbox again with the network of this machine. */
export interface Serving {
  /** Whether another program serves the port. */
  readonly isTaken: (port: number) => Promise<boolean>;
  /** Rejects where its folder is no longer in the workspace. */
  readonly start: (port: number, onOutput: (text: string) => void) => Promise<BackgroundChild>;
}

/** `taken`: another program has the port. */
export type Restart = "restarted" | "gone" | "taken" | "failed";

export class BackgroundProcesses implements Disposable {
  readonly #clock: MonotonicClock;
  readonly #changed = new Emitter<void>();
  readonly #all = new Map<string, Background>();
  readonly #over = new AbortController();
  #isWatching = false;
  #isReporting = false;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** Fires when a process was started, wrote or ended; at most a few times a second. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** The processes that run, the oldest first. */
  get running(): readonly BackgroundProcess[] {
    return [...this.#all.values()]
      .filter(({ end }) => end === undefined)
      .map(({ id, chat, line, lastLine, isConfined, port, heldPort, made }) => ({
        id,
        chat,
        line,
        lastLine,
        isConfined,
        ...definedFields({ port, heldPort, made: made.size > 0 ? [...made] : undefined }),
      }));
  }

  runningIn(chat: string): number {
    return this.running.filter((one) => one.chat === chat).length;
  }

  /** Finds a process of the chat, also one that has ended. */
  find(chat: string, id: string): Background | undefined {
    const found = this.#all.get(id);
    return found?.chat === chat ? found : undefined;
  }

  /** `start` gets the function that takes the output. */
  async start(
    facts: StartFacts,
    start: (onOutput: (text: string) => void) => Promise<BackgroundChild>,
  ): Promise<Background> {
    // The id is random, so that it differs from those of processes before a reload, which rows of the chat still name.
    const id = `p-${randomUUID().slice(0, 6)}`;
    const process = new Background({ ...facts, id }, this.#clock, () => this.#report());
    this.#all.set(id, process);
    const child = await start(process.add).catch((error: unknown) => {
      this.#all.delete(id);
      throw error;
    });
    this.#adopt(process, child);
    void this.#watch();
    return process;
  }

  /** Ends a process that serves a port in the sandbox, and starts it again with the network, under the same id. */
  async restart(id: string): Promise<Restart> {
    const process = this.#all.get(id);
    const { heldPort: port, child: former, serve } = process ?? {};
    if (!process || process.end !== undefined || port === undefined || !former || !serve) return "gone";
    if (await serve.isTaken(port)) return "taken";
    if (process.child !== former) return "gone";
    // Without a child a second click restarts nothing, and the end of the former child does not end the process.
    process.child = undefined;
    former.end();
    const ended = await former.ended;
    process.restartedAt(port);
    try {
      this.#adopt(process, await serve.start(port, process.add));
      return "restarted";
    } catch {
      process.ended(ended);
      this.#changed.fire();
      return "failed";
    }
  }

  #adopt(process: Background, child: BackgroundChild): void {
    process.child = child;
    // It was ended, or its chat or the window was closed, while it was started.
    if (this.#over.signal.aborted || !this.#all.has(process.id) || process.isUnwanted) child.end();
    void child.ended.then((end) => {
      if (process.child !== child) return;
      process.ended(end);
      this.#changed.fire();
    });
    this.#changed.fire();
  }

  /** Notes a new file of the workspace that something runs or obeys: each running process may have made it. */
  noteMade(label: string): void {
    for (const { end, made } of this.#all.values()) if (end === undefined && made.size < madeCap) made.add(label);
    this.#report();
  }

  /** Ends a command of any chat. False for one that is not there. */
  end(id: string): boolean {
    const process = this.#all.get(id);
    if (process) process.isUnwanted = true;
    process?.child?.end();
    return process?.child !== undefined;
  }

  /** Ends and forgets the processes of closed chats. */
  endOthers(isOpen: (chat: string) => boolean): void {
    for (const { id, chat } of [...this.#all.values()]) {
      if (isOpen(chat)) continue;
      this.end(id);
      this.#all.delete(id);
    }
  }

  /** Ends all of them. */
  dispose(): void {
    this.#over.abort();
    for (const { child } of this.#all.values()) child?.end();
  }

  /** Resolves when all have ended. */
  async close(): Promise<void> {
    this.dispose();
    await Promise.all([...this.#all.values()].flatMap(({ child }) => (child ? [child.ended] : [])));
  }

  #report(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    this.#clock.delay(reportPace, this.#over.signal).then(
      () => {
        this.#isReporting = false;
        this.#changed.fire();
      },
      () => undefined,
    );
  }

  /** Watches the commands as long as there is one. */
  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    try {
      while (this.running.length > 0) {
        await this.#clock.delay(idlePace, this.#over.signal);
        for (const { id, end, idle } of this.#all.values()) if (end === undefined && idle > idleLimit) this.end(id);
      }
    } catch {
      // The window is closed.
    }
    this.#isWatching = false;
  }
}
