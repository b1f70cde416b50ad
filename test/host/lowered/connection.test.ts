/** Gateways and keys in a real VS Code: its settings, its secret storage, its log. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { SettingId } from "../../../src/domain/settingTable";
import { serve } from "../../loopback/gateway/rawServer";
import { eventually } from "../../support/eventually";
import { type ExtensionInside, openExtension } from "../../support/extensionApp";

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

  it("C1, L4: first use needs no account: the local gateway starts by itself and names its model", async () => {
    await eventually("the local gateway", () => connection().state === "ready");
    const ready = connection();
    assert.ok(ready.state === "ready" && ready.local);
    assert.match(ready.home.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
    assert.match(inside.app.models.models.current.chat?.note ?? "", /[Dd]emonstrator/);
  });

  it("L6: Show Local Gateway opens its page in a tab, again in the same one", async () => {
    const count = (): number =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === "Local Gateway").length;
    await vscode.commands.executeCommand("sluice.gateway.showLocal");
    await eventually("the tab", () => count() === 1);
    await vscode.commands.executeCommand("sluice.gateway.showLocal");
    assert.equal(count(), 1);
  });

  it("C5: how a model is asked and how its family gets the key are settings, and a change counts for the next request", async () => {
    const server = await serve((response, { url }) => {
      if (url === "/v1/models")
        response.setHeader("content-type", "application/json").end('{"data":[{"id":"listed"}]}');
      else response.writeHead(500).end();
    });
    const set = async (id: SettingId, value: unknown): Promise<void> => {
      await configuration().update(id, value, vscode.ConfigurationTarget.Global);
    };
    try {
      await inside.keys.store(server.url, canary);
      await set("models", [{ id: "set", family: "messages", thinking: "low", extraBody: { top_k: 3 } }]);
      await use(`${server.url}/v1`);
      await eventually("the models", () => inside.app.models.models.current.list.length === 2);
      inside.app.models.choose("set");
      const ask = async (): Promise<(typeof server.received)[number]> => {
        const { state, gateway } = await inside.connections.ready();
        assert.equal(state, "ready");
        const model = inside.app.models.models.current.chat;
        assert.ok(model?.id === "set");
        const before = server.received.length;
        const request = { family: model.family, model: model.id, messages: [], tools: [], options: model };
        const stop = new AbortController();
        const chat = gateway.streamChat(request, stop.signal, { onRetry: () => stop.abort() });
        await assert.rejects(async () => {
          for await (const event of chat) assert.fail(event.type);
        });
        return server.received[before]!;
      };
      const first = await ask();
      assert.deepEqual(
        [first.url, first.headers.authorization, first.headers["anthropic-version"]],
        ["/v1/messages", `Bearer ${canary}`, "2023-06-01"],
      );
      assert.match(first.body, /"effort":"low".*"top_k":3/);
      await set("messages.authentication", "x-api-key");
      await set("messages.version", "2026-10-21");
      const second = await ask();
      assert.deepEqual(
        [second.headers.authorization, second.headers["x-api-key"], second.headers["anthropic-version"]],
        [undefined, canary, "2026-10-21"],
      );
      await set("messages.version", "1\r\nx-evil: 1");
      await set("messages.authentication", "everywhere");
      const third = await ask();
      assert.deepEqual(
        [third.headers.authorization, third.headers["anthropic-version"], third.headers["x-evil"]],
        [`Bearer ${canary}`, "2023-06-01", undefined],
      );
    } finally {
      for (const id of ["models", "messages.authentication", "messages.version"] as const) await set(id, undefined);
      await use(undefined);
      await inside.keys.forget(server.url);
      await server.close();
    }
  });

  it("C1: an address that is no https and not on this machine is refused, and no key is asked for", async () => {
    await use("http://gateway.example/v1");
    await eventually("the refusal", () => connection().state === "failed");
    const failed = connection();
    assert.ok(failed.state === "failed");
    assert.match(failed.error.message, /only https/);
  });

  it("C2: a key belongs to one origin: another gateway does not get it", async () => {
    await inside.keys.store("https://gateway.invalid", canary);
    await use("https://other.invalid/v1");
    await eventually("signed out", () => {
      const now = connection();
      return now.state === "signed-out" && now.origin === "https://other.invalid";
    });
    await inside.keys.forget("https://gateway.invalid");
  });
});
