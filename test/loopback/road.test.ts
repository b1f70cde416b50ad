/** The whole road without an editor: submit, poll, events, result, cancel; chat with tools that read and edit; restart. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatSession } from "../../src/chat/session/session";
import type { Task } from "../../src/domain/task/task";
import { toolCalls, type ToolCallBlock } from "../../src/domain/chat/chat";
import { until } from "../support/builders";
import { type AppOverGateway, openAppOverGateway } from "../support/appOverGateway";

describe("the road", () => {
  let over: AppOverGateway;
  beforeEach(async () => {
    // Fast enough that a task ends between its first reads.
    over = await openAppOverGateway({ speed: 20 });
    await mkdir(join(over.folder, "src"));
    await writeFile(join(over.folder, "src/app.ts"), "export const planet = 'World';\n");
  });
  afterEach(async () => {
    assert.deepEqual(over.gateway.clientReport.findings, [], "L6: the client behaved");
    await over.close();
  });

  const submit = async (prompt: string): Promise<string> => {
    const [id] = await over.app.outbox.submit([{ type: "async-image", model: "demo-image", prompt }]);
    return id!;
  };
  const task = (id: string): Task => {
    const found = over.app.board.listed.get(id);
    assert.ok(found);
    return found;
  };
  const stateOf = (id: string): string => {
    const { submission } = task(id);
    return submission.state === "accepted" ? submission.remote.state : submission.state;
  };
  const session = (): ChatSession => over.app.session.current;
  const calls = (): ToolCallBlock[] =>
    session().chat.entries.flatMap((entry) => (entry.type === "answer" ? [...toolCalls(entry)] : []));

  it("T2, T4, T8, L2: a submitted task is polled to its end, its events read, and its picture saved", async () => {
    const id = await submit("a harbour in fog");
    assert.ok(["created", "queued", "processing"].includes(stateOf(id)));
    await until(() => stateOf(id) === "succeeded");
    await over.app.loadEvents(id);
    const { submission } = task(id);
    assert.ok(submission.state === "accepted");
    assert.deepEqual(
      submission.events?.map(({ type }) => type),
      ["created", "submitted", "processing", "succeeded"],
    );
    const path = await over.app.saveResult(id);
    const picture = await readFile(path);
    assert.equal(picture.subarray(1, 4).toString(), "PNG");
    assert.match(path, /a-harbour-in-fog-[0-9a-f]{16}\.png$/);
    assert.equal(await over.app.saveResult(id), path, "it is not fetched again");
    await over.gateway.flushed();
    assert.equal(over.gateway.openHolds, 0);
  });

  it("T9: a running task is cancelled with a reason and its hold released; a finished one is not asked", async () => {
    const id = await submit("[slow] a cathedral of glass");
    assert.deepEqual(await over.app.cancel(id, "wrong prompt"), { state: "confirmed" });
    assert.equal(stateOf(id), "cancelled");
    await over.gateway.flushed();
    assert.equal(over.gateway.openHolds, 0);
    assert.equal(over.gateway.balance.held, 0);
    const before = over.gateway.requests.length;
    await over.app.cancel(id, "again");
    assert.equal(over.gateway.requests.length, before);
  });

  it("T1: after a restart running tasks are polled again and nothing is submitted again", async () => {
    const id = await submit("a harbour in fog");
    await over.restartApp();
    await until(() => stateOf(id) === "succeeded");
    const creates = over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks");
    assert.equal(creates.length, 1);
  });

  it("S1, A1, A2: the model reads a file through a tool and answers with what stands in it", async () => {
    await session().submit("Read src/app.ts and explain it");
    const [call] = calls();
    assert.equal(call?.name, "read_file");
    assert.equal(
      call.progress.state === "done" && call.progress.result,
      "export const planet = 'World';\n(lines 1 to 1 of 1)",
    );
    const answer = session().chat.entries.at(-1);
    assert.ok(answer?.type === "answer" && answer.state === "complete");
    assert.ok(answer.blocks.some((block) => block.type === "text" && block.text.includes("planet")));
    assert.ok(answer.usage?.output);
  });

  it("A2, A3: the model edits a file only after a yes", async () => {
    const turn = session().submit("Replace `World` with `Sluice` in src/app.ts");
    await until(() => calls().some(({ progress }) => progress.state === "waiting"));
    assert.match(await readFile(join(over.folder, "src/app.ts"), "utf8"), /World/);
    const waiting = calls().find(({ progress }) => progress.state === "waiting");
    assert.ok(waiting?.progress.state === "waiting");
    session().approvals.decide(waiting.progress.approval.id, { allow: true });
    await turn;
    assert.match(await readFile(join(over.folder, "src/app.ts"), "utf8"), /Sluice/);
  });

  it("S5 (finding 35): stopping a long answer ends the request at the gateway and keeps what arrived", async () => {
    await over.close();
    over = await openAppOverGateway({ tokensPerSecond: 200 });
    const turn = session().submit("Write a long answer");
    await until(() => session().chat.entries.some((entry) => entry.type === "answer" && entry.blocks.length > 0));
    session().stop();
    await turn;
    const answer = session().chat.entries.at(-1);
    assert.ok(answer?.type === "answer" && answer.state === "stopped" && answer.blocks.length > 0);
    const asked = () => over.gateway.requests.find(({ path }) => path === "/v1/chat/completions");
    await until(() => asked()?.aborted === true);
  });

  it("S5 (finding 33): stopping while the gateway is silent ends the request there", async () => {
    await over.close();
    // A limit longer than this test: nothing but the stop can end the request.
    over = await openAppOverGateway();
    over.gateway.faults.arm({ name: "http.hang", times: 1, route: "POST /v1/chat/completions" });
    const asked = () => over.gateway.requests.find(({ path }) => path === "/v1/chat/completions");
    const turn = session().submit("Write a short answer");
    await until(() => asked()?.faults?.includes("http.hang") === true);
    session().stop();
    await until(() => asked()?.aborted === true);
    await turn;
  });
});
