/** What goes wrong with a gateway or a selection: each state has its words and its one action. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describeFailure } from "../../../src/domain/words/describeAnswer";
import type { AnswerEntry } from "../../../src/domain/chat/chat";
import { closedPort } from "../../loopback/gateway/rawServer";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { enterKey, openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";
import { ownPort } from "../../support/ownPort";
import { tasksView, typeStep } from "../../support/submitSteps";

/** The error card below an answer. */
function cardOf(answer: AnswerEntry): { readonly text: string; readonly action: string } {
  const card = describeFailure(answer);
  assert.ok(card);
  const { title, meaning, action } = card;
  return { text: `${title} ${meaning}`, action: action.id };
}

const press = (chat: ChatPage, { id }: AnswerEntry): void => chat.send({ type: "error-action", answer: id });

describe("a gateway that can't be used", () => {
  afterEach(closeWindows);

  it("C2: without a key, chat and tasks say so; the key that is then set is used, and the message is sent", async () => {
    const opened = await openWindow({ settings: { "sluice.baseUrl": await closedPort() } });
    const { window, person } = opened;
    const chat = await openChat(window, "signed-out");
    const welcome = (await window.welcome(tasksView)).join("\n");
    assert.match(welcome, /Use the Local Gateway/);
    const refused = await chat.turn("hello");
    assert.equal(cardOf(refused).action, "set-key");
    press(chat, refused);
    await window.until("a key is asked for", () => window.widget.visible?.state.password);
    await person.escape();
    await enterKey(opened, "sk-canary-journey");
    await chat.until("it is used", ({ snapshot }) => snapshot.status.connection === "ready");
    assert.ok(!JSON.stringify(chat.messages).includes("sk-canary-journey"));
    await person.run("sluice.gateway.useLocal");
    await chat.until("the local gateway", ({ snapshot }) => snapshot.status.model === "demo-chat");
    chat.send({ type: "turn-retry" });
    await chat.until("it is answered", () => chat.answers.at(-1)?.state === "complete" && !chat.chat.running);
    assert.equal(chat.entries.filter(({ type }) => type === "user").length, 1, "the message was not written again");
  });

  it("T1: an unreachable gateway: the chat keeps the message and offers to choose another", async () => {
    const opened = await openWindowOnGateway({ baseUrl: await closedPort(), key: "sk-any" });
    const { window, person } = opened;
    const chat = await openChat(window);
    const choosing = person.palette("Sluice: Choose Model…");
    await person.step("the id of a model");
    await person.type("some-model");
    await person.press("Enter");
    await person.step("Which API does some-model use?");
    await person.choose("Chat completions");
    await choosing.ended();
    const failed = await chat.turn("hello");
    assert.match(cardOf(failed).text, /can't be reached/);
    assert.equal(cardOf(failed).action, "choose-gateway");
    assert.ok(chat.entries.some((entry) => entry.type === "user" && entry.text === "hello"));
    press(chat, failed);
    await person.step("Choose, or type an address");
    await person.choose("Local gateway");
    await chat.until("the local gateway", ({ snapshot }) => snapshot.status.local === true);
  });

  it("V4, C5 (finding 22): without a model, the chat names a gateway that is down, and once it is up says to choose one", async () => {
    const gateway = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[]}');
    });
    const port = await ownPort();
    const { window, person } = await openWindowOnGateway({ baseUrl: `http://127.0.0.1:${port}`, key: "sk-any" });
    const chat = await openChat(window);
    const [suggestion] = chat.snapshot.status.suggestions;
    const down = await chat.turn(suggestion?.text ?? "");
    assert.match(cardOf(down).text, /The gateway can't be reached.*Nothing was sent, so nothing is paid\./);
    assert.equal(describeFailure(down)?.secondAction?.id, "check-connection");
    await once(gateway.listen(port, "127.0.0.1"), "listening");
    try {
      const without = await chat.turn("and now?");
      assert.match(cardOf(without).text, /Choose a model first\./);
      assert.equal(cardOf(without).action, "choose-model");
      press(chat, without);
      await person.step("Type the id of a model");
      await person.escape();
    } finally {
      gateway.closeAllConnections();
      gateway.close();
    }
  });
});

describe("nothing to submit", () => {
  after(closeWindows);

  it("T2: nothing selected, or only blanks: the prompt is typed, and nothing sent", async () => {
    const { window, person, inside } = await openWindow({ files: { "notes.md": "one  two\n" } });
    await window.openFile("notes.md");
    for (const selected of [undefined, "  "]) {
      if (selected !== undefined) await person.select(selected);
      const asking = person.palette("Sluice: Submit Selection as Task…");
      await person.step(typeStep, "Stylized image");
      await person.escape();
      await asking.ended();
    }
    assert.equal(inside.app.board.listed.size, 0);
  });
});
