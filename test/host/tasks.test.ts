/** Tasks in a real VS Code: the database in its storage, the rows in its tree, the result in its editor. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

describe("tasks in VS Code", () => {
  let inside: ExtensionInside;
  before(async () => {
    inside = await openExtension();
    await eventually("the local gateway", () => inside.connections.current.current.state === "ready");
  });

  const stateOf = (id: string): string => {
    const submission = inside.app.board.listed.get(id)?.submission;
    return submission?.state === "accepted" ? submission.remote.state : String(submission?.state);
  };
  const submit = async (prompt: string): Promise<string> => {
    const [id] = await (await inside.app.openOutbox()).submit([{ type: "async-image", model: "demo-image", prompt }]);
    assert.ok(id);
    return id;
  };

  it("T4, T8: a finished picture opens in VS Code's own preview", async () => {
    const id = await submit("a harbour in fog");
    await eventually("success", () => stateOf(id) === "succeeded");
    await vscode.commands.executeCommand("sluice.task.openResult", { kind: "task", id });
    await eventually("the preview", () =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith("a-harbour-in-fog"))),
    );
  });
});
