/** What a gateway may do to a stream, as the chat shows it: a cut, an error, a page, a second try. */
import assert from "node:assert/strict";
import path from "node:path";
import type { AnswerEntry } from "../../../src/domain/chat/chat";
import { type FaultyGateway, startFaultyGateway } from "../../faults/faultyGateway";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows } from "../../support/fakeVscode/openWindow";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const textOf = ({ blocks }: AnswerEntry): string =>
  blocks.map((block) => (block.type === "text" ? block.text : "")).join("");

describe("streams of a gateway in the chat", () => {
  let folder: TemporaryFolder;
  let gateway: FaultyGateway;
  let chat: ChatPage;
  before(async () => {
    folder = await createTemporaryFolder();
    const stateDir = path.join(folder.path, "gateway");
    gateway = await startFaultyGateway({ stateDir, tokensPerSecond: Infinity, firstTokenMs: 0 });
    const { window } = await openWindowOnGateway({ baseUrl: gateway.url, key: gateway.key });
    chat = await openChat(window);
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
    await folder.remove();
  });
  beforeEach(() => gateway.faults.clear());

  it("S3: an answer that may be cut says so, and keeps what arrived", async () => {
    gateway.faults.arm({ name: "end.eof", times: 1, value: 4 });
    const answer = await chat.turn("Tell me about locks");
    assert.equal(answer.cut, true);
    assert.notEqual(textOf(answer).trim(), "");
  });

  it("S4: an error in the middle keeps the text, and says what the gateway said", async () => {
    gateway.faults.arm({ name: "err.event", times: 1, value: 4 });
    const answer = await chat.turn("Tell me about locks");
    assert.deepEqual([answer.state, answer.failure?.type], ["failed", "gateway"]);
    assert.notEqual(textOf(answer).trim(), "");
  });

  it("S4: a web page in place of an answer is told with its type and first bytes", async () => {
    gateway.faults.arm({ name: "http.html", route: "POST /v1/chat/completions" });
    const { state, failure } = await chat.turn("hello");
    assert.equal(state, "failed");
    const told = JSON.stringify(failure?.type === "gateway" && failure.error);
    assert.match(told, /"status":200/);
    assert.match(told, /text\/html/);
    assert.match(told, /<!doctype html|<html/i);
  });

  it("S6: a second try is told, with why", async () => {
    const value = { status: 503, headers: { "retry-after": "1" } };
    gateway.faults.arm({ name: "http.status", route: "POST /v1/chat/completions", times: 1, value });
    const { state, retries = [] } = await chat.turn("hello");
    assert.equal(state, "complete");
    assert.deepEqual(
      retries.map(({ error, delayMs }) => [error.status, delayMs]),
      [[503, 1000]],
    );
  });
});
