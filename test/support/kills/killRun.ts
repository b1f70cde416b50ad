/** One seeded run of the kill matrix: windows submit, poll and fetch, processes are killed at a step, and the gateway's ledger judges what is left. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { systemClock } from "../../../src/base/async/systemClock";
import { seeded } from "../seeded";
import type { FromProgram, ProgramOptions, SettledRow, Step, ToApp } from "./protocol";
import { steps } from "./protocol";

export interface KillPrograms {
  readonly app: string;
  readonly gateway: string;
}

export interface KillRun {
  readonly seed: number;
  readonly windows: number;
  readonly victim: "app" | "gateway" | "both";
  readonly step: Step;
}

export interface KillVerdict extends KillRun {
  readonly tasks: number;
  readonly holds: number;
  readonly unknown: number;
  /** Empty when nothing was lost, paid twice or reported wrongly. */
  readonly faults: readonly string[];
}

/** How much faster than time a run's clock is. */
const factor = 20;
/** Milliseconds until a run that does not settle is a fault. */
const patience = 60_000;
/** False of a task that has a hold. */
const claimsUnpaid = /nothing is paid|no hold|nothing was sent|not accepted/i;

function planRun(seed: number): KillRun {
  const random = seeded(seed);
  return {
    seed,
    windows: 1 + random(3),
    victim: (["app", "gateway", "both"] as const)[random(3)] ?? "app",
    step: steps[random(steps.length)] ?? "sending",
  };
}

/** So many plans from that seed on; seeds are left out where the runs would otherwise not come to every step. */
export function planRuns(first: number, count: number): readonly KillRun[] {
  const plans: KillRun[] = [];
  const missing = new Set<Step>(steps);
  for (let seed = first; plans.length < count; seed += 1) {
    const plan = planRun(seed);
    if (missing.size >= count - plans.length && !missing.has(plan.step)) continue;
    missing.delete(plan.step);
    plans.push(plan);
  }
  return plans;
}

/** `folder`: empty, of this run alone. */
export async function runKill(plan: KillRun, folder: string, programs: KillPrograms): Promise<KillVerdict> {
  const run = new Run(plan, folder, programs);
  try {
    return await run.judge();
  } finally {
    await run.end();
  }
}

class Run {
  readonly #plan: KillRun;
  readonly #random: (bound: number) => number;
  readonly #options: ProgramOptions;
  readonly #programs: KillPrograms;
  readonly #children = new Set<Child>();
  readonly #faults: string[] = [];

  constructor(plan: KillRun, folder: string, programs: KillPrograms) {
    this.#plan = plan;
    this.#random = seeded(plan.seed * 7919 + 1);
    this.#options = { folder, epoch: Date.now(), factor };
    this.#programs = programs;
  }

