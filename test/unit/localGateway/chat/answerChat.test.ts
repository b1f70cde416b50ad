/** L4: what the built-in model sees of images, makes of schemas, and how it ends: the parts that all three families share. */
import assert from "node:assert/strict";
import { composeAnswer } from "../../../../src/localGateway/demo/model/builtInModel";
import type { Conversation, DeclaredTool } from "../../../../src/localGateway/demo/conversation";
import type { AnswerPart } from "../../../../src/localGateway/chat/answerEncoder";
import { readCompletionRequest } from "../../../../src/localGateway/chat/families/completionBody";
import { readGenerateRequest } from "../../../../src/localGateway/chat/families/generateBody";
import { readMessagesRequest } from "../../../../src/localGateway/chat/families/readMessagesRequest";
import { describeImage, readImageData, readImageUrl } from "../../../../src/localGateway/demo/images";
import { jsonAnswer } from "../../../../src/localGateway/demo/model/jsonAnswer";
import { PromptCache } from "../../../../src/localGateway/chat/chatServices";
import { AnswerSignatures } from "../../../../src/localGateway/chat/answerSignatures";
import { TokenCounter, streamAnswer } from "../../../../src/localGateway/chat/streamAnswer";
import { encodePng } from "../../../../src/localGateway/demo/painter";
import { createRandom } from "../../../../src/localGateway/demo/seededRandom";
import { createMovedClock } from "../../../support/movedClock";

const base64 = (...bytes: readonly (string | readonly number[])[]): string =>
  Buffer.concat(
    bytes.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  ).toString("base64");

const conversation = (prompt: string, more: Partial<Conversation> = {}): Conversation => ({
  turns: [{ role: "user", text: prompt, images: [] }],
  tools: [],
  toolChoice: "auto",
  parallel: true,
  thinking: true,
  seed: 1,
  ...more,
});

describe("local gateway: images", () => {
  it("L4: tells kind and size from the first bytes of each kind", async () => {
    const png = (await encodePng({ width: 640, height: 480, rgb: new Uint8Array(640 * 480 * 3) })).toString("base64");
    const gif = base64("GIF89a", [16, 0, 9, 0, 0, 0, 0]);
    const app = [0xff, 0xe0, 0, 4, 1, 2];
    const jpeg = base64([0xff, 0xd8, ...app, 0xff, 0xc2, 0, 11, 8, 1, 0, 2, 0, 3]);
    const extended = base64("RIFF\0\0\0\0WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]);
    const lossy = base64("RIFF\0\0\0\0WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1]);
    const seen: [string, string, string][] = [
      ["image/png", png, "a PNG of 640 × 480, mostly black"],
      ["image/gif", gif, "a GIF of 16 × 9"],
      ["image/jpeg", jpeg, "a JPEG of 512 × 256"],
      ["image/webp", extended, "a WebP of 640 × 480"],
      ["image/webp", lossy, "a WebP of 640 × 480"],
      ["image/jpeg", base64([0xff, 0xd8, 0xff]), "a JPEG"],
    ];
    for (const [type, data, words] of seen) assert.equal(describeImage(readImageData(type, data, "x")), words);
    assert.equal(describeImage(readImageUrl(`data:image/png;base64,${png}`, "x")), "a PNG of 640 × 480, mostly black");
    assert.match(describeImage(readImageUrl("https://example.org/a.png", "x")), /address that I did not open/);
  });

  it("L4: refuses what is no image, no base64, or of another kind than it says", () => {
    const gif = base64("GIF89a", [16, 0, 9, 0, 0, 0, 0]);
    assert.throws(() => readImageData("image/png", gif, "f"), /f: the image is GIF, not image\/png/);
    assert.throws(() => readImageData("image/tiff", gif, "f"), /not supported/);
    for (const data of ["", "???", "abc!d", "A"])
      assert.throws(() => readImageData("image/png", data, "f"), /base64/, data);
    assert.throws(() => readImageData("image/png", base64("hello world, this is text"), "f"), /can't be read/);
    for (const url of ["file:///etc/passwd", "data:image/png,abc", "nothing"]) {
      assert.throws(() => readImageUrl(url, "f"), /data URL/, url);
    }
  });

  it("L4: the answer names all images", () => {
    const image = { kind: "PNG", width: 2, height: 1 } as const;
    const turns = [{ role: "user", text: "what?", images: [image, { kind: "GIF" } as const] }] as const;
    assert.match(composeAnswer(conversation("", { turns })).text, /I was given a PNG of 2 × 1 and a GIF\./);
  });
});

describe("local gateway: JSON answers", () => {
  it("L4: fit the schema, in both spellings of types", () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", minLength: 30, maxLength: 40 },
        kind: { enum: ["a", "b"] },
        level: { type: ["integer", "null"], minimum: 3, maximum: 5 },
        tags: { type: "array", items: { type: "string" }, minItems: 3 },
        when: { type: "STRING", format: "date-time" },
        inner: { $ref: "#/$defs/inner" },
        either: { anyOf: [{ type: "null" }, { type: "BOOLEAN" }] },
        fixed: { const: 7 },
      },
      $defs: { inner: { type: "OBJECT", properties: { on: { type: "boolean" } } } },
    };
    for (let seed = 0; seed < 50; seed += 1) {
      const made = JSON.parse(jsonAnswer("x", schema, createRandom(seed))) as Record<string, unknown>;
      assert.deepEqual(Object.keys(made), Object.keys(schema.properties));
      const { name, level, tags, inner, either } = made as {
        name: string;
        level: number;
        tags: unknown[];
        inner: object;
        either: unknown;
      };
      assert.ok(name.length >= 30 && name.length <= 40);
      assert.ok(["a", "b"].includes(String(made["kind"])) && level >= 3 && level <= 5 && tags.length === 3);
      assert.deepEqual([Object.keys(inner), typeof either, made["fixed"]], [["on"], "boolean", 7]);
      assert.ok(!Number.isNaN(Date.parse(String(made["when"]))));
    }
  });

  it("L4: a schema that holds itself comes to an end", () => {
    const schema = {
      $defs: { tree: { type: "object", properties: { leaves: { type: "array", items: { $ref: "#/$defs/tree" } } } } },
      $ref: "#/$defs/tree",
    };
    assert.ok(jsonAnswer("x", schema, createRandom(1)).length < 2_000);
  });

  it("L4: an answer in JSON mode is JSON, and calls go before it", () => {
    const tools: DeclaredTool[] = [
      { name: "read_file", description: "", parameters: { properties: { path: { type: "string" } } } },
    ];
    const plain = composeAnswer(conversation("as json, please", { json: {} }));
    assert.equal(typeof (JSON.parse(plain.text) as Record<string, unknown>)["answer"], "string");
    assert.equal(composeAnswer(conversation("read a.ts", { json: {}, tools })).calls.length, 1);
  });
});

