/** Tools of another extension in the chat, in a real VS Code: off until they are switched on, off again when they change, cancelled by Stop. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { type ToolCallBlock, toolCalls } from "../../src/domain/chat/chat";
import type { ChosenTools, ListedTool } from "../../src/chat/host/chosenTools";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

describe("tools of another extension", () => {
  let inside: ExtensionInside;
  let tools: ChosenTools;
  const listed = (name: string): ListedTool => tools.list().find((tool) => tool.name === name)!;
  const call = (): ToolCallBlock | undefined =>
    inside.app.session.current.chat.entries
      .flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []))
      .at(-1);
  const allow = async (): Promise<void> => {
    await eventually("a question", () => call()?.progress.state === "waiting");
    const { progress } = call()!;
    assert.ok(progress.state === "waiting");
    assert.deepEqual(progress.approval.reasons, ["foreign-tool"]);
    inside.app.session.current.approvals.decide(progress.approval.id, { allow: true });
  };

  before(async () => {
    inside = await openExtension();
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
    tools = (await inside.loadChat()).tools;
    await eventually("the other extension's tools", () => tools.list().some(({ name }) => name === "fixture_wait"));
  });
  after(() => tools.choose(tools.list(), []));

  it("A2, A3: a tool is off until it is switched on, and the list says who offers it", () => {
    const { state, source, description } = listed("fixture_weather");
    assert.deepEqual([state, source, description], ["off", "fixture.tools", "Says the weather of a city."]);
    assert.deepEqual(tools.chosen(), []);
    assert.deepEqual(
      tools.list().filter(({ name }) => /sluice/i.test(name)),
      [],
    );
  });

  it("A2, A3, A4, A12: switched on, it is called after a yes, with its arguments; texts come back, and so do pictures", async () => {
    await tools.choose(tools.list(), [listed("fixture_weather"), listed("fixture_wait")]);
    // Enter in the list keeps what is ticked there.
    const closed = vscode.commands.executeCommand("sluice.chat.chooseTools");
    await eventually("the list is closed", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return Promise.race([closed.then(() => true), new Promise<boolean>((next) => setImmediate(next, false))]);
    });
    assert.deepEqual([listed("fixture_weather").state, listed("fixture_wait").state], ["on", "on"]);
    inside.app.chats.create();
    const turn = inside.app.session.current.submit('Call fixture_weather with {"city": "Bern"}');
    await allow();
    await turn;
    const { progress } = call()!;
    assert.ok(progress.state === "done", JSON.stringify(progress));
    assert.equal(progress.result, `rain in Bern\n{\n\t"wind": 3\n}\n(PNG image, 1 × 1 pixels)`);
    assert.deepEqual(
      progress.images?.map(({ name, width, height }) => [name, width, height]),
      [["fixture_weather", 1, 1]],
    );
    assert.equal(progress.untrusted, "fixture_weather");
  });

  it("A1: what it fails with goes back to the model", async () => {
    inside.app.chats.create();
    const turn = inside.app.session.current.submit('Call fixture_weather with {"city": ""}');
    await allow();
    await turn;
    const { progress } = call()!;
    assert.ok(progress.state === "failed", JSON.stringify(progress));
    assert.match(progress.result, /^The tool failed: .*no city/);
  });

  it("A1, S5: Stop cancels a tool that ignores it, and the turn ends at once", async () => {
    const seen = vscode.extensions.getExtension<{ started: number; cancelled: number }>("fixture.tools")!.exports;
    inside.app.chats.create();
    const turn = inside.app.session.current.submit("Call fixture_wait");
    await allow();
    await eventually("the tool runs", () => seen.started === 1);
    inside.app.session.current.stop();
    // The tool itself never ends.
    await turn;
    assert.equal(call()?.progress.state, "stopped");
    await eventually("the tool is told", () => seen.cancelled === 1);
  });

  it("A3, A4: a tool that is not what it was when it was switched on is off again, and does not run", async () => {
    const tool = listed("fixture_weather");
    await tools.choose([tool], [{ ...tool, promise: "something else" }]);
    assert.equal(listed("fixture_weather").state, "changed");
    assert.deepEqual(
      tools.chosen().map(({ name }) => name),
      ["fixture_wait"],
    );
    await assert.rejects(tools.call(tool, { city: "Bern" }, new AbortController().signal), /not switched on any more/);
    await vscode.commands.executeCommand("notifications.clearAll");
  });
});
