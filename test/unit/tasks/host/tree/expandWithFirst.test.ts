/** The Tasks view is expanded with the first task, once, and never where VS Code would open a side bar by it. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../../src/base/event";
import type { Task } from "../../../../../src/domain/task/task";
import { expandWithFirst } from "../../../../../src/tasks/host/tree/expandWithFirst";
import { makeTask } from "../../../../support/builders";

interface Scene {
  readonly uncovered: readonly string[];
  /** What the window remembers of the workspace. */
  readonly memory: ReadonlyMap<string, unknown>;
  add(id: string): void;
  show(): void;
}

function open(isChatInView: () => boolean, remembered: ReadonlyMap<string, unknown> = new Map()): Scene {
  const tasks = new Map<string, Task>([["old", makeTask()]]);
  const changed = new Emitter<ReadonlySet<string>>();
  const visibility = new Emitter<{ readonly visible: boolean }>();
  const memory = new Map(remembered);
  const uncovered: string[] = [];
  expandWithFirst({
    board: { listed: tasks, onDidChange: changed.event },
    tree: {
      uncover: (id: string) => {
        uncovered.push(id);
        return Promise.resolve();
      },
      view: { visible: false, onDidChangeVisibility: visibility.event as never },
    },
    memory: {
      get: (key: string) => memory.get(key),
      update: (key, value) => {
        memory.set(key, value);
        return Promise.resolve();
      },
    },
    isChatInView,
  });
  return {
    uncovered,
    memory,
    add(id) {
      tasks.set(id, makeTask());
      changed.fire(new Set([id]));
    },
    show: () => visibility.fire({ visible: true }),
  };
}

describe("the Tasks view, a header at first", () => {
  it("T6: is expanded with the first task that is added, once in a workspace", () => {
    const scene = open(() => true);
    scene.add("old");
    assert.deepEqual(scene.uncovered, [], "a change of a task that was there");
    scene.add("one");
    scene.add("two");
    assert.deepEqual(scene.uncovered, ["one"]);
    const reloaded = open(() => true, scene.memory);
    reloaded.add("three");
    assert.deepEqual(reloaded.uncovered, []);
  });

  it("T6: is not opened where the Chat view is not in view, nor after the person has opened it", () => {
    let isInView = false;
    const scene = open(() => isInView);
    scene.add("one");
    assert.deepEqual(scene.uncovered, []);
    isInView = true;
    scene.add("two");
    assert.deepEqual(scene.uncovered, ["two"]);
    const opened = open(() => true);
    opened.show();
    opened.add("one");
    assert.deepEqual(opened.uncovered, []);
  });
});
