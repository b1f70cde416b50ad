/** Images in prompts: judged by their bytes, kept once, sent in all families, and never a burden for the page. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMessages } from "../../../../src/chat/request/history";
import { fillOf } from "../../../../src/chat/request/contextFill";
import { ImageFolder } from "../../../../src/chat/storage/imageFolder";
import type { FileReference, StoredImage } from "../../../../src/domain/chat/attachmentSchema";
import { imageSizeCap, imageTotalCap, imageTypeOf } from "../../../../src/domain/chat/imageTypes";
import type { ChatRequest, UserPart } from "../../../../src/domain/chat/message";
import type { Chat, SessionEvent } from "../../../../src/domain/chat/chat";
import { buildChatCompletionsRequest } from "../../../../src/gateway/families/chatCompletions";
import { buildGenerateContentRequest } from "../../../../src/gateway/families/generateContent";
import { buildMessagesRequest } from "../../../../src/gateway/families/messages";
import { chatForPage, eventForPage } from "../../../../src/chat/contract/chatForPage";
import { answersOf, textAnswer } from "../../../support/builders";
import { model, sessionOver } from "../../../support/chatSessions";
import { picture } from "../../../support/pictureBytes";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { runsOf } from "../../../support/runs";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

const data = picture.toString("base64");
const id = "a".repeat(64);
const stored: StoredImage = { id, mimeType: "image/png", data };
/** As a page may name it: its type and size are not those of the bytes. */
const reference: FileReference = { path: "shot.png", image: { id, mimeType: "image/webp", size: 1 } };

function partsOf({ messages }: Pick<ChatRequest, "messages">, index = 1): readonly UserPart[] {
  const message = messages[index];
  assert.ok(message?.role === "user");
  return message.parts;
}