describe("local gateway: speaking", () => {
  const spoken = async (prompt: string, more: { maxTokens?: number; stops?: readonly string[] }) => {
    const request = {
      model: "m",
      stream: true,
      maxTokens: Infinity,
      stops: [],
      conversation: conversation(prompt),
      ...more,
    };
    const meter = new TokenCounter(request);
    const pace = { tokensPerSecond: Infinity, firstTokenMs: 0 };
    const voice = { clock: createMovedClock(), pace, signal: new AbortController().signal, meter };
    const pieces: AnswerPart[] = [];
    for await (const piece of streamAnswer(composeAnswer(request.conversation), request, voice)) pieces.push(piece);
    return { pieces, meter };
  };

  it("L4: ends before a stop sequence and names it", async () => {
    const whole = composeAnswer(conversation("write 3 paragraphs")).text;
    const { pieces } = await spoken("write 3 paragraphs", { stops: ["nowhere", "\n\n"] });
    assert.deepEqual(pieces.at(-1), { type: "finish", finish: "stop-sequence", stopSequence: "\n\n" });
    assert.equal(pieces.map((piece) => (piece.type === "text" ? piece.text : "")).join(""), whole.split("\n\n")[0]);
  });

  it("L4: reasoning counts for the limit", async () => {
    const { pieces, meter } = await spoken("think about rain", { maxTokens: 5 });
    assert.deepEqual(pieces.at(-1), { type: "finish", finish: "length" });
    assert.deepEqual([meter.output, meter.reasoning, pieces.length], [5, 5, 6]);
  });

  it("L4: the same prompt is answered with the same words in all three families", () => {
    const content = "think, then write 2 paragraphs";
    const signatures = new AnswerSignatures("s");
    const chat = readCompletionRequest({ model: "demo-chat", messages: [{ role: "user", content }] }, 5);
    const messages = readMessagesRequest(
      { model: "demo-messages", max_tokens: 9, thinking: { type: "adaptive" }, messages: [{ role: "user", content }] },
      { seed: 5, signatures, version: undefined },
    );
    const generate = readGenerateRequest(
      { contents: [{ parts: [{ text: content }] }], generationConfig: { seed: 5 } },
      { model: "demo-generate", stream: true, seed: 1, signatures },
    );
    const [first, second, third] = [chat, messages, generate].map((request) => composeAnswer(request.conversation));
    assert.ok(first!.reasoning !== "" && first!.text !== "");
    assert.deepEqual(second, first);
    assert.deepEqual(third, first);
  });

  it("L4: calls a tool several times at once on request, thinks unseen on request", () => {
    const tools: DeclaredTool[] = [{ name: "f", description: "", parameters: {} }];
    const { calls } = composeAnswer(conversation('call f with {"a":"}"} and {"b":{"c":1}} and {}', { tools }));
    assert.deepEqual(
      calls.map(({ arguments: text }) => text),
      ['{"a":"}"}', '{"b":{"c":1}}', "{}"],
    );
    const { hidden, reasoning } = composeAnswer(conversation("think secretly about rain"));
    assert.deepEqual([hidden !== "", reasoning], [true, ""]);
  });
});

describe("local gateway: cache of prompts", () => {
  it("L4: the first time is written, the next five minutes read", async () => {
    const clock = createMovedClock();
    const cache = new PromptCache(clock);
    const first = { text: "a", tokens: 100 };
    const longer = { text: "ab", tokens: 150 };
    assert.deepEqual(cache.use([]), { read: 0, write: 0 });
    assert.deepEqual(cache.use([first]), { read: 0, write: 100 });
    await clock.advance(4 * 60_000);
    assert.deepEqual(cache.use([first, longer]), { read: 100, write: 50 });
    await clock.advance(4 * 60_000);
    assert.deepEqual(cache.use([first, longer]), { read: 150, write: 0 });
    await clock.advance(5 * 60_000);
    assert.deepEqual(cache.use([first]), { read: 0, write: 100 });
    assert.deepEqual(cache.use([{ ...longer, isLong: true }]), { read: 0, write: 150 });
    await clock.advance(59 * 60_000);
    assert.deepEqual(cache.use([longer]), { read: 150, write: 0 });
    await clock.advance(5 * 60_000);
    assert.deepEqual(cache.use([longer]), { read: 0, write: 150 });
  });
});
