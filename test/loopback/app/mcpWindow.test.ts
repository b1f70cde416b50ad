/** The MCP server of a window: what a program was given is valid after a reload, and no longer after a new token, in all windows (V6). */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { Emitter } from "../../../src/base/event";
import { McpWindow } from "../../../src/compose/mcpWindow";
import { keptLog } from "../../support/builders";
import { createMovedClock } from "../../support/movedClock";

type Current = NonNullable<McpWindow["current"]>;

describe("the MCP server of a window", () => {
  let secrets: vscode.SecretStorage;
  let opened: McpWindow[];
  let isOn: boolean;

  beforeEach(() => {
    secrets = createSecrets();
    opened = [];
    isOn = true;
  });
  afterEach(async () => {
    for (const window of opened) {
      window.dispose();
      await window.follow();
    }
  });

  function open(workspaceState: vscode.Memento): McpWindow {
    const window = new McpWindow({
      ...{ secrets, workspaceState, log: keptLog(), version: "1", clock: createMovedClock(), isOn: () => isOn },
      tools: () => [],
      call: () => Promise.resolve({ text: "", isError: false }),
    });
    opened.push(window);
    return window;
  }

  async function started(window: McpWindow): Promise<Current> {
    await window.follow();
    assert.ok(window.current);
    return window.current;
  }

  it("V6: the port is the workspace's and the token the person's: both are the same after the server was off", async () => {
    const workspace = createMemento();
    const window = open(workspace);
    const first = await started(window);
    isOn = false;
    await window.follow();
    assert.equal(window.current, undefined);
    await assert.rejects(statusOf(first));
    isOn = true;
    const reloaded = await started(open(workspace));
    assert.deepEqual([reloaded.url, reloaded.token], [first.url, first.token]);
    assert.equal(await statusOf(first), 200);
    const other = await started(open(createMemento()));
    assert.equal(other.token, first.token);
    assert.notEqual(other.url, first.url);
  });

  it("V6: a workspace whose port is taken gets another one, and keeps that", async () => {
    const taken = createMemento();
    const { url } = await started(open(taken));
    const workspace = createMemento(taken);
    const moved = await started(open(workspace));
    assert.notEqual(moved.url, url);
    opened.at(-1)?.dispose();
    await opened.at(-1)?.follow();
    assert.equal((await started(open(workspace))).url, moved.url);
  });

  it("V6: a new token revokes the old one in every window at once", async () => {
    const [one, two] = [open(createMemento()), open(createMemento())];
    const before = [await started(one), await started(two)];
    const changed = new Promise<void>((resolve) => two.onDidChange(() => resolve()));
    await one.renewToken();
    await changed;
    assert.notEqual(one.current?.token, before[0]?.token);
    assert.equal(two.current?.token, one.current?.token);
    for (const old of before) assert.equal(await statusOf(old), 401);
    for (const window of [one, two]) assert.equal(await statusOf(await started(window)), 200);
  });
});

/** Of an `initialize` with that token. */
async function statusOf({ url, token }: Current): Promise<number> {
  const clientInfo = { name: "x", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const accept = "application/json, text/event-stream";
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept, authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  await response.body?.cancel();
  return response.status;
}

/** As VS Code's, which announces a change to all windows. */
function createSecrets(): vscode.SecretStorage {
  const values = new Map<string, string>();
  const changed = new Emitter<vscode.SecretStorageChangeEvent>();
  return {
    keys: () => Promise.resolve([...values.keys()]),
    get: (key) => Promise.resolve(values.get(key)),
    store(key, value) {
      values.set(key, value);
      changed.fire({ key });
      return Promise.resolve();
    },
    delete: (key) => Promise.resolve(void values.delete(key)),
    onDidChange: changed.event,
  };
}

/** `same`: what it holds at first. */
function createMemento(same?: vscode.Memento): vscode.Memento {
  const values = new Map<string, unknown>(same?.keys().map((key) => [key, same.get(key)]));
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key) as never,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}
