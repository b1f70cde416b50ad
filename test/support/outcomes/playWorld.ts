/** Plays one world of the random outcomes: so many steps, and at the end everything that a person can clear up. */
import assert from "node:assert/strict";
import { isAccepted } from "../../../src/domain/task/phase";
import { fetchWhole, steps } from "./steps";
import type { World } from "./world";

/** Rejects with the seed and the last steps where anything is false, lost or paid twice. */
export async function playWorld(world: World, seed: number, count: number): Promise<void> {
  const taken: string[] = [];
  try {
    await world.open();
    for (let at = 0; at < count; at += 1) {
      const step = world.options.draws.named(steps);
      taken.push(step.name);
      await step.take(world);
      await world.check();
    }
    taken.push("the end");
    await clearUp(world);
  } catch (failure) {
    const last = taken.slice(-6).join(", ");
    throw new Error(`seed ${seed}, step ${taken.length} (… ${last}): ${String(failure)}`, { cause: failure });
  } finally {
    await world.close();
  }
}

/** With disk and key back, Reconcile finds every task whose key the gateway still has, and each result that was asked for is whole. */
async function clearUp(world: World): Promise<void> {
  world.ways = [];
  world.hasKey = true;
  world.killAll();
  const window = await world.open();
  const { board, outbox } = window;
  for (const [id, { submission, intent }] of board.listed) {
    if (submission.state !== "outcome-unknown" || (await outbox.isKeyOld(id))) continue;
    const hasBody = (await board.readBody(id)) !== undefined;
    await outbox.sendAgain(board.see(id));
    if (hasBody) assert.equal(board.listed.get(id)?.submission.state, "accepted", intent.idempotencyKey);
  }
  await world.check();
  for (const id of world.asked) {
    const task = board.all.get(id);
    if (task) await world.read(window, task);
    if (task && isAccepted(task)) await fetchWhole(world, window, task);
  }
}
