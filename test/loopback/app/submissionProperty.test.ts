/** Random outcomes, kills and full disks, against the local gateway's ledger: no second hold, no lost task, no false sentence about money. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { type AppError, AppFailure } from "../../../src/domain/errors/appError";
import type { Gateway } from "../../../src/domain/ports";
import type { Task, TaskIntent } from "../../../src/domain/task/task";
import { connectGateway } from "../../../src/gateway/httpGateway";
import { type LocalGateway, startLocalGateway } from "../../../src/localGateway/server";
import type { TaskBoard } from "../../../src/tasks/board/board";
import { describeOutcomes } from "../../../src/tasks/view/outcomes";
import { Outbox } from "../../../src/tasks/submit/outbox";
import { taskRow } from "../../../src/tasks/view/taskRow";
import { connectTo, keptLog, home } from "../../support/builders";
import { createFaultyDatabase, type FaultyDatabase, resultCodes } from "../../support/faultyDatabase";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { openBoard } from "../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";
import { runsOf } from "../../support/runs";
import { plainEndpoint, plainOutboxPorts } from "../../support/plainPorts";

/** False while a hold may be open. */
const claims = /nothing is paid\.|no hold:|no task was made|not accepted|nothing was sent/i;

const refusals: readonly AppError[] = [
  { kind: "rate-limited", message: "slow down", status: 429, retryAfterMs: 1000 },
  { kind: "unauthorized", message: "no", status: 401 },
  { kind: "insufficient-balance", message: "too low", status: 402 },
  { kind: "forbidden", message: "no", status: 403 },
  { kind: "not-found", message: "a web page", status: 404 },
  { kind: "conflict", message: "in flight", status: 409 },
  { kind: "rejected", message: "unknown field", status: 400 },
  { kind: "unreachable", message: "refused", notSent: true },
];

/** What happens to one request on its way. */
type Outcome =
  | { readonly type: "answered" | "lost-before" | "lost-after" | "killed-before" | "killed-after" | "full-after" }
  | { readonly type: "refused"; readonly error: AppError };

type Step =
  | { readonly type: "submit"; readonly count: number; readonly outcomes: readonly Outcome[] }
  | { readonly type: "try-again"; readonly outcomes: readonly Outcome[] }
  | { readonly type: "send-again"; readonly row: number; readonly outcomes: readonly Outcome[] }
  | { readonly type: "fill-disk" | "free-disk" | "restart" | "take-key" | "give-key" }
  | { readonly type: "wait"; readonly hours: number };

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ type: "answered" } as const) },
  fc.record({ type: fc.constantFrom("lost-before", "lost-after", "killed-before", "killed-after", "full-after") }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant("refused"), error: fc.constantFrom(...refusals) }) },
);
const outcomes = fc.array(outcome, { minLength: 1, maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("submit"), count: fc.integer({ min: 1, max: 6 }), outcomes }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("send-again"), row: fc.nat(1000), outcomes }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("try-again"), outcomes }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("free-disk") }) },
  fc.record({ type: fc.constantFrom("fill-disk", "restart", "take-key", "give-key") }),
  fc.record({ type: fc.constant("wait"), hours: fc.integer({ min: 1, max: 9 }) }),
);

/** A client's whole life on one file, and what really became of each of its keys. */
class World {
  readonly #file: string;
  readonly #real: Gateway;
  readonly #clock: MovedClock;
  /** The task that the gateway made for each idempotency key, whether the client learnt it or not. */
  readonly made = new Map<string, string>();
  readonly #disks: FaultyDatabase[] = [];
  readonly #boards: TaskBoard[] = [];
  #outcomes: Outcome[] = [];
  #intents: readonly TaskIntent[] = [];
  #hasKey = true;
  #board!: TaskBoard;
  #outbox!: Outbox;

  constructor(file: string, real: Gateway, clock: MovedClock) {
    this.#file = file;
    this.#real = real;
    this.#clock = clock;
  }

