/** *Check Now* over the local gateway: one read, before the schedule would come to it. */
import assert from "node:assert/strict";
import { AppFailure } from "../../../src/domain/errors/appError";
import { isReleaseNotSeen } from "../../../src/tasks/money";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { TaskBench } from "./taskBench";

describe("Check Now over the local gateway", () => {
  let over: AppOverGateway;
  let bench: TaskBench;
  let clock: MovedClock;
  beforeEach(async () => {
    clock = createMovedClock();
    over = await openAppOverGateway({ clock, pollClock: clock });
    bench = new TaskBench(over, clock);
  });
  afterEach(() => over.close());

  const breakRoute = (route: string): void =>
    void over.gateway.faults.arm({ name: "http.status", route, value: { status: 503 } });

  it("T4 (finding N5): a task whose reads fail is read at once, within what the account waits after a failure", async () => {
    const id = await bench.running("[slow] a hill");
    breakRoute("GET /v1/tasks/{task_id}");
    await bench.reaches(id, ({ stale }) => stale !== undefined && clock.now() - stale.since > 60_000);
    await assert.rejects(bench.during(over.app.checkTask(id)), AppFailure);
    over.gateway.faults.clear();
    const asked = clock.now();
    await bench.during(over.app.checkTask(id));
    assert.equal(bench.accepted(id).stale, undefined);
    assert.ok(clock.now() - asked < 5_000, `${clock.now() - asked} ms`);
  });

  it("T10 (finding N5): of an ended task whose release was not seen the events are read again", async () => {
    breakRoute("GET /v1/tasks/{task_id}/events");
    const id = await bench.running("a hill [fail]");
    await bench.ends(id, "failed");
    assert.ok(isReleaseNotSeen(bench.task(id)));
    over.gateway.faults.clear();
    await bench.during(over.app.checkTask(id));
    assert.ok(!isReleaseNotSeen(bench.task(id)));
  });
});
