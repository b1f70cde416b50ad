/** The MCP server of a window: what a program was given is valid after a reload, and no longer after a new token, in all windows (V6). */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type * as vscode from "vscode";
import { Emitter } from "../../../src/base/event";
import { McpWindow } from "../../../src/agents/host/mcpWindow";
import { keptLog } from "../../support/builders";
import { eventually } from "../../support/eventually";
import { noMcpTasks } from "../../support/plainOptions";
import { createMovedClock, type MovedClock } from "../../support/movedClock";

type Current = NonNullable<McpWindow["current"]>;

describe("the MCP server of a window", () => {
  let secrets: vscode.SecretStorage;
  let opened: McpWindow[];
  let clock: MovedClock;
  let isOn: boolean;
  /** How often `onMoved` was called. */
  let moves: number;

  beforeEach(() => {
    secrets = createSecrets();
    opened = [];
    clock = createMovedClock();
    isOn = true;
    moves = 0;
  });
  afterEach(async () => {
    for (const window of opened) {
      window.dispose();
      await window.follow();
    }
  });

  function open(workspaceState: vscode.Memento): McpWindow {
    const window = new McpWindow({
      ...{ secrets, workspaceState, log: keptLog(), version: "1", clock, isOn: () => isOn },
      onMoved: () => void (moves += 1),
      tools: () => [],
      createTasks: () => noMcpTasks,
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

  /** Of a window whose port is taken when it starts; the clock is moved until it has got one. */
  async function startedLate(window: McpWindow): Promise<Current> {
    const starting = started(window);
    let isSettled = false;
    starting.finally(() => (isSettled = true)).catch(() => undefined);
    await eventually("the start of the server", async () => {
      if (clock.waiting > 0) await clock.advance(500);
      return isSettled;
    });
    return await starting;
  }

  it("V6 (finding H6): where a stranger has the port of a window, the token that it was sent is worth nothing, and the person is told once", async () => {
    const workspace = createMemento();
    const given = await started(open(workspace));
    const other = open(createMemento());
    await started(other);
    opened[0]?.dispose();
    await opened[0]?.follow();
    const stranger = await listenAt(given.url);
    try {
      // A program goes on using what it was given.
      const met = new Promise<string | undefined>((resolve) => {
        stranger.once("request", ({ headers }, response) => {
          resolve(headers.authorization);
          response.end();
        });
      });
      await statusOf(given);
      assert.equal(await met, `Bearer ${given.token}`);
      const moved = await startedLate(open(workspace));
      assert.notEqual(moved.url, given.url);
      assert.notEqual(moved.token, given.token);
      assert.equal(moves, 1);
      const now = other.current;
      assert.ok(now);
      for (const url of [moved.url, now.url]) {
        assert.equal(await statusOf({ ...moved, url }), 200);
        assert.equal(await statusOf({ ...given, url }), 401);
      }
      // The new port is kept like the first one.
      opened.at(-1)?.dispose();
      await opened.at(-1)?.follow();
      const reloaded = await started(open(workspace));
      assert.deepEqual([reloaded.url, reloaded.token, moves], [moved.url, moved.token, 1]);
    } finally {
      stranger.closeAllConnections();
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  it("V6 (finding H6): a window that is loaded again waits for its former extension host to leave the port", async () => {
    const workspace = createMemento();
    const former = open(workspace);
    const given = await started(former);
    const starting = started(open(workspace));
    await eventually("a try at the port", () => clock.waiting > 0);
    former.dispose();
    await former.follow();
    await clock.advance(500);
    const reloaded = await starting;
    assert.deepEqual([reloaded.url, reloaded.token, moves], [given.url, given.token, 0]);
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

  it("V6 (finding H16): a token that another window has made ends the sessions of the old one: an id of one is worth nothing beside the new token", async () => {
    const [one, two] = [open(createMemento()), open(createMemento())];
    await started(one);
    const before = await started(two);
    const session = (await initialize(before)).headers.get("mcp-session-id") ?? "";
    assert.equal(await statusOf(before, session), 200);
    const changed = new Promise<void>((resolve) => two.onDidChange(() => resolve()));
    await one.renewToken();
    await changed;
    assert.equal(await statusOf(await started(two), session), 404);
  });
});

/** Of an `initialize`, or in that session of a `ping`, with that token. */
async function statusOf(current: Current, session?: string): Promise<number> {
  return (await (session === undefined ? initialize(current) : post(current, { method: "ping" }, session))).status;
}

function initialize(current: Current): Promise<Response> {
  const clientInfo = { name: "x", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  return post(current, { method: "initialize", params });
}

async function post({ url, token }: Current, body: object, session?: string): Promise<Response> {
  const accept = "application/json, text/event-stream";
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept, authorization: `Bearer ${token}` },
      ...(session !== undefined && { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
  await response.body?.cancel();
  return response;
}

/** Another program, at the port of that address. */
async function listenAt(url: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(Number(new URL(url).port), "127.0.0.1", resolve);
  });
  return server;
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