  /** Opens the file as the next start of VS Code would. */
  async open(): Promise<void> {
    const disk = createFaultyDatabase({ fast: true });
    this.#disks.push(disk);
    this.#board = await openBoard(this.#file, { disk, clock: this.#clock });
    this.#boards.push(this.#board);
    const gateway: Gateway = { ...this.#real, createTask: (body) => this.#create(body, disk) };
    const connections = connectTo(gateway);
    this.#outbox = new Outbox({
      ...plainOutboxPorts,
      board: this.#board,
      clock: this.#clock,
      log: keptLog(),
      connections: {
        ...connections,
        find: () =>
          this.#hasKey
            ? Promise.resolve(gateway)
            : Promise.reject(new AppFailure({ kind: "signed-out", message: "no key", notSent: true })),
      },
    });
  }

  async #create(body: string, disk: FaultyDatabase): ReturnType<Gateway["createTask"]> {
    const { idempotency_key: key } = JSON.parse(body) as { idempotency_key: string };
    if (disk.isDead) return never();
    const way = this.#outcomes.shift() ?? { type: "answered" };
    if (way.type === "refused") throw new AppFailure(way.error);
    if (way.type === "lost-before") throw new AppFailure({ kind: "unreachable", message: "reset" });
    if (way.type === "killed-before") {
      disk.kill();
      return never();
    }
    const created = await this.#real.createTask(body);
    assert.equal(this.made.get(key) ?? created.taskId, created.taskId, "one task per key");
    this.made.set(key, created.taskId);
    if (way.type === "lost-after") throw new AppFailure({ kind: "timed-out", message: "no answer" });
    if (way.type === "killed-after") {
      disk.kill();
      return never();
    }
    if (way.type === "full-after") disk.commits = resultCodes.full;
    return created;
  }

  async take(next: Step): Promise<void> {
    const disk = this.#disks.at(-1)!;
    switch (next.type) {
      case "submit":
        this.#outcomes = [...next.outcomes];
        this.#intents = await this.#outbox.prepare(
          Array.from({ length: next.count }, () => ({ type: "async-image", model: "demo-image", prompt: "fog" })),
          home,
        );
        await this.#untilDoneOrKilled(this.#outbox.send(this.#intents));
        return;
      case "try-again":
        this.#outcomes = [...next.outcomes];
        await this.#untilDoneOrKilled(this.#outbox.send(this.#intents));
        return;
      case "send-again": {
        this.#outcomes = [...next.outcomes];
        const ids = [...this.#board.tasks.keys()];
        const id = ids[next.row % Math.max(1, ids.length)];
        if (id !== undefined) await this.#untilDoneOrKilled(this.#outbox.sendAgain(this.#board.see(id)));
        return;
      }
      case "fill-disk":
        disk.commits = resultCodes.full;
        return;
      case "free-disk":
        disk.commits = undefined;
        await this.#board.flush();
        return;
      case "restart":
        disk.kill();
        this.#intents = [];
        await this.open();
        return;
      case "take-key":
      case "give-key":
        this.#hasKey = next.type === "give-key";
        return;
      case "wait":
        await this.#clock.advance(next.hours * 3_600_000);
    }
  }

  async #untilDoneOrKilled(sending: Promise<unknown>): Promise<void> {
    const disk = this.#disks.at(-1)!;
    // Only a full disk ends a submission with an error, and then nothing was sent.
    await Promise.race([sending, disk.died]).catch((failure: unknown) => {
      assert.ok(failure instanceof AppFailure && failure.error.kind === "storage" && failure.error.notSent);
      for (const { idempotencyKey } of this.#intents) assert.ok(!this.made.has(idempotencyKey));
    });
    if (!disk.isDead) return;
    this.#intents = [];
    await this.open();
  }

  /** Every sentence that is shown, against what the gateway has done. */
  check(): void {
    const rows = new Map([...this.#board.tasks.values()].map((task) => [task.intent.idempotencyKey, task]));
    for (const [key, taskId] of this.made) {
      const task = rows.get(key);
      assert.ok(task, "a task that may be paid has a row");
      const { submission } = task;
      assert.ok(submission.state === "accepted" || submission.state === "outcome-unknown", submission.state);
      if (submission.state === "accepted") assert.equal(submission.taskId, taskId);
      assert.doesNotMatch(this.#words(task), claims);
    }
    for (const task of rows.values()) {
      if (task.submission.state === "outcome-unknown") assert.doesNotMatch(this.#words(task), claims);
      if (task.submission.state === "accepted") assert.ok(this.made.has(task.intent.idempotencyKey));
    }
  }

  async close(): Promise<void> {
    for (const board of this.#boards.splice(0)) await board.close();
    for (const disk of this.#disks.splice(0)) disk.close();
  }

  #words(task: Task): string {
    const row = taskRow(task, this.#clock.now(), "en");
    const told = describeOutcomes([task], this.#board.unwritten.current)?.description;
    return [row.description, row.state, row.money, row.spoken, told?.title, told?.meaning].join("\n");
  }

  /** With disk and key back, Reconcile finds every task whose key the gateway still has. */
  async reconcileAll(): Promise<void> {
    this.#outcomes = [];
    this.#hasKey = true;
    this.#disks.at(-1)!.kill();
    await this.open();
    for (const [id, { submission, intent }] of this.#board.tasks) {
      if (submission.state !== "outcome-unknown" || this.#outbox.isKeyOld(id)) continue;
      await this.#outbox.sendAgain(this.#board.see(id));
      assert.equal(this.#board.tasks.get(id)?.submission.state, "accepted", intent.idempotencyKey);
    }
    this.check();
    await this.close();
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Of a hundred steps. */
const runs = runsOf(100);

describe("submissions over random outcomes, kills and full disks", () => {
  let folder: TemporaryFolder;
  let clock: MovedClock;
  let gateway: LocalGateway;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    clock = createMovedClock();
    gateway = await startLocalGateway({ stateDir: join(folder.path, "gateway"), clock, deposit: 1e12 });
  });
  afterEach(async () => {
    await gateway.close();
    await folder.remove();
  });

  it(`T1, R3 (finding 1, 2, 38): ${100 * runs} steps: one hold for each key, a row for each task, no sentence that is false`, async () => {
    const real = connectGateway({ ...plainEndpoint, baseUrl: gateway.url, key: gateway.key });
    let worlds = 0;
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 100 }), async (steps) => {
        worlds += 1;
        const world = new World(join(folder.path, `${worlds}.db`), real, clock);
        try {
          await world.open();
          for (const next of steps) {
            await world.take(next);
            world.check();
          }
          await world.reconcileAll();
        } finally {
          await world.close();
        }
        made += world.made.size;
      }),
      { numRuns: runs, endOnFailure: true },
    );
    await gateway.flushed();
    const response = await fetch(`${gateway.url}/_local/ledger`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    const { entries } = (await response.json()) as { entries: { type: string }[] };
    assert.ok(made > 10 * runs, String(made));
    assert.equal(entries.filter(({ type }) => type === "hold").length, made, "one hold for each key, none beside them");
    await real.close();
  }).timeout(180_000 + runs * 4_000);
});
