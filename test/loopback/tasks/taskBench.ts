/** A client and a local gateway on one moved clock: tasks are submitted and brought to a state, whatever the wire does meanwhile. */
import assert from "node:assert/strict";
import type { Submission, Task } from "../../../src/domain/task/task";
import type { AppOverGateway } from "../../support/appOverGateway";
import type { MovedClock } from "../../support/movedClock";

export type Accepted = Extract<Submission, { state: "accepted" }>;

/** The client and the gateway on one clock that the test moves; it does not move while a request is under way. */
export class TaskBench {
  readonly over: AppOverGateway;
  readonly clock: MovedClock;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(over: AppOverGateway, clock: MovedClock) {
    this.over = over;
    this.clock = clock;
    const { connections } = over;
    const find = connections.find.bind(connections);
    connections.find = (home) =>
      this.#counted(
        find(home).then((gateway) => ({
          ...gateway,
          getTask: (...args) => this.#counted(gateway.getTask(...args)),
          cancelTask: (...args) => this.#counted(gateway.cancelTask(...args)),
        })),
      );
  }

  #counted<T>(request: Promise<T>): Promise<T> {
    const settled: Promise<unknown> = request.catch(() => undefined).then(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
    return request;
  }

  async submit(prompt = "a hill"): Promise<string> {
    const [id] = await this.over.app.outbox.submit([{ type: "async-image", model: "demo-image", prompt }]);
    return id!;
  }

  task(id: string): Task {
    const task = this.over.app.board.listed.get(id);
    assert.ok(task);
    return task;
  }

  accepted(id: string): Accepted {
    const { submission } = this.task(id);
    assert.ok(submission.state === "accepted", submission.state);
    return submission;
  }

  /** Moves the clock once no request is under way. */
  async advance(ms: number): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.clock.advance(ms);
  }

  /** Moves the clock until the task is as it should be. */
  async reaches(id: string, isThere: (task: Accepted) => boolean): Promise<Accepted> {
    for (let step = 0; step < 400; step += 1) {
      if (isThere(this.accepted(id))) return this.accepted(id);
      await this.advance(500);
    }
    throw new Error(`never held: ${isThere.toString()} of ${JSON.stringify(this.accepted(id))}`);
  }

  /** Moves the clock while it waits: requests about tasks keep to the account's budget. */
  async during<T>(work: Promise<T>): Promise<T> {
    const ended = new AbortController();
    const settled = work.then(
      () => ended.abort(),
      () => ended.abort(),
    );
    while (!ended.signal.aborted) {
      await Promise.race([settled, this.clock.advance(250)]);
      while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    }
    return work;
  }

  async ends(id: string, state: Accepted["remote"]["state"]): Promise<Accepted> {
    return await this.reaches(id, ({ remote }) => remote.state === state);
  }

  /** A task that was read at least once. */
  async running(prompt?: string): Promise<string> {
    const id = await this.submit(prompt);
    await this.reaches(id, ({ remote }) => remote.state !== "created");
    return id;
  }

  async done(prompt?: string): Promise<string> {
    const id = await this.submit(prompt);
    await this.ends(id, "succeeded");
    return id;
  }
}
