/** Links to this extension: they show a task, and nothing else can be done with them. */
import assert from "node:assert/strict";
import { findTaskId, readTaskLink } from "../../../../src/tasks/view/taskLink";
import { makeIntent, makeRemote } from "../../../support/builders";
import type { Task } from "../../../../src/domain/task/task";

const accepted = (id: string, taskId: string): readonly [string, Task] => [
  id,
  {
    intent: makeIntent({ id }),
    submission: { state: "accepted", at: 1, checkedAt: 1, taskId, remote: makeRemote() },
  },
];

describe("task links", () => {
  it("V4: the id of a task is read, whoever gave it", () => {
    for (const id of ["task_01", "00000000-0000-4000-8000-000000000001", "a.b:c@d+e"]) {
      assert.equal(readTaskLink({ path: "/task", query: `id=${encodeURIComponent(id)}` }), id);
    }
  });

  it("V4: odd links are ignored", () => {
    for (const query of [
      "",
      "id=",
      "id=a&id=b",
      "id=a%20b",
      "id=../x",
      `id=${"x".repeat(201)}`,
      "id=%E0%A4%A",
      "ID=a",
      "id[]=a",
    ]) {
      assert.equal(readTaskLink({ path: "/task", query }), undefined, query);
    }
    for (const path of ["", "/", "/task/", "/Task", "/submit", "/task/x"]) {
      assert.equal(readTaskLink({ path, query: "id=a" }), undefined, path);
    }
  });

  it("V4: a task is found by its own id or by the gateway's, of which the newest counts", () => {
    const tasks = new Map([accepted("one", "t-1"), accepted("two", "t-2"), accepted("three", "t-2")]);
    assert.deepEqual(
      ["one", "t-1", "t-2", "t-3", "constructor"].map((id) => findTaskId(tasks, id)),
      ["one", "one", "three", undefined, undefined],
    );
  });
});
