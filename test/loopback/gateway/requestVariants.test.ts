/** Requests in the form that a gateway takes, on real sockets: what it refuses comes once more otherwise, and settings count at once. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { AssistantPart, ChatRequest, Message } from "../../../src/domain/chat/message";
import type { Retry } from "../../../src/domain/ports";
import type { ChatSettings } from "../../../src/gateway/families/familyDefinitions";
import { collect, createHarness, failure, json, key, secretPrompt } from "./harness";
import type { TestServer } from "./rawServer";

const user: Message = { role: "user", parts: [{ type: "text", text: secretPrompt }] };
const call: AssistantPart = { type: "tool-call", call: "c", name: "read", input: {} };
const result: Message = { role: "tool", call: "c", name: "read", text: "ok", isError: false };
const answered = (family: ChatRequest["family"], model: string, ...parts: AssistantPart[]): Message => ({
  role: "assistant",
  family,
  model,
  parts,
});
const ask = (family: ChatRequest["family"], more: Partial<ChatRequest> = {}): ChatRequest => ({
  family,
  model: "m",
  messages: [user],
  tools: [],
  ...more,
});
const bodies = ({ received }: TestServer): readonly Record<string, unknown>[] =>
  received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

const endings: Readonly<Record<ChatRequest["family"], string>> = {
  "chat-completions": 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n',
  messages:
    'data: {"type":"message_start","message":{"id":"a"}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\ndata: {"type":"message_stop"}\n\n',
  "generate-content": 'data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}\n\n',
};
const answer = (response: ServerResponse, family: ChatRequest["family"]): void => {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(endings[family]);
};

describe("httpGateway: forms of a request", () => {
  const { connect, start } = createHarness();

  /** Refuses with `message` whatever `isRefused` says; the log must not contain the prompt. */
  const strict = (family: ChatRequest["family"], isRefused: (body: string) => boolean, message: string, status = 400) =>
    start((response, { body }) => {
      if (isRefused(body)) json(response, status, { error: { message, type: "invalid_request_error" } });
      else answer(response, family);
    });

  const run = async (server: TestServer, request: ChatRequest, times = 2): Promise<readonly Retry[]> => {
    const gateway = connect(server.url);
    const retries: Retry[] = [];
    for (let time = 0; time < times; time += 1) {
      await collect(gateway.streamChat(request, undefined, { onRetry: (retry) => retries.push(retry) }));
    }
    return retries;
  };

  it("S6: a server that wants text beside calls gets an empty one, and from then on at once", async () => {
    const server = await strict(
      "chat-completions",
      (body) => body.includes('"content":null'),
      "content must not be null",
    );
    const messages = [user, answered("chat-completions", "m", call), result];
    const retries = await run(server, ask("chat-completions", { messages }));
    assert.deepEqual(
      bodies(server).map((body) => (body["messages"] as { content: unknown }[])[1]?.content),
      [null, "", ""],
    );
    assert.deepEqual(
      retries.map(({ retry, delayMs, error }) => [retry, delayMs, error.status]),
      [[0, 0, 400]],
    );
  });

  it("S6: a field that a strict server names beside its text is the one that is left out", async () => {
    const server = await start((response, { body }) => {
      if (body.includes("stream_options")) {
        json(response, 422, { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] });
      } else answer(response, "chat-completions");
    });
    await run(server, ask("chat-completions"));
    assert.deepEqual(
      bodies(server).map((body) => "stream_options" in body),
      [true, false, false],
    );
  });

  it("S6: a limit goes by the name that the server knows", async () => {
    const server = await strict(
      "chat-completions",
      (body) => body.includes('"max_tokens"'),
      "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    );
    await run(server, ask("chat-completions", { options: { maxOutputTokens: 9 } }));
    assert.deepEqual(
      bodies(server).map((body) => [body["max_tokens"], body["max_completion_tokens"]]),
      [
        [9, undefined],
        [undefined, 9],
        [undefined, 9],
      ],
    );
  });

  it("S6: a model that knows no effort thinks up to a number of tokens", async () => {
    const server = await strict(
      "messages",
      (body) => body.includes("adaptive"),
      "thinking.type: 'adaptive' is unknown",
    );
    await run(server, ask("messages", { options: { thinking: "low" } }));
    assert.deepEqual(
      bodies(server).map((body) => [(body["thinking"] as { type: string }).type, "output_config" in body]),
      [
        ["adaptive", true],
        ["enabled", false],
        ["enabled", false],
      ],
    );
  });

  it("S6, A8: a service that takes no marks for a cache gets none from then on, whatever it names", async () => {
    const claude = { model: "claude", messages: [{ role: "system", text: "Be brief." } as const, user] };
    for (const [family, message] of [
      ["messages", "messages.0.content.0.cache_control: Extra inputs are not permitted"],
      ["messages", "system: Input should be a valid string"],
      ["chat-completions", "Unrecognized request argument supplied: cache_control"],
      ["chat-completions", "messages[0].content: invalid type: sequence, expected a string"],
    ] as const) {
      const server = await strict(family, (body) => body.includes("cache_control"), message);
      await run(server, ask(family, claude));
      assert.deepEqual(
        bodies(server).map((body) => JSON.stringify(body).includes("cache_control")),
        [true, false, false],
        message,
      );
    }
  });

  it("S6, A8: a service that takes marks and no hour gets marks without it from then on", async () => {
    const system = { role: "system", text: "Be brief." } as const;
    const long = { model: "claude", messages: [system, user], keepsLong: true } as const;
    const server = await strict(
      "messages",
      (body) => body.includes('"ttl"'),
      "system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted",
    );
    await run(server, ask("messages", long));
    assert.deepEqual(
      bodies(server).map((body) => [/"cache_control"/, /"ttl"/].map((part) => part.test(JSON.stringify(body)))),
      [
        [true, true],
        [true, false],
        [true, false],
      ],
    );
  });

  it("S6: older thinking that is refused is left out; what belongs to the loop stays", async () => {
    const thought = (signature: string): AssistantPart => ({
      type: "opaque",
      family: "messages",
      data: { type: "thinking", thinking: "Hm.", signature },
    });
    const server = await strict(
      "messages",
      (body) => body.includes('"old"'),
      "messages.1.content.0: Invalid `signature` in `thinking` block",
    );
    const said: AssistantPart = { type: "text", text: "Yes." };
    const messages = [
      user,
      answered("messages", "m", thought("old"), said),
      user,
      answered("messages", "m", thought("new"), call),
      result,
    ];
    await run(server, ask("messages", { messages }));
    const sent = server.received.map(({ body }) => [
      body.includes('"old"'),
      body.includes('"new"'),
      body.includes("Yes."),
    ]);
    assert.deepEqual(sent, [
      [true, true, true],
      [false, true, true],
      [false, true, true],
    ]);
  });

  it("S6: where the thinking of the loop itself is refused, the first answer is told", async () => {
    const thought: AssistantPart = {
      type: "opaque",
      family: "messages",
      data: { type: "redacted_thinking", data: "r" },
    };
    const messages = [
      user,
      answered("messages", "m", thought, call),
      result,
      user,
      answered("messages", "m", thought, call),
    ];
    let requests = 0;
    const server = await start((response) => {
      requests += 1;
      json(response, 400, { error: { message: `the ${requests}. refusal of \`thinking\` blocks` } });
    });
    const error = await failure(collect(connect(server.url).streamChat(ask("messages", { messages }))));
    assert.deepEqual([error.message, requests], ["the 1. refusal of `thinking` blocks", 2]);
  });

  it("S6: a bad thought signature is tried as it is, then without those of older turns, and told if that is refused", async () => {
    const model = "gemini-3-pro";
    const signed: AssistantPart = {
      type: "opaque",
      family: "generate-content",
      data: { of: "call", call: "c", thoughtSignature: "old" },
    };
    const server = await strict("generate-content", (body) => body.includes('"old"'), "Corrupted thought signature.");
    const messages = [user, answered("generate-content", model, call, signed), result, user];
    const retries = await run(server, ask("generate-content", { model, messages }));
    const signatures = server.received.map(({ body }) => /"thoughtSignature":"([^"]+)"/.exec(body)?.[1]);
    const skipped = "skip_thought_signature_validator";
    assert.deepEqual(signatures, ["old", "old", skipped, skipped]);
    assert.deepEqual(
      retries.map(({ retry }) => retry),
      [0, 0],
    );
  });

  it("S6: a model under another name that wants signatures gets the word for none", async () => {
    const server = await strict(
      "generate-content",
      (body) => !body.includes("skip_thought_signature_validator"),
      "Function call is missing a thought_signature in functionCall parts.",
    );
    const messages = [user, answered("messages", "m", call), result];
    await run(server, ask("generate-content", { model: "our-best", messages }));
    assert.equal(server.received.length, 3);
  });

  it("S6: a form that was refused does not come again when the request is tried again for another reason", async () => {
    let busy = true;
    const server = await start((response, { body }) => {
      if (body.includes("stream_options")) json(response, 400, { error: { message: "stream_options?" } });
      else if (busy) json(response, 503, { error: { message: "busy" } });
      else answer(response, "chat-completions");
      if (!body.includes("stream_options")) busy = false;
    });
    const clock = { now: () => 0, delay: () => Promise.resolve() };
    const retries: number[] = [];
    const chat = connect(server.url, { clock }).streamChat(ask("chat-completions"), undefined, {
      onRetry: ({ retry }) => retries.push(retry),
    });
    await collect(chat);
    assert.deepEqual(
      [bodies(server).map((body) => "stream_options" in body), retries],
      [
        [true, false, false],
        [0, 1],
      ],
    );
  });

  it("C2, C5: a setting that changes counts for the next request", async () => {
    const server = await start((response, { url }) =>
      answer(response, url.includes("messages") ? "messages" : "generate-content"),
    );
    let chat: ChatSettings = {};
    const gateway = connect(server.url, {
      chat: () => chat,
    });
    await collect(gateway.streamChat(ask("messages")));
    await collect(gateway.streamChat(ask("generate-content")));
    chat = {
      messages: { authentication: "x-api-key", version: "2026-10-21" },
      "generate-content": { authentication: "x-goog-api-key", version: "v1beta" },
    };
    await collect(gateway.streamChat(ask("messages")));
    await collect(gateway.streamChat(ask("generate-content")));
    assert.deepEqual(
      server.received.map(({ headers, url }) => [
        url.split("/")[1],
        headers.authorization === `Bearer ${key}`,
        headers["x-api-key"] ?? headers["x-goog-api-key"],
        headers["anthropic-version"],
      ]),
      [
        ["v1", true, undefined, "2023-06-01"],
        ["v1", true, undefined, undefined],
        ["v1", false, key, "2026-10-21"],
        ["v1beta", false, key, undefined],
      ],
    );
  });
});
