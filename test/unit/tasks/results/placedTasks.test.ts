/** Which task a file of the project is of, and which results could take its place. */
import assert from "node:assert/strict";
import type { ProjectCopy, Task } from "../../../../src/domain/task/task";
import { reduceTask } from "../../../../src/domain/task/taskRecord";
import { exactFileAt, otherVariants, placedTasks } from "../../../../src/tasks/results/placedTasks";
import { accepted, makeTask } from "../../../support/builders";

const file = "file:///w/hero.png";
const done = (id: string, intent: Partial<Task["intent"]> = {}, at?: number): Task =>
  makeTask({
    intent: { id, type: "async-image", ...intent },
    submission: accepted({ state: "succeeded" }, at === undefined ? {} : { placement: { state: "placed", file, at } }),
  });
const listOf = (...tasks: readonly Task[]): ReadonlyMap<string, Task> =>
  new Map(tasks.map((task) => [task.intent.id, task]));

describe("files of results in the project", () => {
  it("T17: a file is of the task that was placed there last, whenever that was submitted", () => {
    const tasks = [done("first", {}, 200), done("later", {}, 100), done("elsewhere")];
    assert.equal(placedTasks(tasks).get(file)?.intent.id, "first");
    assert.equal(placedTasks([]).size, 0);
  });

  it("T17: files in another format are of their task, until one is forgotten; a later one is known again", () => {
    const copied = (task: Task, copy: ProjectCopy): Task =>
      reduceTask(task, { type: "task-copied", id: task.intent.id, copy }) ?? task;
    const small = "file:///w/hero.webp";
    const hero = copied(done("hero", {}, 100), { file: small, at: 200 });
    assert.deepEqual([...placedTasks([hero]).keys()], [file, small]);
    const forgotten = copied(copied(hero, { file: small, at: 300, isForgotten: true }), {
      file,
      at: 300,
      isForgotten: true,
    });
    assert.equal(placedTasks([forgotten]).size, 0);
    assert.equal(placedTasks([forgotten, done("again", {}, 400)]).get(file)?.intent.id, "again");
    assert.deepEqual([...placedTasks([copied(forgotten, { file: small, at: 500 })]).keys()], [small]);
  });

  it("T17: a copy that came later has the file until another comes, and no result loses its own place by it", () => {
    const own = "file:///w/other.png";
    const placement = { state: "placed", file: own, at: 100 } as const;
    const variant = (at: number): Task =>
      makeTask({ intent: { id: "variant" }, submission: accepted({}, { placement, copies: [{ file, at }] }) });
    const taken = placedTasks([done("hero", {}, 200), variant(300)]);
    assert.deepEqual([taken.get(file)?.intent.id, taken.get(own)?.intent.id], ["variant", "variant"]);
    const undone = makeTask({ intent: { id: "hero" }, submission: accepted({}, { copies: [{ file, at: 400 }] }) });
    assert.equal(placedTasks([undone, variant(300)]).get(file)?.intent.id, "hero");
  });

  it("T17: a file keeps its exact size when another result has taken its place", () => {
    const exact = (id: string, width: number): Task =>
      done(id, { destination: { file, exact: [{ file, width }] } }, width);
    const [small, large, variant] = [exact("small", 32), exact("large", 64), done("variant")];
    const tasks = [small, large, variant];
    assert.equal(exactFileAt(file, small, tasks)?.width, 32);
    assert.equal(exactFileAt(file, variant, tasks)?.width, 64);
    assert.equal(exactFileAt("file:///w/other.png", small, tasks), undefined);
  });

  it("T17: other variants are those of the batch and of the same origin, with a result, of the same kind; the same prompt comes first", () => {
    const hero = done("hero", { batch: "b" });
    const tasks = listOf(
      hero,
      done("sibling", { batch: "b" }),
      done("varied", { duplicatedFrom: "hero" }),
      done("again", { duplicatedFrom: "varied" }),
      done("film", { type: "video", duplicatedFrom: "hero" }),
      done("other"),
      done("reworded", { batch: "b", prompt: "another prompt" }),
      makeTask({
        intent: { id: "failed", batch: "b", type: "async-image" },
        submission: accepted({ state: "failed" }),
      }),
    );
    const ids = (of: Task): readonly string[] => otherVariants(of, tasks).map(({ intent }) => intent.id);
    assert.deepEqual(ids(hero), ["again", "varied", "sibling", "reworded"]);
    assert.deepEqual(ids(tasks.get("again")!), ["varied", "hero"]);
    assert.deepEqual(ids(done("circle", { duplicatedFrom: "circle" })), []);
  });
});
