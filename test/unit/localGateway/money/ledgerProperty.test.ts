/** L3: thousands of random operations with crashes between them: the sums agree after each, and replay to the same. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Charges, chatPrice } from "../../../../src/localGateway/charges";
import { listAccounts, prepareAccounts, readEntries, Ledger } from "../../../../src/localGateway/ledger";
import { HttpError } from "../../../../src/localGateway/http/httpError";
import { openState } from "../../../../src/localGateway/tasks/gatewayTask";
import type { StateDatabase, Balance } from "../../../../src/localGateway/state/stateDatabase";
import { createRandom } from "../../../../src/localGateway/demo/seededRandom";
import { taskTypeWords } from "../../../../src/localGateway/demo/taskKinds";
import { TaskEngine } from "../../../../src/localGateway/tasks/taskEngine";
import { createMovedClock } from "../../../support/movedClock";
import { openWithoutSync } from "../../../support/openWithoutSync";
import { firstSeed, runsOf } from "../../../support/runs";
import { plainEngineOptions } from "../../../support/plainOptions";

interface Gateway {
  readonly state: StateDatabase;
  readonly charges: Charges;
  readonly engine: TaskEngine;
}

function assertSound({ deposited, available, held, spent }: Balance): void {
  assert.equal(available + held + spent, deposited);
  for (const sum of [deposited, available, held, spent]) assert.ok(Number.isSafeInteger(sum) && sum >= 0);
}

const seed = 20_260_114 + firstSeed;
const wanted = runsOf(10_000, 2_500);

describe("local gateway: ledger under load", () => {
  it(`L3: ${wanted} random operations with crashes: available + held + spent = deposited after each, in two accounts`, async () => {
    const random = createRandom(seed);
    const clock = createMovedClock();
    const folder = await mkdtemp(join(tmpdir(), "ledger-"));
    const done: Record<string, number> = {};
    let operations = 0;
    let stateDir = "";
    const start = async (): Promise<Gateway> => {
      const state = await openState({
        stateDir,
        clock,
        deposit: 20_000,
        openNative: openWithoutSync,
      });
      const charges = await Charges.open(state, clock);
      await state.change((connection) => prepareAccounts(connection, clock.now(), { wanted: ["other"] }));
      return { state, charges, engine: new TaskEngine({ state, clock, ...plainEngineOptions }) };
    };
    const refused =
      (...statuses: number[]) =>
      (error: unknown): undefined => {
        assert.ok(error instanceof HttpError && statuses.includes(error.status), String(error));
        return undefined;
      };
    while (operations < wanted) {
      stateDir = join(folder, `life-${operations}`);
      let gateway = await start();
      const taskByKey = new Map<number, string>();
      const anyTask = (): string =>
        [...taskByKey.values()][random.integer(0, Math.max(0, taskByKey.size - 1))] ?? "none";
      const steps: Record<string, () => Promise<unknown>> = {
        async create() {
          const key = random.integer(0, 300);
          const type = taskTypeWords[key % 3]!;
          const prompt = ["sea", "hill [fail]", "hill [slow]", "hill [stuck]"][key % 4]!;
          const order = {
            account: key % 5 === 0 ? 2 : 1,
            type,
            prompt,
            model: "demo-image",
            seed: 3,
            isSeedRequested: false,
            requestId: "req",
            idempotencyKey: `key-${key}`,
            fingerprint: random.next() < 0.05 ? "another" : "same",
          };
          const made = await gateway.engine.create(order).catch(refused(402, 409));
          if (made === undefined) return;
          assert.equal(made.replayed, taskByKey.get(key) === made.task.taskId, "one task and one hold per key");
          taskByKey.set(key, made.task.taskId);
        },
        cancel: () => gateway.engine.cancel(anyTask(), "test").catch(refused(404, 409)),
        refund: () => gateway.engine.refund(anyTask(), "test").catch(refused(404, 409)),
        deposit: () => {
          const [amount, account] = [random.integer(1, 3000), random.integer(1, 2)];
          return gateway.state.change((connection) => new Ledger(connection, clock.now(), account).deposit(amount));
        },
        async chat() {
          const [input, output] = [random.integer(1, 5000), random.integer(0, 4000)];
          const before = gateway.state.balance;
          const hangsUp = random.next() < 0.3;
          const run = gateway.charges.run(
            { account: 1, input, maxOutput: random.pick([100, 1000, Infinity]) },
            async (meter) => {
              meter.count(output);
              assert.ok(gateway.state.balance.held > before.held);
              await Promise.resolve();
              if (hangsUp) throw new DOMException("gone", "AbortError");
            },
          );
          const ended = await run.then(
            () => "settled",
            (error: unknown) => (error instanceof DOMException ? "settled" : refused(402)(error)),
          );
          if (ended === undefined) return;
          const cost = output === 0 ? 0 : Math.min(chatPrice(input, output), before.available);
          assert.equal(gateway.state.balance.available, before.available - cost);
        },
        async advance() {
          await clock.advance(random.integer(0, 20_000));
          await gateway.state.flushed();
        },
        async crash() {
          const { state, engine } = gateway;
          const midChat = random.next() < 0.3;
          if (midChat) {
            // The answer is never finished: what is known of it at the next start is its hold.
            const held = new Promise<void>((resolve) => {
              const forever = gateway.charges.run({ account: 1, input: 100, maxOutput: 200 }, () => {
                resolve();
                return new Promise(() => undefined);
              });
              forever.catch(() => resolve());
            });
            await held;
          }
          const before = state.balance;
          const openHolds = state.openHolds;
          await engine.close();
          await state.close();
          gateway = await start();
          const after = gateway.state.balance;
          assert.equal(gateway.state.openHolds, midChat ? openHolds - 1 : openHolds);
          if (!midChat) assert.deepEqual(after, before);
          else assert.equal(after.available, before.available, "settled by its estimate");
        },
      };
      const weighted = ["create", "create", "create", "create", "cancel", "refund", "deposit", "chat", "advance"];
      for (let step = 0; step < 500; step += 1, operations += 1) {
        const name = random.next() < 0.02 ? "crash" : weighted[random.integer(0, weighted.length - 1)]!;
        await steps[name]!();
        done[name] = (done[name] ?? 0) + 1;
        assertSound(gateway.state.balance);
        if (step % 20 > 0) continue;
        for (const { balance } of await gateway.state.read(listAccounts)) assertSound(balance);
      }
      const entries = await gateway.state.change((read) => [...readEntries(read), ...readEntries(read, 2)]);
      const holds = entries.filter(({ type, taskId }) => type === "hold" && taskId !== undefined).length;
      assert.equal(holds, new Set(taskByKey.values()).size);
      await clock.advance(3_600_000);
      await gateway.state.flushed();
      for (const { balance } of await gateway.state.read(listAccounts)) {
        assert.equal(balance.held, 0, "nothing stays held when every task has ended");
        assertSound(balance);
      }
      await gateway.engine.close();
      await gateway.state.close();
    }
    await rm(folder, { recursive: true });
    for (const name of ["create", "cancel", "refund", "deposit", "chat", "advance", "crash"])
      assert.ok(done[name]! > operations / 100, name);
  });
});
