/** Images in the results of calls: kept by the chat once, sent to models that take them, and there again after a reload or an import. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { estimateFill } from "../../../../src/chat/request/contextFill";
import { createMessages } from "../../../../src/chat/request/history";
import { exportJson, importJson } from "../../../../src/chat/storage/exportChat";
import { AppendOnlyFile } from "../../../../src/base/appendOnlyFile";
import { readSession, emptySession, headerOf, reduceSession, writeRecord } from "../../../../src/chat/storage/records";
import { SessionFolder } from "../../../../src/chat/storage/sessionFolder";
import { imageCountCap, imageTotalCap } from "../../../../src/domain/chat/imageTypes";
import type { ChatRequest, Message } from "../../../../src/domain/chat/message";
import { type AnswerEntry, type Chat, type SessionEvent, toolCalls } from "../../../../src/domain/chat/chat";
import type { ShownImage } from "../../../../src/domain/tools/toolPorts";
import type { CallEffects, Tool } from "../../../../src/domain/tools/tool";
import { chatForPage, eventForPage } from "../../../../src/chat/contract/chatForPage";
import { readMedia } from "../../../../src/chat/view/mediaBlock";
import { answersOf, callingAnswer, textAnswer } from "../../../support/builders";
import { answers, model, sessionOver } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { createTemporaryFolder } from "../../../support/temporaryFolder";
import { pngOf } from "../../../support/testImages";

/** Shows these images with each call. */
function seeing(...images: readonly ShownImage[]): Tool {
  return {
    declaration: { name: "see", description: "see", parameters: { type: "object" } },
    effect: "reads",
    prepare: () =>
      Promise.resolve({
        action: { type: "call", name: "see" },
        run: (_signal: AbortSignal, effects?: CallEffects) => {
          for (const image of images) effects?.image?.(image);
          return Promise.resolve("(a picture)");
        },
      }),
  };
}

const resultsOf = ({ messages }: ChatRequest): Extract<Message, { role: "tool" }>[] =>
  messages.filter((message) => message.role === "tool");

