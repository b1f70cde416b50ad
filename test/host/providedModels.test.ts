/** Another extension uses the gateway's models in a real VS Code: it selects them, streams, calls tools, sends pictures, cancels, and fails. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { families } from "../../src/domain/chat/family";
import { type LocalGateway, startLocalGateway } from "../../src/localGateway/server";
import { type ProvidedMessage, type ReportedPart, usageType } from "../../src/agents/models/providedMessage";
import { serve } from "../loopback/gateway/rawServer";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";
import {
  demoModels,
  dotPicture,
  type GatewayTap,
  openGatewayTap,
  promptForCalls,
  sentBack,
  toSendBack,
  weatherTool,
} from "../support/gatewayTap";
import { type Ask, type Keeps, ModelCaller, textOf } from "../support/modelCaller";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";

interface Sent {
  readonly parts: readonly ReportedPart[];
  readonly failure?: { readonly message: string; readonly code?: string; readonly isModelError: boolean };
}
/** What the extension of test/fixtures/modelExtension exports. */
interface Caller {
  changes(): number;
  select(): Promise<readonly { readonly id: string; readonly maxInputTokens: number }[]>;
  count(id: string, text: string | ProvidedMessage): Promise<number>;
  send(
    id: string,
    messages: readonly ProvidedMessage[],
    options?: { readonly tools?: readonly unknown[]; readonly required?: boolean },
    onPart?: (part: ReportedPart) => boolean,
  ): Promise<Sent>;
}

const isFloor = process.env["SLUICE_TEST_SUITE"] === "floor";
const text = (words: string): ProvidedMessage => ({ role: "user", parts: [{ type: "text", text: words }] });

