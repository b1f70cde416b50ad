/** R5 over real sockets: a gateway gives the key back in every field, plain, URL-encoded and in base64, and nothing of it comes out of the client. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { definedFields } from "../../../src/base/definedFields";
import { toAppError } from "../../../src/domain/errors/appError";
import type { ChatRequest } from "../../../src/domain/chat/message";
import type { Facts, Gateway, Log } from "../../../src/domain/ports";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { anyEcho, anyKey, encodings, findResidue } from "../../support/keyResidue";
import { collect } from "./harness";
import { serve, type TestServer } from "./rawServer";
import { partOf, runsOf } from "../../support/runs";
import { plainEndpoint } from "../../support/plainOptions";

type Reply = (echo: string) => { readonly status?: number; readonly type?: string; readonly body: string };

const errors: readonly Reply[] = [
  (echo) => ({ status: 401, body: JSON.stringify({ error: { message: echo, code: "invalid_api_key" } }) }),
  (echo) => ({ status: 400, body: JSON.stringify({ error: { message: "m", code: echo, param: echo } }) }),
  (echo) => ({ status: 403, body: JSON.stringify({ error: "denied", message: echo, request_id: echo }) }),
  (echo) => ({ status: 422, body: JSON.stringify({ detail: [{ loc: ["body", echo], msg: "bad" }] }) }),
  (echo) => ({ status: 400, body: JSON.stringify({ error: { message: "m", metadata: { raw: echo } } }) }),
  (echo) => ({ status: 400, type: "text/plain", body: echo }),
  (echo) => ({ status: 404, type: "text/html", body: `<html><title>${echo}</title>${echo}` }),
  (echo) => ({ status: 302, body: echo }),
];
const tasks: readonly Reply[] = [
  (echo) => ({
    body: JSON.stringify({
      task_id: "t1",
      hold_id: echo,
      request_id: echo,
      status: echo,
      public_model: echo,
      error_code: echo,
      error_message: echo,
      result_assets_json: JSON.stringify({ image_url: `https://cdn.example/${echo}`, thumbnail_url: echo }),
      task_events: [{ task_event_id: echo, event_type: echo, status: echo, message: echo }, { message: echo }],
      data: [{ id: echo, note: echo, capabilities: { note: echo } }, echo],
    }),
  }),
  (echo) => ({ body: JSON.stringify({ task_id: echo, status: 1, result_assets_json: echo, data: [] }) }),
  (echo) => ({ body: echo }),
];
const event = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const said = (delta: unknown): string => event({ choices: [{ index: 0, delta }] });
const streams: readonly Reply[] = [
  (echo) => ({ body: said({ content: "a" }) + event({ error: { message: echo, code: echo } }) }),
  (echo) => ({ body: said({ content: "a" }) + event(`{"nonsense ${echo}`) + echo }),
  (echo) => ({
    body:
      event({ id: echo, model: echo, choices: [{ delta: { content: "a" } }] }) +
      said({ tool_calls: [{ index: 0, id: echo, function: { name: "read_file", arguments: "{}" } }] }) +
      event({ choices: [{ delta: {}, finish_reason: echo }] }) +
      event({ choices: [], usage: { prompt_tokens: 1, note: echo } }) +
      event("[DONE]"),
  }),
  (echo) => ({ body: said({ content: "a", annotations: [{ url_citation: { url: echo, title: echo } }] }) }),
  (echo) => ({ body: said({ reasoning_details: [{ type: "reasoning.encrypted", data: echo }], content: "a" }) }),
  (echo) => ({ body: said({ content: "a" }) + echo }),
  (echo) => ({ type: "text/html", body: `<html>${echo}` }),
];

const ask: ChatRequest = {
  family: "chat-completions",
  model: "m",
  messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
  tools: [],
};

describe("R5: a gateway that gives the key back", () => {
  let server: TestServer;
  let reply: ReturnType<Reply> & { readonly requestId?: string } = { body: "" };
  before(async () => {
    server = await serve((response) => {
      const { status = 200, type = "application/json", body, requestId = "r1" } = reply;
      response.writeHead(status, { "content-type": type, "x-request-id": requestId, "x-should-retry": "false" });
      response.end(body);
    });
  });
  after(() => server.close());

  /** All that the calls let out: values, errors, events, log lines. */
  const outOf = async (key: string, calls: readonly ((gateway: Gateway) => Promise<unknown>)[]): Promise<string> => {
    const out: unknown[] = [];
    const note = (message: string, facts?: Facts): void => void out.push(message, facts);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    const gateway = createHttpGateway({ ...plainEndpoint, baseUrl: server.url, key, log, random: () => 1 });
    for (const call of calls) {
      out.push(await call(gateway).catch((failure: unknown) => toAppError(failure)));
    }
    await gateway.close();
    return strings(out).join("\n\u0001\n");
  };
  const taskCalls: readonly ((gateway: Gateway) => Promise<unknown>)[] = [
    (gateway) => gateway.createTask("{}"),
    (gateway) => gateway.getTask("t1"),
    (gateway) => gateway.listTaskEvents("t1", { limit: 50, offset: 0 }),
    (gateway) => gateway.cancelTask("t1", ""),
    (gateway) => gateway.listModels(),
  ];
  const chatCalls: readonly ((gateway: Gateway) => Promise<unknown>)[] = [
    (gateway) => collect(gateway.streamChat(ask, undefined)),
  ];

  const cases = [
    ["errors", errors, [...taskCalls.slice(0, 2), ...chatCalls]],
    ["answers of the task interface", tasks, taskCalls],
    ["streams", streams, chatCalls],
  ] as const;
  for (const [what, replies, calls] of cases) {
    for (const [at, [name, encode]] of Object.entries(encodings).entries()) {
      it(`R5 (finding S13): ${name} in ${what}`, async () => {
        const key = "sk-Tq7mWz3RkX9vLp2Bn8Yc5Hd1-Gf6Js4Ua0Eo";
        for (const [index, form] of replies.entries()) {
          // Also behind so much text that each limit of the client falls into it once.
          for (const filler of [0, ...partOf([284, 484, 984], at * 100 + index)]) {
            reply = form(`${"x ".repeat(filler / 2)}${encode(key)} end`);
            const residue = findResidue(await outOf(key, calls.slice(0, filler === 0 ? calls.length : 1)), key);
            assert.ok(residue === undefined, `reply ${index} behind ${filler}: ${residue}`);
          }
        }
      });
    }
    it(`R5 (finding S13): random keys, encodings and cuts in ${what}`, async () => {
      const input = anyKey.chain((key) =>
        fc.tuple(fc.constant(key), anyEcho(key), fc.constantFrom(...replies), fc.constantFrom(...calls)),
      );
      await fc.assert(
        fc.asyncProperty(input, async ([key, echo, form, call]) => {
          reply = form(echo);
          const residue = findResidue(await outOf(key, [call]), key);
          assert.ok(residue === undefined, residue);
        }),
        { numRuns: runsOf(200) },
      );
    });
  }

  it("R5 (finding S13): a request id that is the key goes into no log line and no error", async () => {
    const key = "sk-Tq7mWz3RkX9vLp2Bn8Yc5Hd1-Gf6Js4Ua0Eo";
    reply = { status: 400, type: `text/${key}`, requestId: `req-${key}`, body: "{}" };
    assert.equal(findResidue(await outOf(key, [...taskCalls, ...chatCalls]), key), undefined);
    reply = { ...reply, status: 200 };
    assert.equal(findResidue(await outOf(key, [...taskCalls, ...chatCalls]), key), undefined);
  });

  it("R5 (finding S13): the key in the text of an answer or the arguments of a call, also when deltas cut it", async () => {
    const key = "sk-Tq7mWz3RkX9vLp2Bn8Yc5Hd1-Gf6Js4Ua0Eo";
    for (let cut = 1; cut < key.length; cut += 1) {
      const [head, tail] = [key.slice(0, cut), key.slice(cut)];
      const call = (text: string, id?: string): unknown => ({
        tool_calls: [{ index: 0, ...definedFields({ id }), function: { name: "f", arguments: text } }],
      });
      reply = {
        type: "text/event-stream",
        body:
          [{ reasoning_content: `It is ${head}` }, { reasoning_content: `${tail}!` }].map(said).join("") +
          [{ content: `Key: ${head}` }, { content: tail }, { content: " is it." }].map(said).join("") +
          [call(`{"a":"${head}`, "c1"), call(`${tail}"}`)].map(said).join("") +
          event({ choices: [{ delta: {}, finish_reason: "tool_calls" }] }),
      };
      const out = await outOf(key, chatCalls);
      assert.equal(findResidue(out.replaceAll("\n\u0001\n", ""), key), undefined, `cut at ${cut}`);
      assert.match(out, /is it\./);
    }
  });
});

/** Property names too. */
function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return (value as unknown[]).flatMap(strings);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...strings(inner)]);
}
