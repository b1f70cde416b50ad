/** Pictures and unknown parts of an answer, in the forms in which services and relays write them: each was paid for, so none is dropped. */
import assert from "node:assert/strict";
import type { ChatEvent, Family } from "../../../../../src/domain/chat/chatEvent";
import { decode } from "../../eventList";

const png = "iVBORw0KGgo=";
const address = "https://cdn.example/out/1.png?sig=a%2Fb";
const link = { type: "text", text: `<${address}>` };
const picture = { type: "media", mimeType: "image/png", data: png };

/** What an answer shows: its texts and pictures. */
function shown(events: readonly ChatEvent[]): object[] {
  return events.flatMap((event): readonly object[] => {
    if (event.type === "text-delta") return [{ type: "text", text: event.text }];
    if (event.type !== "media") return [];
    const { type, mimeType, data } = event;
    return [{ type, mimeType, data }];
  });
}

const line = (value: object, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;

const chunks: Readonly<Record<Family, (part: object) => string>> = {
  "chat-completions": (delta) =>
    `${line({ id: "c", choices: [{ index: 0, delta, finish_reason: null }] })}${line({ id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`,
  messages: (block) =>
    line({ type: "message", id: "m", role: "assistant", content: [block], stop_reason: "end_turn" }, "message"),
  "generate-content": (part) =>
    line({ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] }),
};

const read = async (family: Family, part: object): Promise<object[]> =>
  shown(await decode(chunks[family](part), [], family));

describe("pictures in an answer", () => {
  const forms: readonly (readonly [string, Family, object, object])[] = [
    [
      "an address in images",
      "chat-completions",
      { images: [{ type: "image_url", image_url: { url: address } }] },
      link,
    ],
    ["a bare address in images", "chat-completions", { images: [address] }, link],
    ["one image that is no list", "chat-completions", { images: { url: address } }, link],
    ["an address in content", "chat-completions", { content: [{ type: "image_url", image_url: address }] }, link],
    ["b64_json", "chat-completions", { images: [{ b64_json: png }] }, picture],
    ["output_image", "chat-completions", { content: [{ type: "output_image", image_base64: png }] }, picture],
    ["a field of another name", "chat-completions", { output_image: { url: address } }, link],
    [
      "a data URL with a parameter",
      "chat-completions",
      { images: [{ image_url: { url: `data:image/png;charset=utf-8;base64,${png}` } }] },
      picture,
    ],
    ["a bare data URL", "chat-completions", { images: [`data:image/png;base64,${png}`] }, picture],
    ["an image block", "messages", { type: "image", source: { type: "url", url: address } }, link],
    [
      "an image block with bytes",
      "messages",
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      picture,
    ],
    ["file data", "generate-content", { fileData: { fileUri: address, mimeType: "image/png" } }, link],
    ["file data of a relay", "generate-content", { file_data: { file_uri: address } }, link],
  ];
  for (const [name, family, part, right] of forms) {
    it(`S3 (field 11): ${family} reads ${name}`, async () => {
      assert.deepEqual(await read(family, part), [right]);
    });
  }

  it("S3 (field 11): the text around a picture keeps its place", async () => {
    const content = [{ type: "text", text: "Before" }, { type: "image_url", image_url: address }, { text: "after" }];
    const before = { type: "text", text: "Before" };
    assert.deepEqual(await read("chat-completions", { content }), [before, link, { type: "text", text: "after" }]);
  });

  it("S3 (field 11): an address can't end the link that it is shown as", async () => {
    const [part] = await read("chat-completions", { images: ["https://cdn.example/a>b"] });
    assert.deepEqual(part, { type: "text", text: "<https://cdn.example/a%3Eb>" });
  });

  it("S3 (field 11): a part of an unknown form is shown as it is, so that the answer is not empty", async () => {
    const part = { type: "hologram", hologram: { id: "h1" } };
    assert.deepEqual(await read("chat-completions", { content: [part] }), [
      { type: "text", text: `\`\`\`json\n${JSON.stringify(part)}\n\`\`\`` },
    ]);
    const [field] = await read("chat-completions", { hologram: { id: "h1" } });
    assert.deepEqual(field, { type: "text", text: '```json\n{"hologram":{"id":"h1"}}\n```' });
  });

  it("S3 (field 11): a field of another name beside a text is no part of the answer", async () => {
    const delta = { content: "Hi", vendor: { cache: "hit" }, search: [{ url: "https://source.example/" }] };
    assert.deepEqual(await read("chat-completions", delta), [{ type: "text", text: "Hi" }]);
  });

  it("S3 (field 11): a part without content stays silent", async () => {
    const content = [{ type: "text", text: "" }, { type: "reference", reference_ids: [1] }, { text: null }, {}];
    assert.deepEqual(await read("chat-completions", { content }), []);
  });
});