describe("images in prompts", () => {
  it("P1: the first bytes tell the type, whatever the name; text, SVG and other pictures are none", () => {
    const of = (text: string): string | undefined => imageTypeOf(Buffer.from(text, "latin1"));
    assert.equal(of("\x89PNG\r\n\x1a\n…"), "image/png");
    assert.equal(of("\xff\xd8\xff\xe0"), "image/jpeg");
    assert.deepEqual([of("GIF87a"), of("GIF89a")], ["image/gif", "image/gif"]);
    assert.equal(of("RIFF\n\r\0\0WEBPVP8 "), "image/webp");
    for (const other of ["", "<svg/>", "RIFF1234WAVE", "GIF80a", "\x89PNG", "\0\0\0\x20ftypavif", "BM1234"])
      assert.equal(of(other), undefined, other);
  });

  it("P1: the host keeps what is an image within the cap, once, under its hash; another file under that name is none", async () => {
    const folder = await createTemporaryFolder();
    try {
      const images = ImageFolder.beside(join(folder.path, "chats"));
      const kept = await images.keep(picture);
      assert.ok(typeof kept === "object" && kept.mimeType === "image/png" && kept.size === picture.length);
      assert.deepEqual(await images.keep(picture), kept);
      assert.deepEqual(await images.read(kept.id), { id: kept.id, mimeType: "image/png", data });
      assert.equal(await images.keep(Buffer.from("<svg/>")), "not-an-image");
      assert.equal(await images.keep(Buffer.concat([picture, Buffer.alloc(imageSizeCap)])), "too-large");
      const [name = "", ...others] = await readdir(join(folder.path, "images"));
      assert.deepEqual(others, []);
      await writeFile(join(folder.path, "images", name), Buffer.concat([picture, picture]));
      assert.equal(await images.read(kept.id), undefined);
      for (const wrong of ["", "../chats", id]) assert.equal(await images.read(wrong), undefined);
    } finally {
      await folder.remove();
    }
  });

  it("P1: the image of a draft that nobody sent for a month goes", async () => {
    const folder = await createTemporaryFolder();
    try {
      const chats = join(folder.path, "chats");
      const old = await ImageFolder.beside(chats).keep(picture);
      assert.ok(typeof old === "object");
      const file = join(folder.path, "images", `${old.id}.png`);
      const month = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
      await utimes(file, month, month);
      const images = ImageFolder.beside(chats);
      await images.keep(Buffer.concat([picture, picture]));
      await images.pruned();
      assert.equal(await images.read(old.id), undefined);
      assert.equal((await readdir(join(folder.path, "images"))).length, 1);
    } finally {
      await folder.remove();
    }
  });

  it("P1: an image stays readable while it is attached once more, and is not written again", async () => {
    const folder = await createTemporaryFolder();
    try {
      const images = ImageFolder.beside(join(folder.path, "chats"));
      const large = Buffer.concat([picture, Buffer.alloc(1_000_000, 7)]);
      const kept = await images.keep(large);
      assert.ok(typeof kept === "object");
      const file = join(folder.path, "images", `${kept.id}.png`);
      const before = (await stat(file, { bigint: true })).mtimeNs;
      for (let round = 0; round < runsOf(50); round += 1) {
        const [, read] = await Promise.all([images.keep(large), images.read(kept.id)]);
        assert.ok(read, `round ${round}`);
      }
      assert.equal((await stat(file, { bigint: true })).mtimeNs, before);
      await writeFile(file, Buffer.alloc(large.length));
      await Promise.all([images.keep(large), images.keep(large)]);
      assert.deepEqual(await readFile(file), large, "other bytes under its name are replaced");
      const old = new Date(Date.now() - 20 * 24 * 60 * 60 * 1000);
      await utimes(file, old, old);
      await images.keep(large);
      assert.ok((await stat(file)).mtimeMs > old.getTime(), "attached again, it is kept for another month");
    } finally {
      await folder.remove();
    }
  });

  it("P1: an image that can't be written leaves nothing half", async () => {
    const folder = await createTemporaryFolder();
    try {
      const images = ImageFolder.beside(join(folder.path, "chats"));
      const kept = await images.keep(picture);
      assert.ok(typeof kept === "object");
      const other = Buffer.concat([picture, picture]);
      const id = createHash("sha256").update(other).digest("hex");
      await mkdir(join(folder.path, "images", `${id}.png`));
      await assert.rejects(images.keep(other));
      assert.deepEqual((await readdir(join(folder.path, "images"))).sort(), [`${kept.id}.png`, `${id}.png`].sort());
    } finally {
      await folder.remove();
    }
  });

  it("P1, S1: an image goes to the model before the text in all three families, as the bytes say it is", async () => {
    const answered = answersOf(textAnswer("1"));
    const { session } = sessionOver(answered.streamChat, [], undefined, undefined, undefined, undefined, () =>
      Promise.resolve(stored),
    );
    await session.submit("What is this?", [reference]);
    const [request] = answered.requests;
    assert.ok(request);
    assert.deepEqual(partsOf(request), [
      { type: "text", text: "The person attached the image shot.png:" },
      { type: "image", mimeType: "image/png", data },
      { type: "text", text: "What is this?" },
    ]);
    const completions = JSON.stringify(buildChatCompletionsRequest(request)["messages"]);
    assert.ok(completions.includes(`{"type":"image_url","image_url":{"url":"data:image/png;base64,${data}"}}`));
    const messages = JSON.stringify(buildMessagesRequest({ ...request, family: "messages" })["messages"]);
    const source = `{"type":"base64","media_type":"image/png","data":"${data}"}`;
    assert.ok(messages.includes(`{"type":"image","source":${source}}`));
    const contents = JSON.stringify(
      buildGenerateContentRequest({ ...request, family: "generate-content" })["contents"],
    );
    assert.ok(contents.includes(`{"inlineData":{"mimeType":"image/png","data":"${data}"}}`));
  });

  it("S1: generate-content gets no GIF, which it refuses with the whole request, but a word instead", () => {
    const parts: readonly UserPart[] = [{ type: "image", mimeType: "image/gif", data }];
    const request: ChatRequest = {
      family: "generate-content",
      model: "m",
      messages: [{ role: "user", parts }],
      tools: [],
    };
    const body = JSON.stringify(buildGenerateContentRequest(request));
    assert.ok(body.includes("image/gif was left out") && !body.includes(data), body);
  });

  it("P1, P4: the chat has the bytes once, for a queued prompt, one that is edited and sent again, and after a reload", async () => {
    const events: SessionEvent[] = [];
    const answered = answersOf(textAnswer("1"), textAnswer("2"), textAnswer("3"));
    let reads = 0;
    const { session } = sessionOver(
      answered.streamChat,
      [],
      undefined,
      undefined,
      (files) => Promise.resolve(files.map(({ path }) => ({ type: "text", path, text: path }))),
      undefined,
      () => {
        reads += 1;
        return Promise.resolve(stored);
      },
    );
    session.onDidEmit((event) => events.push(event));
    const turn = session.submit("one", [reference]);
    await session.submit("two", [{ path: "a.ts" }, reference]);
    await turn;
    const two = session.chat.entries.at(-2);
    assert.ok(two?.type === "user");
    assert.deepEqual(
      two.attachments?.map(({ type }) => type),
      ["text", "image"],
      "in the order of the references",
    );
    await session.resend(two.id, "two, edited");
    assert.equal(reads, 1);
    const lines = events.map(writeEvent);
    assert.equal(lines.join("\n").split(data).length - 1, 1, "in the file");
    const chat = replayChat(session.chat.id, lines);
    assert.deepEqual(chat, session.chat);
    assert.equal(JSON.stringify(createMessages(chat, "")).split(data).length - 1, 2, "in the request");
  });

  it("P1: an image that is gone, or can't be read, is not sent and says so; the prompt is", async () => {
    for (const readImage of [() => Promise.resolve(undefined), () => Promise.reject(new Error("EIO"))]) {
      const answered = answersOf(textAnswer("1"));
      const { session } = sessionOver(answered.streamChat, [], undefined, undefined, undefined, undefined, readImage);
      await session.submit("Look", [reference]);
      const [prompt] = session.chat.entries;
      assert.ok(prompt?.type === "user");
      assert.deepEqual(prompt.attachments, [
        { type: "unread", path: "shot.png", reason: "The image is no longer on this machine." },
      ]);
      assert.equal(answered.requests.length, 1);
    }
  });

  it("S1: a model that is known to take no images is told of it; one of which nothing is known gets it", async () => {
    for (const images of [undefined, true, false]) {
      const answered = answersOf(textAnswer("1"));
      const chosen = { ...model, ...(images === undefined ? {} : { images }) };
      const { session } = sessionOver(answered.streamChat, [], { model: chosen }, undefined, undefined, undefined, () =>
        Promise.resolve(stored),
      );
      await session.submit("Look", [reference]);
      const written = JSON.stringify(partsOf(answered.requests[0]!));
      assert.equal(written.includes(data), images !== false);
      assert.equal(written.includes("this model takes none"), images === false);
    }
  });

  it("P1: a request has the newest images up to its cap; older ones are named", () => {
    const large = "A".repeat(imageTotalCap / 3);
    const images = ["1", "2", "3", "4"].map((name): StoredImage => ({
      id: name,
      mimeType: "image/png",
      data: large + name,
    }));
    const entries = images.map(({ id: name, mimeType }): Chat["entries"][number] => ({
      type: "user",
      id: name,
      text: name,
      at: 0,
      attachments: [{ type: "image", path: `${name}.png`, image: { id: name, mimeType, size: 1 } }],
    }));
    const messages = createMessages({ id: "c", entries, images, running: false }, "");
    const has = messages.slice(1).map((_message, index) => partsOf({ messages }, index + 1).some(isImage));
    assert.deepEqual(has, [false, false, true, true]);
    assert.match(JSON.stringify(partsOf({ messages }, 1)), /1\.png\. It was left out to keep the request small/);
  });

  it("P1: an image counts as part of the messages in the context", async () => {
    const usage = { type: "usage", input: 2000, output: 10, raw: undefined } as const;
    const sized = async (references?: readonly FileReference[]): Promise<number | undefined> => {
      const [start, ...rest] = textAnswer("1");
      const { session } = sessionOver(
        answersOf([start!, usage, ...rest]).streamChat,
        [],
        undefined,
        undefined,
        undefined,
        undefined,
        () => Promise.resolve(stored),
      );
      await session.submit("Look", references);
      return fillOf(session.chat)?.messages;
    };
    assert.ok((await sized([reference]))! > 1000);
    assert.ok((await sized())! < 10);
  });

  it("P2: neither a snapshot nor an event brings the bytes to the page", () => {
    const chat: Chat = { id: "c", entries: [], running: false, images: [stored] };
    const event: SessionEvent = { type: "image-stored", image: stored };
    for (const posted of [chatForPage(chat), eventForPage(event)]) assert.ok(!JSON.stringify(posted).includes(data));
  });
});

function isImage({ type }: UserPart): boolean {
  return type === "image";
}
