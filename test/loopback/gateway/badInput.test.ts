/** What goes wrong with a gateway: each has words, one action, and leaves nothing lost. */
import assert from "node:assert/strict";
import { systemClock } from "../../../src/base/async/systemClock";
import { definedFields } from "../../../src/base/definedFields";
import { describeError, type ErrorAction } from "../../../src/domain/words/describeError";
import { AppFailure } from "../../../src/domain/errors/appError";
import type { Task } from "../../../src/domain/task/task";
import type { AnswerEntry } from "../../../src/domain/chat/chat";
import type { Fault } from "../../faults/faultSwitches";
import { until } from "../../support/builders";
import { errorOf } from "../../support/chatSessions";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";

/** A wait before another try is no part of what is tested here. */
const retryClock = { now: () => systemClock.now(), delay: () => Promise.resolve() };
const wanted = { type: "async-image", model: "demo-image", prompt: "a harbour in fog" } as const;

describe("bad input", () => {
  let over: AppOverGateway;
  let firstByte: number | undefined;
  beforeEach(async () => {
    firstByte = undefined;
    // Slow enough that what is cut off had something before it.
    over = await openAppOverGateway({ tokensPerSecond: 1000, limits: () => definedFields({ firstByte }), retryClock });
  });
  afterEach(() => over.close());

  const arm = (name: string, change: Partial<Fault> = {}) => over.gateway.faults.arm({ name, times: 1, ...change });
  const submit = async (): Promise<Task> => {
    const [id] = await over.app.outbox.submit([wanted]);
    const task = over.app.board.listed.get(id!);
    assert.ok(task);
    return task;
  };
  const ask = async (text = "Write a short answer"): Promise<AnswerEntry> => {
    await over.app.session.current.submit(text);
    const answer = over.app.session.current.chat.entries.at(-1);
    assert.ok(answer?.type === "answer");
    return answer;
  };
  const actionOf = (task: Task): ErrorAction => {
    assert.ok(task.submission.state === "not-accepted" || task.submission.state === "outcome-unknown");
    return describeError(task.submission.error, "submit").action.id;
  };
  const creates = (): number =>
    over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length;
  const sendAgain = async (task: Task): Promise<Task | undefined> => {
    await over.app.outbox.sendAgain(over.app.board.see(task.intent.id));
    return over.app.board.listed.get(task.intent.id);
  };

  it("C2 (finding 35): no key: nothing is sent, the prompt stays in the chat, and the action is to set one", async () => {
    over.setKey(undefined);
    await until(() => over.connections.current.current.state === "signed-out");
    const before = over.gateway.requests.length;
    await assert.rejects(submit(), (failure) => failure instanceof AppFailure && failure.error.kind === "signed-out");
    assert.equal(errorOf(await ask())?.action.id, "set-key");
    assert.equal(over.app.session.current.chat.entries[0]?.type, "user");
    assert.equal(over.gateway.requests.length, before);
    // Once the key is there, the same message is answered.
    over.setKey(over.gateway.key);
    await until(() => over.app.models.models.current.chat !== undefined);
    await over.app.session.current.retry();
    const { entries } = over.app.session.current.chat;
    assert.deepEqual(
      entries.map(({ type }) => type),
      ["user", "answer", "answer"],
    );
    const last = entries.at(-1);
    assert.equal(last?.type === "answer" && last.state, "complete");
    assert.equal(over.gateway.requests.filter(({ path }) => path === "/v1/chat/completions").length, 1);
  });

  it("C2: a wrong key: not accepted, nothing paid, and the action is to set another", async () => {
    const model = over.app.models.models.current.chat;
    over.setKey("wrong");
    await until(() => over.app.models.models.current.error !== undefined);
    over.app.models.choose(model!.id);
    const task = await submit();
    assert.equal(task.submission.state, "not-accepted");
    assert.equal(actionOf(task), "set-key");
    assert.equal(errorOf(await ask())?.action.id, "set-key");
    assert.equal(over.gateway.openHolds, 0);
  });

  it("T1: an unreachable host: nothing was sent, the task is kept and goes out when the host is back", async () => {
    const { url } = over.gateway;
    const { chat } = over.app.models.models.current;
    over.baseUrl.set("http://127.0.0.1:9");
    await until(() => over.app.models.models.current.error !== undefined);
    over.app.models.choose(chat!.id);
    const task = await submit();
    assert.equal(task.submission.state, "not-accepted");
    assert.ok(task.submission.error.notSent);
    assert.equal(actionOf(task), "choose-gateway");
    const answer = await ask();
    assert.equal(errorOf(answer)?.action.id, "choose-gateway");
    assert.match(errorOf(answer)?.meaning ?? "", /nothing is paid/);
    over.baseUrl.set(url);
    await until(() => over.app.models.models.current.error === undefined);
    await over.app.session.current.retry();
    const last = over.app.session.current.chat.entries.at(-1);
    assert.equal(last?.type === "answer" && last.state, "complete");
  });

  it("T10: 402: no task, no hold, the prompt kept, and the action is where the balance is raised", async () => {
    arm("http.status", { route: "POST /v1/tasks", value: { status: 402 } });
    const task = await submit();
    assert.equal(task.submission.state, "not-accepted");
    assert.equal(actionOf(task), "add-funds");
    assert.equal(over.gateway.openHolds, 0);
    assert.equal((await sendAgain(task))?.submission.state, "accepted");
    arm("http.status", { route: "POST /v1/chat/completions", value: { status: 402 } });
    assert.equal(errorOf(await ask())?.action.id, "add-funds");
  });

  it("S6: 429 with Retry-After: says how long, sends nothing by itself, and Try Again works", async () => {
    // The person presses Try Again at once.
    over.provoke("ignored-retry-after");
    const value = { status: 429, headers: { "retry-after": "1" } };
    arm("http.status", { route: "POST /v1/tasks", value });
    const task = await submit();
    assert.equal(task.submission.state, "not-accepted");
    assert.match(describeError(task.submission.error, "submit").title, /wait 1 s/);
    assert.equal(actionOf(task), "retry");
    assert.equal(creates(), 1);
    assert.equal((await sendAgain(task))?.submission.state, "accepted");
    // Longer than a chat waits before it retries without a click.
    const long = { status: 429, headers: { "retry-after": "61" } };
    arm("http.status", { route: "POST /v1/chat/completions", value: long });
    const answer = await ask();
    assert.match(errorOf(answer)?.title ?? "", /wait 61 s/);
    assert.equal(errorOf(answer)?.action.id, "retry");
    await over.app.session.current.retry();
    const last = over.app.session.current.chat.entries.at(-1);
    assert.equal(last?.type === "answer" && last.state, "complete");
  });

  it("S3, S4: a stream cut in the middle: the text stays, it is marked, and the action asks again", async () => {
    arm("end.cut", { value: 60 });
    const answer = await ask("Write a long answer");
    assert.equal(answer.state, "failed");
    assert.equal(answer.cut, true);
    assert.ok(answer.blocks.some((block) => block.type === "text" && block.text !== ""));
    assert.equal(errorOf(answer)?.action.id, "retry");
    assert.match(errorOf(answer)?.meaning ?? "", /What arrived is kept/);
  });

  it("T1, Q-K1: a lost 202: outcome unknown, one hold, and Reconcile finds the first task", async () => {
    arm("task.lost-202", { route: "POST /v1/tasks" });
    const task = await submit();
    assert.equal(task.submission.state, "outcome-unknown");
    assert.equal(actionOf(task), "reconcile");
    const after = await sendAgain(task);
    assert.equal(after?.submission.state, "accepted");
    assert.equal(creates(), 2);
    await over.gateway.flushed();
    assert.equal(over.gateway.openHolds, 1);
  });

  it("T1: a host that never answers: outcome unknown within the limit, the chat says so", async () => {
    firstByte = 500;
    arm("http.hang", { route: "POST /v1/tasks" });
    const task = await submit();
    assert.equal(task.submission.state, "outcome-unknown");
    assert.equal(task.submission.error.kind, "timed-out");
    // A chat is tried once again.
    arm("http.hang", { route: "POST /v1/chat/completions", times: 2 });
    assert.match(errorOf(await ask())?.title ?? "", /did not answer in time/);
  });

  it("S4: an empty 200 says what arrived", async () => {
    // Also after the retries.
    arm("http.empty-200", { route: "POST /v1/chat/completions", times: 3 });
    const error = errorOf(await ask());
    assert.match(error?.details ?? "", /status: 200/);
    assert.match(error?.details ?? "", /request id: /);
  });

  it("P1: an empty prompt in the chat does nothing and sends nothing", async () => {
    const before = over.gateway.requests.length;
    assert.equal(await over.app.session.current.submit("  \n"), false);
    assert.deepEqual(over.app.session.current.chat.entries, []);
    assert.equal(over.gateway.requests.length, before);
  });

  it("R5 (finding 35): a key that a refusal and an error page give back is in no log line, no task file and no chat", async () => {
    arm("http.status", {
      route: "POST /v1/tasks",
      value: { status: 400, body: { error: { message: `bad key ${over.gateway.key}` } } },
    });
    await submit();
    arm("http.status", {
      route: "POST /v1/chat/completions",
      value: { status: 500, body: `<html>${over.gateway.key}</html>` },
      // Also after the retries.
      times: 3,
    });
    await ask();
    const { readFile } = await import("node:fs/promises");
    const stored = await readFile(`${over.folder}/.storage/tasks.db`, "latin1");
    const shown = JSON.stringify(over.app.session.current.chat);
    assert.match(stored, /bad key/);
    assert.match(shown, /web page/);
    assert.ok(over.log.length > 0);
    for (const text of [stored, shown, ...over.log]) assert.equal(text.includes(over.gateway.key), false);
  });
});
