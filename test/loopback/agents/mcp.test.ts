/** The MCP server over the whole product (V6): a client of the official SDK in another process orders, looks and cancels; strangers get nothing. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import type { McpServer } from "../../../src/agents/mcp/mcpServer";
import { agentToolNames } from "../../../src/agents/tasks/agentToolNames";
import type { McpCalls } from "../../../src/agents/mcp/mcpCalls";
import type { AppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";
import type { MovedClock } from "../../support/movedClock";
import type { TaskPort } from "../../../src/domain/task/taskPort";
import { McpTasks } from "../../../src/agents/mcp/mcpTasks";
import type { JsonRecord } from "../../../src/base/jsonValue";
import { type McpAgent, startMcpAgent } from "../../support/mcpAgent";
import { askOnce, type McpReply, tasksExtension, withTasks } from "../../support/mcpTasksClient";
import { type Asked, type McpOverProduct, openMcpOverProduct } from "../../support/mcpOverProduct";

const image = { type: "async-image", model: "demo-image", prompt: "a harbour at dawn" };

describe("the MCP server over the product", () => {
  let product: McpOverProduct;
  let over: AppOverGateway;
  let server: McpServer;
  let taskPort: TaskPort;
  /** One program for all tests: a process for each costs more than all that it asks for. */
  let agent: McpAgent;
  let clock: MovedClock;
  let calls: McpCalls;
  let hasTrust: boolean;
  let cap: number;
  /** What a person would see, in its order. */
  let questions: Asked[];
  let onQuestion: (asked: Asked) => void;
  const token = "the-token-of-this-test";
  const authorized = { Authorization: `Bearer ${token}` };
  const take = (asked: Asked): void => {
    questions.push(asked);
    onQuestion(asked);
  };
  const asked = (): Promise<Asked> => new Promise((resolve) => (onQuestion = resolve));
  const orders = (): number =>
    over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length;

  before(async () => {
    product = await openMcpOverProduct(token, () => ({ hasTrust, cap, onQuestion: take }));
    ({ over, server, taskPort, clock, calls } = product);
    agent = await startMcpAgent(server.url, authorized);
  });
  after(async () => {
    await agent.close();
    await product.close();
  });
  beforeEach(() => {
    hasTrust = true;
    calls.allowQuestions();
    cap = 0;
    questions = [];
    onQuestion = () => undefined;
  });

  it("V6: the tools are listed with the schemas of the chat's and with what they do to the person's things", async () => {
    const tools = await agent.tools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.values(agentToolNames),
    );
    const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const submits = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
    const cancels = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };
    assert.deepEqual(
      tools.map(({ title, annotations }) => [title, annotations]),
      [
        ["Submit a paid image or video task", submits],
        ["Get a task", reads],
        ["Cancel a task", cancels],
        ["List tasks", reads],
        ["Compare results", reads],
        ["Save a result into the project", writes],
        ["List models for tasks", reads],
      ],
    );
    assert.match(JSON.stringify(tools[0]), /"save_as"/);
  });

  it("V6, T8: a picture that another process orders lands in the workspace after the yes, and not before it", async () => {
    const question = asked();
    const before = orders();
    const ordered = agent.call(agentToolNames.submit, { ...image, save_as: "assets/harbour" });
    const { question: shown, client, answer } = await question;
    assert.deepEqual([client, orders()], ["test-agent", before]);
    const facts = Object.fromEntries(shown.facts.map(({ name, text }) => [name, text]));
    assert.equal(shown.title, "Submit 1 paid image task?");
    assert.deepEqual(
      [facts["Model"], facts["Prompt"], facts["Destination"]],
      ["demo-image", "a harbour at dawn", "assets/harbour"],
    );
    answer(true);
    const { text = "", isError } = await ordered;
    assert.equal(isError, false, text);
    assert.equal(orders(), before + 1);
    const [, id = ""] = /^id: (\S+)/.exec(text) ?? [];
    const ended = await agent.call(agentToolNames.get, { id, wait_seconds: 60 });
    assert.match(ended.text ?? "", /The result is assets\/harbour\.\w+\./);
    assert.deepEqual(ended.types, ["text", "image"], "the agent sees it");
    assert.match(ended.text ?? "", /money: the hold ".+" was settled: the task is charged/);
    const [, file = ""] = /The result is (\S+)\.$/m.exec(ended.text ?? "") ?? [];
    assert.ok((await readFile(join(over.root, file))).length > 100);
    assert.match((await agent.call(agentToolNames.list)).text ?? "", /succeeded: "a harbour at dawn"/);
    assert.ok((await agent.call(agentToolNames.list, { state: "finished" })).text?.includes(id));
    assert.ok(!(await agent.call(agentToolNames.list, { state: "running" })).text?.includes(id));
    // A client that gave up waiting orders again.
    const again = asked();
    const second = agent.call(agentToolNames.submit, image);
    const { question: repeated, answer: repeat } = await again;
    assert.match(repeated.notes[0] ?? "", /^The same was submitted before and is “succeeded”/);
    repeat(false);
    await second;
  });

  it("V6, A3: after a no nothing was submitted, and the model is told so", async () => {
    const question = asked();
    const before = orders();
    const ordered = agent.call(agentToolNames.submit, image);
    (await question).answer(false);
    const { text, isError } = await ordered;
    assert.deepEqual([isError, orders()], [true, before]);
    assert.match(text ?? "", /said no: nothing was done/);
  });

  it("V6: while the person thinks the client is told every 20 s that the call goes on, and then no more", async () => {
    const question = asked();
    const ordered = agent.call(agentToolNames.submit, image);
    const { answer } = await question;
    for (let times = 0; times < 2; times += 1) {
      const progress = agent.progress();
      await clock.advance(20_000);
      assert.match(await progress, /Waiting for the person/);
    }
    answer(false);
    assert.equal((await ordered).isError, true);
    assert.equal(clock.waiting, 0);
  });

  it("V6: a client that takes no stream gets its answer whole: progress that it asked for is dropped and does not break the call", async () => {
    const headers = { ...authorized, "content-type": "application/json", accept: "application/json" };
    const send = (body: string, session = {}): Promise<Response> =>
      fetch(server.url, { method: "POST", headers: { ...headers, ...session }, body });
    const opened = await send(initialize);
    await opened.text();
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    for (const [id, progressToken] of [7, "seven"].entries()) {
      const before = orders();
      const question = asked();
      const params = {
        name: agentToolNames.submit,
        arguments: { ...image, prompt: `a pier ${id}` },
        _meta: { progressToken },
      };
      const sent = send(JSON.stringify({ jsonrpc: "2.0", id: 10 + id, method: "tools/call", params }), session);
      const { answer } = await question;
      for (let times = 0; times < 2; times += 1) await clock.advance(20_000);
      answer(true);
      const response = await sent;
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      const body = (await response.json()) as { id: number; result: { isError: boolean } };
      assert.deepEqual([body.id, body.result.isError, orders()], [10 + id, false, before + 1]);
    }
    assert.equal(clock.waiting, 0);
  });

  it("V6, T10: beyond the cap of tasks a day nothing is submitted, in spite of the yes", async () => {
    const first = asked();
    const allowed = agent.call(agentToolNames.submit, image);
    (await first).answer(true);
    await allowed;
    cap = 1;
    const question = asked();
    const before = orders();
    const ordered = agent.call(agentToolNames.submit, image);
    (await question).answer(true);
    assert.match((await ordered).text ?? "", /allows 1 tasks a day.*Nothing was submitted/);
    assert.equal(orders(), before);
  });

  it("V6: a client that cancels or is killed takes its question along, and a late yes does nothing", async () => {
    const before = orders();
    const cancel = new AbortController();
    let question = asked();
    const cancelled = agent.callUntil(cancel.signal, agentToolNames.submit, image);
    const first = await question;
    cancel.abort();
    assert.match((await cancelled).error ?? "", /abort/i);
    await onceAborted(first.signal);
    first.answer(true);
    question = asked();
    const other = await startMcpAgent(server.url, authorized);
    void other.call(agentToolNames.submit, image);
    const second = await question;
    other.kill();
    await onceAborted(second.signal);
    second.answer(true);
    assert.equal((await agent.call(agentToolNames.list)).isError, false);
    assert.equal(orders(), before);
  });

  it("V6 (strangers M2): a client of revision 2026-07-28 alone discovers, lists, is told that a call goes on, and cancels by hanging up", async () => {
    const modern = await startMcpAgent(server.url, authorized, "2026-07-28");
    try {
      assert.match(modern.connected.text ?? "", /"name":"sluice"/);
      assert.deepEqual(
        (await modern.tools()).map(({ name }) => name),
        (await agent.tools()).map(({ name }) => name),
      );
      const before = orders();
      let question = asked();
      const ordered = modern.call(agentToolNames.submit, image);
      const { answer, client } = await question;
      assert.equal(client, "test-agent");
      const progress = modern.progress();
      await clock.advance(20_000);
      assert.match(await progress, /Waiting for the person/);
      answer(true);
      assert.equal((await ordered).isError, false);
      assert.equal(orders(), before + 1);
      const cancel = new AbortController();
      question = asked();
      const cancelled = modern.callUntil(cancel.signal, agentToolNames.submit, image);
      const late = await question;
      cancel.abort();
      assert.match((await cancelled).error ?? "", /abort/i);
      await onceAborted(late.signal);
      late.answer(true);
      assert.equal(orders(), before + 1);
    } finally {
      await modern.close();
    }
  });

  it("M13, V6, T1: of two equal orders that wait, the second is asked with the first one's task", async () => {
    const equal = { ...image, prompt: "a harbour at dusk" };
    const both: Promise<{ text?: string }>[] = [];
    for (let time = 0; time < 2; time += 1) {
      const question = asked();
      both.push(agent.call(agentToolNames.submit, equal));
      await question;
    }
    const [first, second] = questions;
    assert.doesNotMatch(second!.askedLate().notes.join("\n"), /same was submitted/);
    first!.answer(true);
    await both[0];
    assert.match(second!.askedLate().notes[0] ?? "", /^The same was submitted before/);
    second!.answer(false);
    await both[1];
  });

  it("M13, V6, T1: the same JSON-RPC request twice in a session is one order", async () => {
    const headers = {
      ...authorized,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const left = new AbortController();
    const send = async (body: string, session = {}): Promise<Response> =>
      fetch(server.url, { method: "POST", headers: { ...headers, ...session }, body, signal: left.signal });
    const opened = await send(initialize);
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    await opened.text();
    const before = orders();
    const params = { name: agentToolNames.submit, arguments: { ...image, prompt: "a quay" } };
    const order = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
    const question = asked();
    // The second one takes the stream of its answer.
    send(order, session).catch(() => undefined);
    const { answer } = await question;
    assert.match(await (await send(order, session)).text(), /made already/);
    answer(true);
    await until(() => orders() === before + 1);
    assert.match(await (await send(order, session)).text(), /made already/);
    assert.deepEqual([questions.length, orders()], [1, before + 1]);
    left.abort();
  });

  it("V6, T15: another process lists models, orders two, compares their pictures, saves the better one and has a video made of it: a yes to each that pays or writes", async () => {
    const models = (await agent.call(agentToolNames.models)).text ?? "";
    assert.match(models, /^async-image \(.*\)\n(?:- .*\n)*- demo-image/m);
    const order = asked();
    const ordered = agent.call(agentToolNames.submit, { ...image, prompt: "a pier", options: { n: 2, seed: 5 } });
    (await order).answer(true);
    const ids = [...((await ordered).text ?? "").matchAll(/^id: (\S+)/gm)].map(([, id = ""]) => id);
    assert.equal(ids.length, 2);
    for (const id of ids) await agent.call(agentToolNames.get, { id, wait_seconds: 60 });
    const sheet = await agent.call(agentToolNames.compare, { ids });
    assert.deepEqual(sheet.types, ["text", "image", "image"], sheet.text);
    assert.match(sheet.text ?? "", /^A: [^]*^B: /m);
    const save = asked();
    const saving = agent.call(agentToolNames.save, { id: ids[1], save_as: "assets/pier" });
    const { question, answer } = await save;
    assert.equal(question.title, "Save the result of this image task into the project?");
    answer(true);
    const { text = "" } = await saving;
    const [, file = ""] = /^Saved as (assets\/pier\.\w+)\.$/.exec(text) ?? [];
    assert.ok((await readFile(join(over.root, file))).length > 100, text);
    // What is in the project was made by the task from now on.
    assert.match(
      (await agent.call(agentToolNames.get, { id: ids[1] })).text ?? "",
      /The result is assets\/pier\.\w+\./,
    );
    const again = asked();
    const repeated = agent.call(agentToolNames.save, { id: ids[0], save_as: "assets/pier" });
    (await again).answer(true);
    assert.match((await repeated).text ?? "", /There is a file of that name already/);
    const film = asked();
    const video = { type: "video", model: "demo-video", prompt: "the pier, waves", references: [file] };
    const filming = agent.call(agentToolNames.submit, { ...video, save_as: "assets/pier-film" });
    const { question: aboutFilm, answer: allow } = await film;
    const facts = Object.fromEntries(aboutFilm.facts.map(({ name, text }) => [name, text]));
    assert.match(facts["Reference images"] ?? "", /^assets\/pier\.\w+ \(\d+ KB\)$/);
    allow(true);
    const [, filmed = ""] = /^id: (\S+)/.exec((await filming).text ?? "") ?? [];
    const placed = (await agent.call(agentToolNames.get, { id: filmed, wait_seconds: 60 })).text ?? "";
    assert.match(placed, /The result is assets\/pier-film\.\w+\./);
  });

  it("V6: in Restricted Mode no program gets to the tasks", async () => {
    hasTrust = false;
    for (const name of Object.values(agentToolNames))
      assert.match((await agent.call(name, image)).text ?? "", /Restricted Mode/);
    assert.deepEqual(questions, []);
  });

  it("V6, A4: hostile arguments are refused before a person is asked", async () => {
    const long = { ...image, prompt: "x".repeat(5000) };
    const outside = { ...image, save_as: "../../harbour" };
    const tall = { ...image, prompt: "x\n".repeat(1900) };
    const secret = { ...image, references: ["/etc/passwd"] };
    for (const input of [{}, { ...image, pay: true }, { ...image, type: "gold" }, long, tall, outside, secret])
      assert.equal((await agent.call(agentToolNames.submit, input)).isError, true, JSON.stringify(input).slice(0, 80));
    assert.equal((await agent.call("run_command", { command: "ls" })).isError, true);
    assert.deepEqual(questions, []);
  });

  it("V6: without the token, with a wrong one, from a page or for another host nothing is answered, and it is counted", async () => {
    const { refused } = server.counts;
    assert.match((await startMcpAgent(server.url, {})).connected.error ?? "", /token|401|Unauthorized/i);
    assert.match((await startMcpAgent(server.url, { Authorization: "Bearer wrong" })).connected.error ?? "", /./);
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { host: "evil.example" },
      { host: `evil.example:${server.port}` },
    ]) {
      assert.equal(await statusOf({ ...authorized, ...headers }), 403, JSON.stringify(headers));
    }
    assert.equal(await statusOf({ authorization: `Basic ${token}` }), 401);
    assert.ok(server.counts.refused >= refused + 7);
    assert.deepEqual(questions, []);
  });

  it("V6: a body that is too large, an unknown session and another path end in a refusal", async () => {
    assert.equal(await statusOf(authorized, "x".repeat(300_000)), 413);
    assert.equal(await statusOf({ ...authorized, "mcp-session-id": "nobody" }), 404);
    assert.equal(await statusOf(authorized, initialize, "/elsewhere"), 404);
    // Neither is an address.
    assert.equal(await statusOf(authorized, initialize, "//"), 404);
    assert.equal(await statusOf(authorized, initialize, "http://["), 404);
  });

  it("V6 (strangers M2): a new token ends the sessions that were opened with the old one, and the calls of clients without a session", async () => {
    const modern = await startMcpAgent(server.url, authorized, "2026-07-28");
    const question = asked();
    void modern.call(agentToolNames.submit, image);
    const { signal } = await question;
    await server.endSessions();
    await onceAborted(signal);
    assert.equal((await modern.call(agentToolNames.list)).isError, false);
    await modern.close();
    assert.notEqual((await agent.call(agentToolNames.list)).error, undefined);
    await agent.close();
    agent = await startMcpAgent(server.url, authorized);
  });

  describe("with the extension for tasks", () => {
    const ask = (method: string, params: JsonRecord, capabilities: JsonRecord = withTasks): Promise<McpReply> =>
      askOnce({ url: server.url, token }, method, params, capabilities);
    const withForms = { ...withTasks, elicitation: {} };
    const begin = (input: JsonRecord = image, capabilities: JsonRecord = withTasks): Promise<McpReply> =>
      ask("tools/call", { name: agentToolNames.submit, arguments: input }, capabilities);
    const idOf = ({ result }: McpReply): string => String(result?.["taskId"]);
    const look = async (taskId: string, capabilities: JsonRecord = withTasks): Promise<JsonRecord> =>
      (await ask("tasks/get", { taskId }, capabilities)).result ?? {};
    async function ended(taskId: string): Promise<JsonRecord> {
      for (;;) {
        const task = await look(taskId);
        if (!["working", "input_required"].includes(String(task["status"]))) return task;
        await until(() => taskPort.ordered(taskId).every(({ isDone }) => isDone));
      }
    }

    it("V6: it is offered from its revision on, and only a client that declares it gets a task", async () => {
      const { result } = await ask("server/discover", {});
      assert.deepEqual((result?.["capabilities"] as JsonRecord)["extensions"], { [tasksExtension]: {} });
      const question = asked();
      const ordered = begin(image, {});
      (await question).answer(false);
      assert.equal((await ordered).result?.["resultType"], "complete");
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        const { error } = await ask(method, { taskId: "x", inputResponses: {} }, {});

        assert.deepEqual([error?.code, error?.data], [-32_021, { requiredCapabilities: withTasks }]);
        assert.equal((await ask(method, { taskId: "x", inputResponses: {} })).error?.code, -32_602);
      }
    });

    it("V6, T8: a submission is a task at once, waits for the yes in the window, and ends with picture, report and file", async () => {
      const before = orders();
      const question = asked();
      const begun = await begin({ ...image, save_as: "assets/jetty" });
      assert.equal(begun.result?.["resultType"], "task");
      assert.equal(begun.result["status"], "working");
      const id = idOf(begun);
      const { answer, client } = await question;
      assert.equal(client, "tasks-agent");
      assert.match(String((await look(id))["statusMessage"]), /asked in the VS Code window/);
      assert.equal(orders(), before);
      answer(true);
      const task = await ended(id);
      assert.equal(task["status"], "completed");
      const { content, isError, resultType } = task["result"] as {
        content: JsonRecord[];
        isError: boolean;
        resultType: string;
      };
      assert.deepEqual([isError, resultType], [false, "complete"]);
      assert.match(String(content[0]?.["text"]), /The result is assets\/jetty\.png/);
      assert.deepEqual(
        content.map(({ type }) => type),
        ["text", "image", "resource_link"],
      );
      assert.match(String(content[2]?.["uri"]), /assets\/jetty\.png$/);
      assert.equal(orders(), before + 1);
      // Asked again, also by a server that knows of nothing but the board, it says the same.
      assert.deepEqual((await look(id))["result"], task["result"]);
    });

    it("V6, A3: a client that shows forms gets the question; its no withdraws, its yes does not submit", async () => {
      const before = orders();
      for (const action of ["accept", "decline"]) {
        const question = asked();
        const id = idOf(await begin(image, withForms));
        const { signal, answer } = await question;
        const waiting = await look(id, withForms);
        assert.equal(waiting["status"], "input_required");
        const { yes } = waiting["inputRequests"] as { yes: { method: string; params: JsonRecord } };
        assert.equal(yes.method, "elicitation/create");
        assert.match(String(yes.params["message"]), /Submit 1 paid image task\?[^]*a harbour at dawn/);
        const other = await ask("tasks/update", { taskId: id, inputResponses: { other: { action: "decline" } } });
        assert.equal(other.result?.["resultType"], "complete");
        assert.equal((await look(id, withForms))["status"], "input_required");
        await ask("tasks/update", { taskId: id, inputResponses: { yes: { action } } });
        if (action === "accept") {
          assert.equal((await look(id, withForms))["status"], "working");
          assert.equal(signal.aborted, false);
          answer(false);
        } else await onceAborted(signal);
        const { result } = (await ended(id)) as { result: JsonRecord };
        assert.equal(result["isError"], true);
        assert.match(JSON.stringify(result), /said no/);
      }
      assert.equal(orders(), before);
    });

    it("V6, T1: cancelled before the yes nothing is submitted, and a late yes does nothing", async () => {
      const before = orders();
      const question = asked();
      const id = idOf(await begin());
      const { signal, answer } = await question;
      assert.equal((await ask("tasks/cancel", { taskId: id })).result?.["resultType"], "complete");
      await onceAborted(signal);
      answer(true);
      const task = await ended(id);
      assert.equal(task["status"], "cancelled");
      assert.match(String(task["statusMessage"]), /nothing was submitted/);
      assert.equal(orders(), before);
    });

    it("V6, T1: what another server of the same token is asked it tells from the board: no order is lost or made twice", async () => {
      const question = asked();
      const [first, second] = [idOf(await begin({ ...image, options: { n: 2 } })), idOf(await begin())];
      (await question).answer(true);
      await ended(first);
      const afterKill = new McpTasks({ calls, orders: taskPort, token: () => token, clock: systemClock });
      const never = new AbortController().signal;
      const told = await afterKill.get(first, never);
      assert.equal(told?.state.status, "completed");
      assert.equal(taskPort.ordered(first).length, 2);
      assert.equal((await afterKill.get(second, never))?.state.status, "cancelled");
      assert.equal(await afterKill.get(`${first}x`, never), undefined);
      const renewed = new McpTasks({ calls, orders: taskPort, token: () => "another", clock: systemClock });
      assert.equal(await renewed.get(first, never), undefined);
      await server.endSessions();
    });

    it("V6, A4: hostile arguments and odd ids are refused, and nobody is asked", async () => {
      const refused = await begin({ type: "async-image", model: "demo-image", prompt: "", other: 1 });
      assert.deepEqual([refused.result?.["resultType"], refused.result?.["isError"]], ["complete", true]);
      for (const taskId of ["", ".", "..", "a.b.c", "x".repeat(100_000), "0.0.0", "__proto__"])
        assert.ok((await ask("tasks/get", { taskId })).error, taskId.slice(0, 20));
      assert.deepEqual(questions, []);
    });
  });

  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  });

  /** Of one request, with its headers exactly as they are given. */
  function statusOf(headers: Readonly<Record<string, string>>, body = initialize, path = "/mcp"): Promise<number> {
    return new Promise((resolve, reject) => {
      const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const sent = request({
        host: "127.0.0.1",
        port: server.port,
        path,
        method: "POST",
        headers: { ...usual, ...headers },
      });
      sent.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
});

function onceAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
