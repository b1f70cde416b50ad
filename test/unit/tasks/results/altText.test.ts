/** The request for a description of a picture, and what is taken of the answer. */
import assert from "node:assert/strict";
import { altRequest, hasSight, sentenceIn } from "../../../../src/tasks/results/altText";
import { pngOf } from "../../../support/testImages";

const model = { id: "see-1", family: "chat-completions" } as const;
const words = { prompt: "", language: "de" };

describe("a description of a picture", () => {
  it("T20: one message with the picture, without tools, and an answer of limited length", async () => {
    const picture = await pngOf(4, 4);
    const request = altRequest({ ...model, thinking: "high" }, picture, { ...words, prompt: "```\nein Leuchtturm" });
    assert.ok(request);
    const [message, ...others] = request.messages;
    assert.deepEqual([others, request.tools, request.options?.thinking], [[], [], undefined]);
    assert.ok((request.options?.maxOutputTokens ?? Infinity) <= 1024);
    assert.ok(message?.role === "user");
    const image = message.parts.find((part) => part.type === "image");
    assert.ok(image?.type === "image" && Buffer.from(image.data, "base64").equals(picture));
    assert.match(JSON.stringify(message.parts.at(-1)), /````\\n```\\nein Leuchtturm/, "fenced, as data");
    const without = altRequest(model, picture, words);
    assert.match(JSON.stringify(without?.messages), /Write in this language: de/);
  });

  it("T20: nothing is sent of what no service takes", () => {
    assert.equal(altRequest(model, Buffer.from("<svg/>"), words), undefined);
    assert.equal(
      altRequest(
        model,
        Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(4 * 1024 ** 2)]),
        words,
      ),
      undefined,
    );
    assert.deepEqual(
      [hasSight(model), hasSight({ ...model, images: false }), hasSight({ ...model, demoModel: true })],
      [true, false, false],
    );
  });

  it("T20: the sentence alone is taken, as it can be seen", () => {
    for (const [answer, sentence] of [
      ["A lighthouse at dusk.", "A lighthouse at dusk."],
      ["<think>hm</think>\n\n“A lighthouse.”\nMore.", "A lighthouse."],
      ['**Alt text:** "A lighthouse."', "A lighthouse."],
      ["Alt-Text: 灯台。", "灯台。"],
      ["A \u202elighthouse\u200b\u0007", "A lighthouse"],
      ["\n \n", ""],
    ])
      assert.equal(sentenceIn(answer ?? ""), sentence);
  });
});