describe("the gateway's models for another extension", () => {
  let inside: ExtensionInside;
  let caller: Caller;
  let folder: TemporaryFolder;
  let gateway: LocalGateway;
  let tap: GatewayTap;
  const set = async (id: string, value: unknown): Promise<void> => {
    await vscode.workspace.getConfiguration("sluice").update(id, value, vscode.ConfigurationTarget.Global);
  };
  const use = async (url: string | undefined, state: string): Promise<void> => {
    await set("baseUrl", url);
    await eventually(state, () => {
      const connection = inside.connections.current.current;
      const address =
        "home" in connection ? connection.home.baseUrl : "baseUrl" in connection ? connection.baseUrl : "";
      return connection.state === state && (url === undefined || address === url);
    });
    await inside.app.models.loaded();
  };

  before(async () => {
    inside = await openExtension();
    const extension = vscode.extensions.getExtension<Caller>("fixture.models");
    assert.ok(extension);
    caller = await extension.activate();
    folder = await createTemporaryFolder();
    gateway = await startLocalGateway({ stateDir: folder.path, tokensPerSecond: Infinity, firstTokenMs: 0 });
    tap = await openGatewayTap(gateway.url);
    await set(
      "models",
      Object.values(demoModels).map((id) => ({ id, thinking: "low" })),
    );
  });
  after(async () => {
    await set("models", undefined);
    await use(undefined, "ready");
    await tap.close();
    await gateway.close();
    await folder.remove();
  });

  it("V1: signed out there is no model and no question; with the key the models are there at once", async () => {
    await use(tap.url, "signed-out");
    // VS Code gives out those of the gateway before until the change has reached it.
    await eventually("no model", async () => (await caller.select()).length === 0);
    const before = caller.changes();
    await inside.keys.store(tap.url, gateway.key);
    // The oldest VS Code announces no change to extensions.
    await eventually("the change", () => isFloor || caller.changes() > before);
    let listed: Awaited<ReturnType<Caller["select"]>> = [];
    await eventually("the models", async () => (listed = await caller.select()).length > 0);
    assert.deepEqual(listed.map(({ id }) => id).sort(), Object.values(demoModels).sort());
    assert.ok(listed.every(({ maxInputTokens }) => maxInputTokens > 10_000));
  });

  it("V1: tokens are counted without the gateway", async () => {
    const asked = tap.asked.length;
    assert.equal(await caller.count("demo-chat", "12345678"), 2);
    assert.equal(await caller.count("demo-chat", text("1234")), 1);
    assert.equal(tap.asked.length, asked);
  });

  for (const family of families) {
    const model = demoModels[family];
    it(`V1: ${family}: a forced call and usage arrive, pictures go and come`, async () => {
      const { parts: forced, failure } = await caller.send(model, [text("Hello")], {
        tools: [weatherTool],
        required: true,
      });
      assert.equal(failure, undefined);
      assert.deepEqual(
        forced.flatMap((part) => (part.type === "tool-call" ? [part.name] : [])),
        ["weather"],
      );
      assert.ok(forced.some((part) => part.type === "data" && part.mimeType === usageType));
      const image = { type: "data" as const, mimeType: "image/png", data: Buffer.from(dotPicture, "base64") };
      const prompt: ProvidedMessage = { role: "user", parts: [...text("Paint a lighthouse").parts, image] };
      const { parts: painted } = await caller.send(model, [prompt]);
      assert.ok(tap.asked.at(-1)!.includes(dotPicture));
      const pictures = painted.filter((part) => part.type === "data" && part.mimeType.startsWith("image/"));
      assert.equal(pictures.length, family === "messages" ? 0 : 1, textOf(painted));
    });

    it(`V1, S2: ${family}: over 20 turns what the model needs back comes back, also when the caller keeps text and calls only`, async () => {
      const answered = tap.answered.length;
      const conversation = new ModelCaller("everything");
      const asking: Ask = async (messages) => {
        const { parts, failure } = await caller.send(model, messages, { tools: [weatherTool] });
        assert.equal(failure, undefined);
        return parts;
      };
      for (const keeps of ["everything", "text and calls"] satisfies Keeps[]) {
        conversation.keeps = keeps;
        const cities = Array.from({ length: 10 }, (_, index) => `${keeps} ${index}`);
        const answer = await conversation.turn(promptForCalls(cities), asking, (input) => JSON.stringify(input));
        for (const city of cities) assert.ok(answer.includes(city), answer);
        await conversation.turn("What is next?", asking, () => "");
      }
      await conversation.turn("What is last?", asking, () => "");
      const wanted = toSendBack(family, tap.answered.slice(answered, -1));
      assert.ok(wanted.length >= 20);
      assert.deepEqual(sentBack(family, tap.asked.at(-1)!), wanted);
    });
  }

  it("V1: what goes wrong arrives as the error that it is, behind the text before it", async () => {
    let answer = { status: 500, body: "" };
    const server = await serve((response, { url }) => {
      if (url === "/v1/models") response.setHeader("content-type", "application/json").end('{"data":[{"id":"m"}]}');
      else {
        const type = answer.status === 200 ? "text/event-stream" : "application/json";
        response.writeHead(answer.status, { "content-type": type, "x-should-retry": "false" }).end(answer.body);
      }
    });
    try {
      await inside.keys.store(server.url, "sk-canary-0f3e");
      await use(server.url, "ready");
      await eventually("the model", async () => (await caller.select()).some(({ id }) => id === "m"));
      const errorOf = async (status: number, body: unknown): Promise<Sent> => {
        answer = { status, body: typeof body === "string" ? body : JSON.stringify(body) };
        return caller.send("m", [text("Hi")]);
      };
      const message = "see [this](command:x)";
      for (const [status, code] of [
        [401, "NoPermissions"],
        [403, "NoPermissions"],
        [404, "NotFound"],
        [402, "Blocked"],
      ] as const) {
        const { failure } = await errorOf(status, {
          error: { message, code: status === 404 ? "model_not_found" : "x" },
        });
        assert.deepEqual([failure?.isModelError, failure?.code], [true, code], String(status));
        assert.doesNotMatch(failure!.message, /canary|\]\(command/);
      }
      const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
      const begun = chunk({ choices: [{ index: 0, delta: { content: "The beginning" } }] });
      const broken = await errorOf(200, begun + chunk({ error: { message: "broke down" } }));
      assert.equal(textOf(broken.parts), "The beginning");
      assert.match(broken.failure!.message, /broke down/);
      assert.equal(broken.failure!.isModelError, false);
    } finally {
      await inside.keys.forget(server.url);
      await server.close();
    }
  });

  // VS Code 1.106 to 1.117 pass no cancel on once the request has begun, and the caller's stream never ends.
  if (isFloor) return;
  it("V1, S5: a cancel ends the request, and the caller's stream", async () => {
    const slow = await startLocalGateway({ stateDir: `${folder.path}/slow`, tokensPerSecond: 50 });
    try {
      await inside.keys.store(slow.url, slow.key);
      await use(slow.url, "ready");
      await eventually("the model", async () => (await caller.select()).some(({ id }) => id === "demo-chat"));
      const { failure, parts } = await caller.send("demo-chat", [text("Tell me a long story")], {}, () => true);
      assert.ok(parts.length > 0);
      assert.match(failure!.message, /[Cc]ancel/);
      await eventually("the end of the request", () => slow.requests.at(-1)?.aborted === true);
    } finally {
      await inside.keys.forget(slow.url);
      await slow.close();
    }
  });
});
