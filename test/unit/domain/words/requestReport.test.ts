/** The words of *Show Request*. */
import assert from "node:assert/strict";
import { requestReport } from "../../../../src/domain/words/requestReport";
import type { RequestTrace } from "../../../../src/domain/chat/requestTrace";
import type { AnswerEntry } from "../../../../src/domain/chat/chat";

const answer: AnswerEntry = {
  type: "answer",
  id: "a",
  model: "demo-chat",
  family: "chat-completions",
  startedAt: 1000,
  endedAt: 2000,
  state: "complete",
  finish: "stop",
  cut: false,
  blocks: [],
  usage: { input: 1204, output: 356, raw: { total_tokens: 1560 } },
};
const trace: RequestTrace = {
  method: "POST",
  url: "https://gateway.example/v1/chat/completions",
  headers: { accept: "text/event-stream" },
  keyPlace: "bearer",
  body: '{"model":"demo-chat"}',
  way: { kind: "proxy", proxy: "proxy.example:3128" },
  times: { begun: 1000, connected: 1010, responded: 1100, firstByte: 1110, lastByte: 2300, ended: 2301 },
  status: 200,
  requestId: "req-1",
  contentType: "text/event-stream",
  received: { bytes: 200_000, chunks: 900, longestGap: 812, head: "data: 1\n\n", tail: "data: 9\n\n", omitted: 68_928 },
};
const lines = (text: string): string[] => text.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "));

describe("the report of a request", () => {
  it("S4: way, times, sizes, raw response and curl of one request", () => {
    const text = requestReport(answer, [trace], "en");
    for (const line of [
      "input  1,204",
      'Usage as reported  {"total_tokens":1560}',
      "Finish reason  stop",
      "Address  POST https://gateway.example/v1/chat/completions",
      "Connection  through the proxy proxy.example:3128",
      "Connected  after 10 ms",
      "Status  200, after 100 ms",
      "Request id  req-1",
      "Longest pause  812 ms",
      "Received  200,000 bytes",
      "Chunks  900",
      '{"model":"demo-chat"}',
      "data: 1",
      "… 68,928 bytes are left out here …",
      "data: 9",
      String.raw`curl 'https://gateway.example/v1/chat/completions' \ `.trimEnd(),
    ])
      assert.ok(lines(text).includes(line), `${line}\n\n${text}`);
  });

  it("S4: each attempt, and what ended it", () => {
    const failed: RequestTrace = {
      ...trace,
      status: 503,
      error: { kind: "unavailable", message: "busy", status: 503, requestId: "req-0" },
    };
    const text = requestReport(answer, [failed, trace], "en");
    assert.match(text, /Request 1 of 2[\s\S]*busy[\s\S]*Request 2 of 2/);
  });

  it("S4: after a reload the requests are gone, which is said", () => {
    assert.match(requestReport(answer, [], "en"), /not known any more/);
  });
});
