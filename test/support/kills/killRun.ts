/** One seeded run of the kill matrix: windows submit, poll and fetch, processes are killed at a step, and the gateway's ledger judges what is left. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import { openNative } from "../../../src/base/database/runtime";
import { numberIn, SqlConnection } from "../../../src/base/database/sqlConnection";
import type { Fault } from "../../faults/faultSwitches";
import { seeded } from "../seeded";
import { type FromProgram, type ProgramOptions, type SettledRow, type Step, type ToApp, steps } from "./protocol";
import { judgeRows } from "./judgeRows";
import { type Mishap, mishaps, type Scene } from "./mishaps";

export interface KillPrograms {
  readonly app: string;
  readonly gateway: string;
}

export interface KillRun {
  readonly seed: number;
  readonly windows: number;
  readonly victim: "app" | "gateway" | "both";
  readonly step: Step;
  /** The name of what else happens. */
  readonly mishap: string;
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
/** Milliseconds until a run that does not settle is a fault. The fast clock also shortens what requests may take, so half a second without the processor costs a try and its pause. */
const patience = 240_000;
function planRun(seed: number): KillRun {
  const random = seeded(seed);
  const windows = 1 + random(3);
  const victim = (["app", "gateway", "both"] as const)[random(3)] ?? "app";
  const step = steps[random(steps.length)] ?? "sending";
  const { name: mishap, windows: least = 1 } = mishaps[random(mishaps.length)] ?? mishaps[0]!;
  return { seed, windows: Math.max(windows, least), victim, step, mishap };
}

/** Makes `count` plans from that seed on; seeds are left out where the runs would otherwise not come to every step. */
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
  readonly #mishap: Mishap;

  constructor(plan: KillRun, folder: string, programs: KillPrograms) {
    this.#plan = plan;
    this.#mishap = mishaps.find(({ name }) => name === plan.mishap) ?? mishaps[0]!;
    this.#random = seeded(plan.seed * 7919 + 1);
    const { cap = 0 } = this.#mishap;
    this.#options = { folder, epoch: Date.now(), factor, cap };
    this.#programs = programs;
  }

  async judge(): Promise<KillVerdict> {
    const { faults = [], closed } = this.#mishap;
    let gateway = await this.#startGateway(0, faults);
    const windows = await Promise.all(
      Array.from({ length: this.#plan.windows }, () => this.#startApp(gateway.address)),
    );
    const prompts = await this.#live(windows, gateway.child);
    // The windows that are left go on for a moment, then VS Code is closed altogether.
    await systemClock.delay(this.#random(300));
    for (const child of [...this.#children]) if (child !== gateway.child) await this.#kill(child);
    if (!this.#children.has(gateway.child)) gateway = await this.#startGateway(gateway.address.port);
    await closed?.(this.#scene(windows));
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
    const { tasks = 3, before, submitted, meanwhile } = this.#mishap;
    const prompts = Array.from({ length: 1 + this.#random(tasks) }, (_, at) => `a hill ${this.#plan.seed} ${at}`);
    const scene = this.#scene(windows);
    await before?.(scene);
    const reached = first.until((message) => message.type === "step" && message.step === this.#plan.step);
    if (this.#plan.step !== "started") first.post({ type: "submit", prompts });
    if (this.#random(3) === 0) windows.at(-1)?.post({ type: "cancel" });
    if (this.#plan.step !== "started") await submitted?.(scene);
    // A step may not come: a window with two others polls only when it is its turn.
    await Promise.race([reached, systemClock.delay(this.#plan.step === "started" ? 0 : 2500)]);
    if (this.#plan.step === "started") {
      first.post({ type: "submit", prompts });
      await submitted?.(scene);
    }
    await meanwhile?.(scene);
    await systemClock.delay(this.#random(12));
    if (this.#plan.victim !== "gateway") await this.#kill(first);
    if (this.#plan.victim !== "app") await this.#kill(gateway);
    if (this.#random(2) === 0) windows.at(-1)?.post({ type: "reconcile" });
    return first.intended;
  }

  #scene(windows: readonly Child[]): Scene {
    return {
      folder: this.#options.folder,
      windows,
      random: this.#random,
      submit: (...prompts) => windows[0]?.post({ type: "submit", prompts }),
      fault: (text) => void this.#faults.push(text),
    };
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

  async #compare(rows: readonly SettledRow[], prompts: readonly string[], address: Address): Promise<KillVerdict> {
    const { holds, faults } = await judgeRows(rows, prompts, address, this.#mishap, pollersIn(this.#options.folder));
    const unknown = rows.filter(({ submission }) => submission === "outcome-unknown").length;
    return { ...this.#plan, tasks: rows.length, holds, unknown, faults: [...this.#faults, ...faults] };
  }

  async #startGateway(
    port = 0,
    faults: readonly Fault[] = [],
  ): Promise<{ readonly child: Child; readonly address: Address }> {
    const child = this.#start(this.#programs.gateway, { ...this.#options, port, faults });
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

/** How often the polling changed hands; a run in which nothing was accepted may have no such file. */
function pollersIn(folder: string): number {
  const path = join(folder, "polling.db");
  if (!existsSync(path)) return 0;
  // It is not opened read-only, because the kill may have left a transaction that is rolled back first.
  const connection = new SqlConnection(openNative(path, { readOnly: false }));
  try {
    return numberIn(connection.value("SELECT coalesce(max(token), 0) FROM lease"));
  } finally {
    connection.close();
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
