/** The tools for tasks as an agent in VS Code has them (V2), in a real extension host. Here VS Code answers its own question with yes. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { agentToolNames } from "../../src/agents/tasks/agentToolNames";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

const image = { type: "async-image", model: "demo-image", prompt: "a harbour for an agent" };

describe("tools for agents in VS Code", () => {
  let inside: ExtensionInside;
  const invoke = async (name: string, input: object): Promise<string> => {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options, new vscode.CancellationTokenSource().token);
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "?")).join("");
  };
  before(async () => {
    inside = await openExtension();
  });

  it("V2: VS Code lists them, with their schemas", async () => {
    const listed = (): string[] => vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith("sluice_"));
    await eventually("the tools", () => listed().length === Object.keys(agentToolNames).length);
    assert.deepEqual(listed().sort(), Object.values(agentToolNames).sort());
    const submit = vscode.lm.tools.find(({ name }) => name === agentToolNames.submit);
    assert.match(JSON.stringify(submit?.inputSchema), /"save_as"/);
  });

  it("V2: an agent submits one task, looks at it and lists it", async () => {
    const before = inside.app.board.listed.size;
    const text = await invoke(agentToolNames.submit, image);
    assert.equal(inside.app.board.listed.size, before + 1);
    const [, id = ""] = /^id: (\S+)/.exec(text) ?? [];
    assert.equal(inside.app.board.listed.get(id)?.intent.prompt, image.prompt);
    assert.match(await invoke(agentToolNames.get, { id, wait_seconds: 60 }), /state: succeeded/);
    assert.match(await invoke(agentToolNames.list, {}), /a harbour for an agent/);
    assert.match(await invoke(agentToolNames.list, { state: "finished" }), /a harbour for an agent/);
    assert.doesNotMatch(await invoke(agentToolNames.list, { state: "running" }), /a harbour for an agent/);
  });

  it("V2, A4: arguments that the schema does not have are refused, and nothing is submitted", async () => {
    const before = inside.app.board.listed.size;
    for (const wrong of [
      { ...image, pay: true },
      { ...image, save_as: "../outside" },
      { ...image, prompt: "x".repeat(5000) },
    ])
      await assert.rejects(invoke(agentToolNames.submit, wrong));
    await assert.rejects(invoke(agentToolNames.list, { state: "paid" }));
    await assert.rejects(invoke(agentToolNames.cancel, { id: "none", reason: "x" }));
    assert.equal(inside.app.board.listed.size, before);
  });
});
