/** Tasks in a real VS Code: the database in its storage, the rows in its tree, the result in its editor. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { createTaskDrag } from "../../../src/tasks/host/tree/taskDrag";
import { accepted, makeTask } from "../../support/builders";
import { eventually } from "../../support/eventually";
import { type ExtensionInside, openExtension } from "../../support/extensionApp";

describe("tasks in VS Code", () => {
  let inside: ExtensionInside;
  before(async () => {
    inside = await openExtension();
    await eventually("the local gateway", () => inside.connections.current.current.state === "ready");
  });

  const stateOf = (id: string): string => {
    const submission = inside.app.board.tasks.get(id)?.submission;
    return submission?.state === "accepted" ? submission.remote.state : String(submission?.state);
  };
  const submit = async (prompt: string): Promise<string> => {
    const [id] = await (await inside.app.openOutbox()).submit([{ type: "async-image", model: "demo-image", prompt }]);
    assert.ok(id);
    return id;
  };

  it("T1: the intent is in the extension's own storage, with body and idempotency key", async () => {
    const id = await submit("a pier in the rain");
    // A row holds the task as JSON, so its bytes are found in the file.
    const file = await readFile(path.join(inside.storage, "tasks.db"), "utf8");
    const row = file.slice(file.indexOf(`"id":"${id}"`));
    const [, key = ""] = /"idempotencyKey":"([0-9a-f-]{36})"/.exec(row.slice(0, 2000)) ?? [];
    assert.match(file, new RegExp(`"idempotency_key":"${key}"`), "the body has a table of its own");
  });

  it("T6: a task is a row with its state in words, for a screen reader too, and its events are its children", async () => {
    const id = await submit("[slow] a lighthouse at dusk");
    const element = { kind: "task", id } as const;
    const item = inside.tree.getTreeItem(element);
    assert.equal(item.label, "[slow] a lighthouse at dusk");
    assert.match(String(item.description), /^\d+:\d\d/);
    assert.match(item.contextValue ?? "", /\bcancelable\b/);
    assert.match(item.accessibilityInformation?.label ?? "", /^Image, (created|queued|processing), submitted .*free:/);
    const children = await inside.tree.getChildren(element);
    assert.ok(children.some((child) => child.kind === "event" && child.event.type === "created"));
    await inside.app.cancel(id, "test");
    assert.equal(stateOf(id), "cancelled");
    assert.doesNotMatch(inside.tree.getTreeItem(element).contextValue ?? "", /\bcancelable\b/);
  });

  it("T6: the tree's groups count, and a removed row is gone from them", async () => {
    const id = await submit("[slow] a cathedral of glass");
    await inside.app.cancel(id, "test");
    const isListed = async (): Promise<boolean> => {
      const groups = await Promise.resolve(inside.tree.getChildren());
      const today = groups.find((group) => group.kind === "group" && group.group === "today");
      const rows = today ? await inside.tree.getChildren(today) : [];
      return rows.some((row) => row.kind === "task" && row.id === id);
    };
    await eventually("the row", isListed);
    await vscode.commands.executeCommand("sluice.task.remove", { kind: "task", id });
    await eventually("the row to go", async () => !(await isListed()));
  });

  it("T6: a task is dragged as its saved file, and as its prompt while there is none", async () => {
    const saved = makeTask({
      intent: { id: "saved" },
      submission: accepted({ state: "succeeded" }, { savedAs: "/results/a buoy.png" }),
    });
    const running = makeTask({ intent: { id: "running", prompt: "a lagoon" }, submission: accepted({}) });
    const drag = async (id: string): Promise<vscode.DataTransfer> => {
      const data = new vscode.DataTransfer();
      const { token } = new vscode.CancellationTokenSource();
      const controller = createTaskDrag({
        tasks: new Map([
          ["saved", saved],
          ["running", running],
        ]),
      });
      await controller.handleDrag?.([{ kind: "task", id }], data, token);
      return data;
    };
    assert.equal((await drag("saved")).get("text/uri-list")?.value, "file:///results/a%20buoy.png");
    assert.equal((await drag("running")).get("text/plain")?.value, "a lagoon");
  });
});
