/** The wire of a result with images in three families, and of what a service refuses of it. */
import assert from "node:assert/strict";
import type { ChatRequest, ImagePart, Message } from "../../../../src/domain/chat/message";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { buildChatCompletionsRequest } from "../../../../src/gateway/families/chatCompletions";
import { buildGenerateContentRequest } from "../../../../src/gateway/families/generateContent";
import { buildMessagesRequest } from "../../../../src/gateway/families/messages";
import { createRequestVariants } from "../../../../src/gateway/stream/streamChat";
import { send } from "../stream/variantTrials";
import { ask, call, result, user } from "./requestParts";

type Family = ChatRequest["family"];
const png: ImagePart = { type: "image", mimeType: "image/png", data: "AAAA" };
const gif: ImagePart = { type: "image", mimeType: "image/gif", data: "R0lG" };

function shown(name: string, text: string, ...images: readonly ImagePart[]): Message {
  const message = result(name, text);
  assert.ok(message.role === "tool");
  return { ...message, images };
}

function request(family: Family, model: string, ...images: readonly ImagePart[]): ChatRequest {
  const parts = [call("see", "w1"), call("now", "w2")];
  const messages: readonly Message[] = [
    user("Look"),
    { role: "assistant", family, model, parts },
    shown("see", "(PNG)", ...images),
    result("now", "noon"),
  ];
  return { ...ask(family, ...messages), model };
}

const builders = {
  "chat-completions": buildChatCompletionsRequest,
  messages: buildMessagesRequest,
  "generate-content": buildGenerateContentRequest,
} as const;
const families = Object.keys(builders) as Family[];
const build = (asked: ChatRequest): Readonly<Record<string, unknown>> => builders[asked.family](asked);

describe("images in results on the wire", () => {
  it("A12, S1: messages: image blocks behind the text of the result", () => {
    const { messages } = build(request("messages", "m", png, gif));
    assert.deepEqual((messages as unknown[])[2], {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "w1",
          content: [
            { type: "text", text: "(PNG)" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            { type: "image", source: { type: "base64", media_type: "image/gif", data: "R0lG" } },
          ],
        },
        { type: "tool_result", tool_use_id: "w2", content: "noon" },
      ],
    });
  });

  it("A12, S1: chat completions: a message of the user's behind all results, which ends with a text", () => {
    const { messages } = build(request("chat-completions", "m", png));
    assert.deepEqual((messages as unknown[]).slice(3), [
      { role: "tool", tool_call_id: "w1", content: "(PNG)" },
      { role: "tool", tool_call_id: "w2", content: "noon" },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "text", text: "(The image before this text is part of the result of see.)" },
        ],
      },
    ]);
  });

  it("A12, S1: generate content: behind the responses, or inside them for models that take them there; no GIF", () => {
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const partsOf = (model: string, ...images: ImagePart[]): unknown => {
      const { contents } = build(request("generate-content", model, ...images));
      return (contents as { parts: unknown }[])[2]?.parts;
    };
    const now = { functionResponse: { name: "now", id: "w2", response: { output: "noon" } } };
    const see = { name: "see", id: "w1", response: { output: "(PNG)" } };
    assert.deepEqual(partsOf("gemini-2.5-flash", png), [{ functionResponse: see }, now, image]);
    assert.deepEqual(partsOf("gemini-3-pro", png), [{ functionResponse: { ...see, parts: [image] } }, now]);
    const without = { output: "(PNG)\n(An image of the type image/gif was left out.)" };
    assert.deepEqual(partsOf("gemini-3-pro", gif), [{ functionResponse: { ...see, response: without } }, now]);
  });

  for (const family of families) {
    it(`A8, A12: ${family}: the request with an image begins the next one, and one without images is as before`, () => {
      const first = request(family, "m", png);
      const next = {
        ...first,
        messages: [...first.messages, { role: "assistant", family, model: "m", parts: [{ type: "text", text: "Ok" }] }],
      } as ChatRequest;
      const listOf = (asked: ChatRequest): unknown[] => {
        const body = build(asked);
        return (body["messages"] ?? body["contents"]) as unknown[];
      };
      assert.deepEqual(listOf(next).slice(0, listOf(first).length), listOf(first));
      const plain = JSON.stringify(build(request(family, "m")));
      assert.ok(!plain.includes("image"), plain);
    });

    it(`A12, S6: ${family}: a model that takes no images is asked again without them, and later requests have none`, async () => {
      for (const [status, message] of [
        [404, "No endpoints found that support image input"],
        [400, "This model does not support images."],
        [400, "messages[4]: unknown variant `image_url`, expected `text`"],
        [500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"],
      ] as const) {
        const begin = createRequestVariants("v1");
        const refused = new AppFailure({ kind: "rejected", message, status });
        const { variants, failed } = await send(begin, request(family, "m", png), refused);
        assert.deepEqual([variants.map(({ images }) => images), failed], [[true, false], undefined], message);
        const { variants: later } = await send(begin, request(family, "m", png));
        const body = JSON.stringify(builders[family](request(family, "m", png), later[0] as never));
        assert.ok(body.includes("because this model takes none") && !body.includes("AAAA"));
      }
    });

    it(`A12, S6: ${family}: an image that the service can't use is left out, and others stay`, async () => {
      const bad: ImagePart = { ...png, data: "BBBB" };
      const before = request(family, "m", png);
      const after: ChatRequest = {
        ...before,
        messages: [...before.messages, ...request(family, "m", bad).messages.slice(1)],
      };
      const begin = createRequestVariants("v1");
      const { variants, failed } = await send(begin, after, "messages.5.content.1.image: Could not process image");
      assert.equal(failed, undefined);
      const body = JSON.stringify(builders[family](after, variants[1] as never));
      assert.ok(body.includes("AAAA") && !body.includes("BBBB") && body.includes("could not use it"), body);
    });

    it(`S6: ${family}: the word image in the refusal of a request without any changes nothing`, async () => {
      const begin = createRequestVariants("v1");
      const { variants } = await send(begin, request(family, "m"), "This model does not support images.");
      assert.equal(variants.length, 1);
    });
  }
});