describe("images in results", () => {
  let image: ShownImage;
  let id: string;
  let data: string;
  before(async () => {
    const bytes = await pngOf(8, 4);
    image = { name: "shot.png", mimeType: "image/png", bytes, width: 8, height: 4 };
    id = createHash("sha256").update(bytes).digest("hex");
    data = bytes.toString("base64");
  });

  const see = { name: "see", input: {} };
  /** Two calls in two rounds, with what was emitted. */
  const play = async (takesImages?: boolean) => {
    const chosen = takesImages === undefined ? model : { ...model, images: takesImages };
    const asked = answersOf(
      callingAnswer(see),
      callingAnswer({ name: "see", input: { again: true } }),
      textAnswer("ok"),
    );
    const { session } = sessionOver(asked.streamChat, [seeing(image)], { model: chosen });
    const events: SessionEvent[] = [];
    session.onDidEmit((event) => void events.push(event));
    await session.submit("Look");
    return { session, events, requests: asked.requests };
  };

  it("A12: an image that two results have is stored once, and both name it", async () => {
    const { session, events } = await play();
    assert.deepEqual(session.chat.images, [{ id, mimeType: "image/png", data }]);
    assert.equal(events.filter(({ type }) => type === "image-stored").length, 1);
    const named = answers(session).flatMap((answer) =>
      toolCalls(answer).map(({ progress }) => (progress.state === "done" ? progress.images : undefined)),
    );
    const { mimeType, name, width, height, bytes } = image;
    const reference = { id, mimeType, size: bytes.length, name, width, height };
    assert.deepEqual(named, [[reference], [reference]]);
  });

  it("A12, S1: a model of which nothing is known gets it with the result; one that takes none gets a sentence", async () => {
    for (const takes of [undefined, true, false]) {
      const { requests } = await play(takes);
      const [first] = resultsOf(requests[1]!);
      assert.ok(first);
      const isSent = takes !== false;
      assert.deepEqual(first.images, isSent ? [{ type: "image", mimeType: "image/png", data }] : undefined);
      const note = isSent ? "" : "\n(1 image was left out because this model takes none.)";
      assert.equal(first.text, `(a picture)${note}`);
    }
  });

  it("A12, P4: a reload has the images of results, and neither a snapshot nor an event brings their bytes to the page", async () => {
    const { session, events } = await play();
    const again = replayChat(session.chat.id, events.map(writeEvent));
    assert.deepEqual(again, session.chat);
    const posted = JSON.stringify([chatForPage(session.chat), events.map(eventForPage)]);
    assert.ok(!posted.includes(data));
  });

  it("A12, P4: an export has them and an import gives them back, also where the file of the first is gone", async () => {
    const { session, events } = await play();
    const temporary = await createTemporaryFolder();
    try {
      const folder = new SessionFolder(`${temporary.path}/chats`);
      const empty = emptySession("one", 3);
      const file = await AppendOnlyFile.open(folder.fileOf("one"));
      await file.append([headerOf(empty), ...events].map(writeRecord).join(""));
      await file.close();
      const text = await exportJson(folder, events.reduce(reduceSession, empty));
      await folder.discard("one");
      await folder.remove("one");
      const imported = (await importJson(folder, Buffer.from(text))) ?? assert.fail();
      const read = await readSession(folder.fileOf(imported), imported, new AbortController().signal);
      assert.equal(read.unreadable, 0);
      const { chat } = read.session;
      assert.deepEqual(chat.images, session.chat.images);
      const messages = createMessages(chat, "");
      assert.ok(JSON.stringify(messages).includes(data));
    } finally {
      await temporary.remove();
    }
  });

  it("A12, P5: the page gets an image of a result by its call and its id, and no other of the chat", async () => {
    const { session } = await play();
    const [answer] = answers(session);
    const [call] = toolCalls(answer!);
    const place = { answer: answer!.id, block: call!.block };
    assert.equal(readMedia(session.chat, { ...place, image: id })?.shownAs, "image/png");
    assert.equal(readMedia(session.chat, { ...place, image: "f".repeat(64) }), undefined);
    assert.equal(readMedia(session.chat, place), undefined);
    assert.equal(readMedia(session.chat, { answer: "none", block: call!.block, image: id }), undefined);
  });

  it("A12, A6: it counts in the context", async () => {
    const { session } = await play();
    const plain: Chat = {
      ...session.chat,
      entries: session.chat.entries.map((entry) =>
        entry.type === "answer" ? { ...entry, blocks: entry.blocks.map(withoutImages) } : entry,
      ),
    };
    assert.ok(estimateFill(session.chat, 0) - estimateFill(plain, 0) > 2000);
  });

  it("A12, A8: the oldest images are left out together, so that the next ones change nothing of what is cached", () => {
    const size = imageTotalCap / 10;
    const chatOf = (count: number, length: number): Chat => {
      const ids = Array.from({ length: count }, (_, index) => `image-${index}`);
      const entries = ids.map((one): AnswerEntry => ({
        ...{ type: "answer", id: one, model: "m", family: "messages", startedAt: 0, state: "complete" },
        blocks: [
          {
            ...{ type: "tool-call", block: 0, call: "c", name: "see", argumentText: "{}" },
            progress: {
              ...{ state: "done", input: {}, action: { type: "call", name: "see" }, result: "" },
              images: [{ id: one, mimeType: "image/png", size: 1, name: one, width: 1, height: 1 }],
            },
          },
        ],
      }));
      const images = ids.map((one) => ({ id: one, mimeType: "image/png" as const, data: "A".repeat(length) }));
      return { id: "c", entries, running: false, images };
    };
    const sentOf = (count: number, length: number): readonly boolean[] =>
      createMessages(chatOf(count, length), "").flatMap((message) =>
        message.role === "tool" ? [message.images !== undefined] : [],
      );
    assert.equal(sentOf(10, size).filter(Boolean).length, 10);
    const firstCut = sentOf(11, size).indexOf(true);
    assert.equal(firstCut, 6);
    for (const count of [12, 13, 14, 15, 16]) assert.equal(sentOf(count, size).indexOf(true), firstCut, String(count));
    assert.ok(sentOf(17, size).indexOf(true) > firstCut);
    assert.equal(sentOf(imageCountCap, 4).filter(Boolean).length, imageCountCap);
    assert.ok(sentOf(imageCountCap + 1, 4).filter(Boolean).length <= imageCountCap);
  });

  it("A12, R6: a chat that holds too many images keeps no more of them, and says so to the model", async () => {
    const asked = answersOf(callingAnswer(see), textAnswer("ok"));
    const stored: Chat = {
      ...{ id: "c", entries: [], running: false },
      images: [{ id: "x", mimeType: "image/png", data: "A".repeat(64 * 1024 * 1024) }],
    };
    const { session } = sessionOver(asked.streamChat, [seeing(image)], { model }, stored);
    await session.submit("Look");
    assert.equal(session.chat.images?.length, 1);
    assert.match(resultsOf(asked.requests[1]!)[0]?.text ?? "", /Not all images are here/);
  });
});

function withoutImages(block: AnswerEntry["blocks"][number]): AnswerEntry["blocks"][number] {
  if (block.type !== "tool-call" || block.progress.state !== "done") return block;
  const { images: _images, ...progress } = block.progress;
  return { ...block, progress };
}
