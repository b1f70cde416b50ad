/** Pictures that the local gateway's model draws: in the families whose answers have them, and back to the model with the next prompt. */
import assert from "node:assert/strict";
import type { Block } from "../../../src/domain/chat/chat";
import { readMedia } from "../../../src/chat/view/mediaBlock";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";

describe("pictures of the built-in model", () => {
  let over: AppOverGateway;
  beforeEach(async () => {
    over = await openAppOverGateway();
  });
  afterEach(() => over.close());

  const draw = async (family: string, prompt: string): Promise<readonly Block[]> => {
    const model = over.app.models.models.current.list.find((one) => one.family === family && !one.taskTypes);
    over.app.models.choose(model!.id);
    const session = over.app.session.current;
    await session.submit(prompt);
    const last = session.chat.entries.at(-1);
    assert.ok(last?.type === "answer" && last.state === "complete");
    return last.blocks;
  };

  for (const family of ["chat-completions", "generate-content"]) {
    it(`L4, S1: ${family}: the same words give the same PNG, others another; the chat goes on with it`, async () => {
      const pictures: string[] = [];
      for (const prompt of ["Draw a lighthouse", "Draw a lighthouse", "Paint the sea"]) {
        const media = (await draw(family, prompt)).find((block) => block.type === "media");
        assert.ok(media?.type === "media" && media.mimeType === "image/png");
        pictures.push(media.data);
        const { chat } = over.app.session.current;
        assert.equal(readMedia(chat, { answer: chat.entries.at(-1)!.id, block: media.block })?.shownAs, "image/png");
      }
      assert.equal(pictures[0], pictures[1]);
      assert.notEqual(pictures[0], pictures[2]);
    });
  }

  it("L4: the messages family has no pictures in answers, and says so", async () => {
    const blocks = await draw("messages", "Draw a lighthouse");
    assert.ok(blocks.every(({ type }) => type === "text"));
    assert.match(JSON.stringify(blocks), /has no pictures/);
  });

  it("L4: how to try it is in its help", async () => {
    assert.match(JSON.stringify(await draw("generate-content", "hello")), /draw a lighthouse/);
  });
});
