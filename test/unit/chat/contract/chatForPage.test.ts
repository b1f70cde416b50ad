/** Pictures go to the page by reference: what it is posted does not grow with them. */
import assert from "node:assert/strict";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import { chatForPage, eventForPage } from "../../../../src/chat/contract/chatForPage";
import { readMedia } from "../../../../src/chat/view/mediaBlock";
import { picture } from "../../../support/pictureBytes";

const data = picture.toString("base64");
const media = (block: number, mimeType: string, bytes: string): SessionEvent => ({
  type: "answer-event",
  id: "a",
  event: { type: "media", block, mimeType, data: bytes },
});
const events: readonly SessionEvent[] = [
  { type: "prompt-added", id: "p", text: "draw", at: 0 },
  { type: "answer-started", id: "a", model: "m", family: "generate-content", at: 0 },
  { type: "answer-event", id: "a", event: { type: "text-delta", block: 0, text: "Here." } },
  media(1, "image/png", data),
  { type: "answer-event", id: "a", event: { type: "opaque", block: 1, family: "generate-content", data: { data } } },
];
const chat = events.reduce(reduceChat, emptyChat("c"));

describe("pictures of answers", () => {
  it("P2: neither a snapshot nor an event has their data, also in the branch that was replaced; both lead to the same", () => {
    const branched = reduceChat(chat, { type: "entries-replaced", from: "a" });
    for (const posted of [chatForPage(chat), chatForPage(branched), events.map(eventForPage)])
      assert.ok(!JSON.stringify(posted).includes(data));
    assert.deepEqual(events.map(eventForPage).reduce(reduceChat, emptyChat("c")), chatForPage(chat));
    assert.equal(chatForPage(chat).entries[0], chat.entries[0], "the others stay the same objects");
    assert.equal(chatForPage(chat).entries[1], chatForPage(chat).entries[1], "made once");
  });

  it("P5: by its first bytes a picture is shown and named, whatever the model calls it; SVG and the rest are neither", () => {
    const of = (bytes: Buffer | string, mimeType: string) =>
      readMedia(reduceChat(chat, media(2, mimeType, Buffer.from(bytes).toString("base64"))), { answer: "a", block: 2 });
    assert.deepEqual(of(picture, "text/html"), { bytes: picture, ending: ".png", shownAs: "image/png" });
    const others = ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<html></html>", "RIFF1234WAVEfmt ", "\0\u0001binary"];
    for (const bytes of others)
      assert.deepEqual(of(bytes, "image/png"), { bytes: Buffer.from(bytes), ending: ".bin" }, bytes);
    const large = Buffer.concat([picture, Buffer.alloc(20_000_000)]);
    assert.deepEqual(of(large, "image/png"), { bytes: large, ending: ".png" });
    assert.equal(readMedia(chat, { answer: "a", block: 0 }), undefined);
    assert.equal(readMedia(chat, { answer: "p", block: 1 }), undefined);
  });
});