  async judge(): Promise<KillVerdict> {
    let gateway = await this.#startGateway();
    const windows = await Promise.all(
      Array.from({ length: this.#plan.windows }, () => this.#startApp(gateway.address)),
    );
    const prompts = await this.#live(windows, gateway.child);
    // Whoever is left goes on for a moment, then VS Code is closed altogether.
    await systemClock.delay(this.#random(300));
    for (const child of [...this.#children]) if (child !== gateway.child) await this.#kill(child);
    if (!this.#children.has(gateway.child)) gateway = await this.#startGateway(gateway.address.port);
    const rows = await this.#settle(gateway.address);
    return await this.#compare(rows, prompts, gateway.address);
  }

  async end(): Promise<void> {
    for (const child of [...this.#children]) await this.#kill(child);
  }

  /** Submits, waits for the step in the window that submitted, and kills. Returns the prompts of all intents. */
  async #live(windows: readonly Child[], gateway: Child): Promise<readonly string[]> {
    const [first] = windows;
    if (!first) return [];
    const prompts = Array.from({ length: 1 + this.#random(3) }, (_, at) => `a hill ${this.#plan.seed} ${at}`);
    const reached = first.until((message) => message.type === "step" && message.step === this.#plan.step);
    if (this.#plan.step !== "started") first.post({ type: "submit", prompts });
    if (this.#random(3) === 0) windows.at(-1)?.post({ type: "cancel" });
    // A step may not come: a window with two others polls only when it is its turn.
    await Promise.race([reached, systemClock.delay(this.#plan.step === "started" ? 0 : 2500)]);
    if (this.#plan.step === "started") first.post({ type: "submit", prompts });
    await systemClock.delay(this.#random(12));
    if (this.#plan.victim !== "gateway") await this.#kill(first);
    if (this.#plan.victim !== "app") await this.#kill(gateway);
    if (this.#random(2) === 0) windows.at(-1)?.post({ type: "reconcile" });
    return first.intended;
  }

  async #settle(address: Address): Promise<readonly SettledRow[]> {
    const app = await this.#startApp(address);
    app.post({ type: "settle" });
    const done = new AbortController();
    const settled = await Promise.race([
      app.until((message) => message.type === "settled"),
      systemClock.delay(patience, done.signal).catch(() => undefined),
    ]);
    done.abort();
    if (settled?.type !== "settled") {
      this.#faults.push(`did not settle in ${patience / 1000} s`);
      return [];
    }
    await this.#kill(app);
    return settled.rows;
  }

  async #compare(rows: readonly SettledRow[], prompts: readonly string[], { url, key }: Address): Promise<KillVerdict> {
    const ask = async <T>(path: string): Promise<T> =>
      (await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()) as T;
    const { entries } = await ask<{ entries: readonly { type: string; holdId?: string; taskId?: string }[] }>(
      "/_local/ledger",
    );
    const { findings } = await ask<{ findings: readonly { rule: string; detail: string }[] }>("/_local/conduct");
    const holds = entries.filter(({ type }) => type === "hold");
    const fault = (text: string): void => void this.#faults.push(text);
    for (const { taskId } of holds)
      if (!rows.some((row) => row.taskId === taskId)) fault(`a paid task has no row: ${String(taskId)}`);
    if (holds.length > rows.length) fault(`${holds.length} holds for ${rows.length} intents`);
    for (const row of rows) {
      const hasHold = holds.some(({ taskId }) => taskId === row.taskId);
      if (row.taskId !== undefined && !hasHold) fault(`a row names a task that the gateway lacks: ${row.taskId}`);
      if (hasHold && claimsUnpaid.test(`${row.money} ${row.sentence}`)) fault(`false: ${row.money} ${row.sentence}`);
      if (row.submission === "accepted" && row.state === "succeeded") {
        const size = await stat(row.savedAs ?? "").then(
          (file) => file.size,
          () => 0,
        );
        if (size === 0) fault(`a result is missing: ${row.prompt}`);
      }
    }
    for (const finding of findings) if (!isOwedToKill(finding)) fault(`conduct: ${finding.rule}: ${finding.detail}`);
    for (const prompt of new Set(prompts)) {
      const found = rows.filter((row) => row.prompt === prompt).length;
      if (found > 1) fault(`${found} rows for one intent`);
    }
    const unknown = rows.filter(({ submission }) => submission === "outcome-unknown").length;
    return { ...this.#plan, tasks: rows.length, holds: holds.length, unknown, faults: this.#faults };
  }

  async #startGateway(port = 0): Promise<{ readonly child: Child; readonly address: Address }> {
    const child = this.#start(this.#programs.gateway, { ...this.#options, port });
    const message = await child.until(({ type }) => type === "listening" || type === "failed");
    if (message.type !== "listening") throw new Error(`The gateway did not start: ${JSON.stringify(message)}`);
    return { child, address: message };
  }

  async #startApp(gateway: Address): Promise<Child> {
    const { url, key } = gateway;
    const child = this.#start(this.#programs.app, { ...this.#options, gateway: { url, key } });
    child.onFailure = (message) => this.#faults.push(`a window failed: ${message}`);
    await child.until((message) => message.type === "step" && message.step === "started");
    return child;
  }

  #start(program: string, options: ProgramOptions): Child {
    const child = new Child(
      fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
    );
    this.#children.add(child);
    return child;
  }

  async #kill(child: Child): Promise<void> {
    this.#children.delete(child);
    await child.kill();
  }
}

interface Address {
  readonly url: string;
  readonly key: string;
  readonly port: number;
}

class Child {
  readonly intended: string[] = [];
  onFailure: (message: string) => void = () => undefined;
  readonly #process: ChildProcess;
  readonly #said: FromProgram[] = [];
  readonly #waiting = new Set<(message: FromProgram) => void>();

  constructor(process: ChildProcess) {
    this.#process = process;
    process.on("message", (message: FromProgram) => {
      this.#said.push(message);
      if (message.type === "intended") this.intended.push(...message.prompts);
      if (message.type === "failed") this.onFailure(message.message);
      for (const waiting of this.#waiting) waiting(message);
    });
  }

  post(message: ToApp): void {
    if (this.#process.connected) this.#process.send(message);
  }

  /** Resolves with the first message that fits, also one that was said before. */
  until(fits: (message: FromProgram) => boolean): Promise<FromProgram> {
    const before = this.#said.find(fits);
    if (before) return Promise.resolve(before);
    return new Promise((resolve) => {
      const wait = (message: FromProgram): void => {
        if (!fits(message)) return;
        this.#waiting.delete(wait);
        resolve(message);
      };
      this.#waiting.add(wait);
    });
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}

/**
 * What a kill or the pace explains. At this speed the 2 s between two reads are 100 ms, less than a busy machine may delay one of them; other
 * tests hold the pace. Windows are killed twice, and a response that a kill cuts off is read once more: twice and twice more.
 */
function isOwedToKill({ rule, detail }: { readonly rule: string; readonly detail: string }): boolean {
  return rule === "polled-too-fast" || (rule === "read-after-end" && Number.parseInt(detail, 10) <= 4);
}
