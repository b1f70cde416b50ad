/**
 * The official client of MCP Tasks (`@modelcontextprotocol/ext-tasks`) at the MCP server (V6): it submits, follows its task, gets the picture and
 * saves it. Leaves what both sides sent, and the picture, in test-results/clients. Skipped with a word where npm can't be reached.
 */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type * as sdk from "@modelcontextprotocol/client";
import { ensurePackages, importFrom, reachesNpm } from "../../scripts/setup.mjs";
import { agentToolNames } from "../../src/agents/tasks/agentToolNames";
import { imageSizeOf } from "../../src/domain/media/imageSize";
import { type Asked, openMcpOverProduct, type McpOverProduct } from "../support/mcpOverProduct";
import { tasksExtension, withTasks } from "../support/mcpTasksClient";

const revision = "2026-07-28";
const clientInfo = { name: "official-tasks-client", version: "1" };
const evidence = resolve("test-results/clients");

type Json = Readonly<Record<string, unknown>>;

interface Reply {
  readonly kind: "result" | "error";
  readonly result?: unknown;
  readonly error?: unknown;
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly data?: string;
    readonly uri?: string;
  }[];
}

/** The parts of the package that are used here: it is not among the packages of the project, so its types are not either. */
interface Execution {
  readonly kind: "immediate" | "task";
  readonly handle?: { readonly taskId: string };
  serializeReference(): unknown;
  detach(): Promise<void>;
  settle(options?: { readonly onEvent?: (event: { readonly task?: { readonly status: string } }) => void }): Promise<{
    readonly outcome: { readonly status: string; readonly result?: ToolResult };
  }>;
}

interface Session {
  callTool(name: string, input: object): Promise<Execution>;
  resumeTask(reference: unknown): Promise<Execution>;
  close(): Promise<void>;
}

interface TasksPackage {
  createTaskSessionFromClient(client: sdk.Client, options: object): Session;
}

