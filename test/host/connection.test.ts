/** Gateways and keys in a real VS Code: its settings, its secret storage, its log. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

const canary = "sk-canary-5b1e7c3a9f";

describe("connection in VS Code", () => {
  let inside: ExtensionInside;
  const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("sluice");
  const connection = () => inside.connections.current.current;
  const use = async (baseUrl: string | undefined): Promise<void> => {
    await configuration().update("baseUrl", baseUrl, vscode.ConfigurationTarget.Global);
  };
  before(async () => {
    inside = await openExtension();
  });
  after(async () => {
    await use(undefined);
    await eventually("the local gateway", () => connection().state === "ready");
  });

  it("C1: a workspace can't set the gateway's address", async () => {
    await assert.rejects(
      Promise.resolve(configuration().update("baseUrl", "https://evil.example", vscode.ConfigurationTarget.Workspace)),
    );
  });

  it("C2: without a key a remote gateway is signed out; a stored key, also one from another window, is picked up", async () => {
    await use("https://gateway.invalid/v1");
    await eventually("signed out", () => connection().state === "signed-out");
    await inside.keys.store("https://gateway.invalid", canary);
    await eventually("ready", () => connection().state === "ready");
    const ready = connection();
    assert.ok(ready.state === "ready");
    assert.equal(JSON.stringify(ready.home).includes(canary), false);
    await inside.keys.forget("https://gateway.invalid");
    await eventually("signed out again", () => connection().state === "signed-out");
  });

  it("R5: after all of this the key stands in no setting, no log and no file of the extension", async () => {
    const data = process.env["VSCODE_AGENT_FOLDER"] ?? path.resolve(inside.storage, "..", "..", "..", "..");
    const found: string[] = [];
    for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const text = await readFile(file, "latin1").catch(() => "");
      if (text.includes(canary)) found.push(file);
    }
    assert.deepEqual(found, []);
  });
});