describe("the official client of MCP Tasks", () => {
  const token = "the-token-of-this-test";
  let official: typeof sdk;
  let tasks: TasksPackage;
  let product: McpOverProduct;
  let onQuestion: (asked: Asked) => void;
  /** What was sent and received, in order. */
  let transcript: Json[];
  const closing: (() => Promise<unknown>)[] = [];

  before(async function () {
    if (!(await reachesNpm())) {
      console.log("  NOT PROVEN: the official client of MCP Tasks. npm can't be reached.");
      this.skip();
    }
    const packages = await ensurePackages(resolve("scripts/tasksClient"), "the official client of MCP Tasks");
    official = (await importFrom(packages, "@modelcontextprotocol/client")) as typeof sdk;
    tasks = (await importFrom(packages, "@modelcontextprotocol/ext-tasks/client")) as TasksPackage;
    product = await openMcpOverProduct(token, () => ({ hasTrust: true, cap: 0, onQuestion }));
    await mkdir(evidence, { recursive: true });
  });
  beforeEach(() => {
    transcript = [];
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  after(async () => {
    // Without npm nothing was opened.
    await (product as McpOverProduct | undefined)?.close();
  });

  const createTransport = (): sdk.StreamableHTTPClientTransport =>
    new official.StreamableHTTPClientTransport(new URL(product.server.url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });

  /** Requests as the package frames them, over a transport of the SDK: its client refuses the results of tasks, and the package asks for such a way. */
  const openDispatch = async (): Promise<(request: Json) => Promise<Reply>> => {
    const transport = createTransport();
    transport.setProtocolVersion(revision);
    const waiting = new Map<unknown, (reply: Reply) => void>();
    transport.onmessage = (message) => {
      if (!("id" in message)) return;
      const reply: Reply =
        "error" in message
          ? { kind: "error", error: message.error }
          : { kind: "result", result: "result" in message ? message.result : undefined };
      transcript.push({ received: shortened(reply) });
      waiting.get(message.id)?.(reply);
    };
    await transport.start();
    closing.push(() => transport.close());
    let last = 0;
    return async (request) => {
      const id = (last += 1);
      const { promise, resolve: answer } = Promise.withResolvers<Reply>();
      waiting.set(id, answer);
      transcript.push({ sent: shortened(request) });
      await transport.send({ jsonrpc: "2.0", id, ...request } as sdk.JSONRPCMessage);
      return promise;
    };
  };

  const openSession = async (onInputRequest?: (request: Json) => Promise<Json>): Promise<Session> => {
    const versionNegotiation = { mode: { pin: revision } };
    const client = new official.Client(clientInfo, { versionNegotiation });
    await client.connect(createTransport());
    const clientCapabilities = { ...withTasks, ...(onInputRequest && { elicitation: { form: {} } }) };
    const session = tasks.createTaskSessionFromClient(client, {
      endpointId: "sluice",
      rawDispatch: await openDispatch(),
      v2RequestFraming: { protocolVersion: revision, clientInfo, clientCapabilities },
      ...(onInputRequest && { onInputRequest }),
    });
    closing.push(async () => {
      await session.close();
      await client.close();
    });
    return session;
  };
  const asked = (): Promise<Asked> => new Promise((done) => (onQuestion = done));
  const sent = (): number =>
    product.over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length;
  const order = (prompt: string) => ({ type: "async-image", model: "demo-image", prompt, options: { seed: 5 } });

  it("V6: it gets a task at once, shows the question to its person, and after the yes in the window the picture, which it saves", async () => {
    const shown: Json[] = [];
    const session = await openSession((request) => {
      shown.push(request);
      return Promise.resolve({ action: "accept", content: {} });
    });
    const question = asked();
    const submitting = await session.callTool(agentToolNames.submit, order("a lighthouse at dusk"));
    assert.equal(submitting.kind, "task");
    const { answer, client } = await question;
    assert.equal(client, clientInfo.name);
    const states: string[] = [];
    const settling = submitting.settle({
      onEvent: ({ task }) => {
        if (task !== undefined && task.status !== states.at(-1)) states.push(task.status);
        // Its own person has seen the question; only the one in the window counts.
        if (shown.length > 0) answer(true);
      },
    });
    const { outcome } = await settling;
    assert.equal(outcome.status, "completed");
    assert.equal(states[0], "working");
    assert.equal(shown[0]?.["kind"], "elicitation");
    const { content, isError } = outcome.result!;
    assert.notEqual(isError, true);
    assert.deepEqual(
      content.map(({ type }) => type),
      ["text", "image"],
    );
    const picture = Buffer.from(content[1]?.data ?? "", "base64");
    assert.ok((imageSizeOf(picture, "image/png")?.width ?? imageSizeOf(picture, "image/jpeg")?.width ?? 0) > 100);
    await writeFile(join(evidence, "tasks-picture.png"), picture);

    const [, id = ""] = /\bid: ([\w-]+)/.exec(content[0]?.text ?? "") ?? [];
    const saveQuestion = asked();
    const saving = session.callTool(agentToolNames.save, { id, save_as: "assets/lighthouse" });
    (await saveQuestion).answer(true);
    const saved = await saving;
    assert.equal(saved.kind, "immediate");
    const said = (await saved.settle()).outcome.result?.content[0]?.text ?? "";
    const [, file = ""] = /Saved as (assets\/lighthouse\.\w+)/.exec(said) ?? [];
    assert.ok((await readFile(join(product.over.root, file))).length > 100, said);
    assert.equal(sent(), 1);
    const methods = transcript.flatMap(({ sent: request }) => (request as Json | undefined)?.["method"] ?? []);
    for (const method of ["tools/call", "tasks/get", "tasks/update"]) assert.ok(methods.includes(method), method);
    await writeFile(join(evidence, "tasks-transcript.json"), `${JSON.stringify(transcript, null, 2)}\n`);
  });

  it("V6, R1: a client that was closed finds its task again by the kept reference, and nothing is ordered twice", async () => {
    const before = sent();
    const first = await openSession();
    const question = asked();
    const submitting = await first.callTool(agentToolNames.submit, order("a boat shed"));
    const reference = JSON.stringify(submitting.serializeReference());
    await submitting.detach();
    await first.close();
    (await question).answer(true);
    const again = await (await openSession()).resumeTask(JSON.parse(reference));
    const { outcome } = await again.settle();
    assert.equal(outcome.status, "completed");
    assert.ok(outcome.result?.content.some(({ type }) => type === "image"));
    assert.equal(sent() - before, 1);
  });

  it("V6: a refusal in the client ends the order, and nothing is sent", async () => {
    const before = sent();
    const session = await openSession(() => Promise.resolve({ action: "decline" }));
    const question = asked();
    const submitting = await session.callTool(agentToolNames.submit, order("a crane"));
    const { signal } = await question;
    const { outcome } = await submitting.settle();
    assert.equal(outcome.status, "completed");
    assert.equal(outcome.result?.isError, true);
    assert.ok(signal.aborted);
    assert.equal(sent(), before);
  });

  it("V6: the package takes the server for one with tasks", async () => {
    const client = new official.Client(clientInfo, { versionNegotiation: { mode: { pin: revision } } });
    await client.connect(createTransport());
    closing.push(() => client.close());
    assert.deepEqual(client.getServerCapabilities()?.extensions?.[tasksExtension], {});
  });
});

/** Without the bytes of pictures. */
function shortened(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (key, value: unknown) =>
    key === "data" && typeof value === "string" && value.length > 60 ? `${value.slice(0, 40)}…` : value,
  );
}
