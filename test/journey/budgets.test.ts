/** What twelve journeys of a new person take in clicks, keys and typed texts: each ends where it should, and the table says what it takes today. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import type { AttachmentMessage } from "../../src/chat/contract/chatPageContract";
import type { TaskPageIntent, TaskPageSnapshot } from "../../src/tasks/contract/taskPageContract";
import type { TestServer } from "../loopback/gateway/rawServer";
import { type ChatPage, openChat } from "../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../support/fakeVscode/openWindow";
import type { Effort } from "../support/fakeVscode/person";
import { lastState, tabPage } from "../support/fakeVscode/tabPage";
import type { TreeRow } from "../support/fakeVscode/trees";
import { serveOneKey } from "../support/oneKeyGateway";
import { modelStep, promptStep, tasksView, typeStep } from "../support/submitSteps";

const key = "sk-canary-journey";
const chatView = "sluice.chat";

describe("what journeys take", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  const gateways: TestServer[] = [];
  before("open a window that nobody has used", async () => {
    opened = await openWindow({ sample: true, files: { "parts/lamp.md": "# A lamp\n" } });
  });
  after(async () => {
    await closeWindows();
    for (const gateway of gateways) await gateway.close();
  });

  /** `effort`: a text counts as one, however long. Where a test begins takes nothing; a shorter way is a new row of the table. */
  const journey = (title: string, effort: Effort, go: (start: () => void) => Promise<void>): void => {
    it(`P6, ${title}`, async () => {
      const { person } = opened;
      let before = person.effort;
      await go(() => (before = person.effort));
      const { clicks, keys, texts } = person.effort;
      const taken = { clicks: clicks - before.clicks, keys: keys - before.keys, texts: texts - before.texts };
      assert.deepEqual(taken, effort);
    });
  };

  const suggested = (kind: string): Promise<{ readonly text: string }> =>
    chat.until(`a suggestion to ${kind}`, ({ snapshot }) =>
      snapshot.status.suggestions.find((suggestion) => suggestion.kind === kind),
    );
  /** A suggestion is sent with one click. */
  const clickSuggestion = async (kind: string): Promise<void> => {
    const { text } = await suggested(kind);
    opened.person.clickIn(chat, { type: "prompt-submit", chat: chat.chat.id, text });
    await chat.until("the turn has begun", ({ entries }) => entries.length > 0);
  };
  const newChat = async (): Promise<void> => {
    await opened.person.run("sluice.chat.new");
    await chat.until("an empty chat", ({ entries }) => entries.length === 0);
  };
  const clickAllow = async (): Promise<void> => {
    const { approval } = await chat.approval();
    opened.person.clickIn(chat, { type: "approval-decide", approval: approval.id, allow: true });
  };
  const answered = async (): Promise<void> => {
    assert.equal((await chat.ended()).state, "complete");
  };
  /** The key leads into the composer, from the editors too. */
  const askByKeys = async (text: string): Promise<void> => {
    const { window, person } = opened;
    await person.key("shift+alt+l").ended();
    assert.deepEqual(window.focus, { view: chatView });
    person.enterIn(chat, { type: "prompt-submit", chat: chat.chat.id, text });
    await chat.until("the turn has begun", ({ entries }) => entries.length > 0);
  };
  const isThere = (name: string, there: boolean): Promise<true> =>
    opened.window.until(`${name}: ${there}`, () => existsSync(path.join(opened.folder, name)) === there);

  describe("in the chat", () => {
    journey("V5: a first question", { clicks: 2, keys: 0, texts: 0 }, async () => {
      await opened.person.openView(chatView);
      chat = await openChat(opened.window);
      await clickSuggestion("read");
      await answered();
    });

    journey("V5: a question by keys, from an editor", { clicks: 0, keys: 2, texts: 1 }, async () => {
      await newChat();
      await opened.window.openFile("parts/lamp.md");
      await askByKeys("What can you do here?");
      await answered();
    });

    journey("A3: a first edit", { clicks: 2, keys: 0, texts: 0 }, async () => {
      await newChat();
      await clickSuggestion("edit");
      await clickAllow();
      await answered();
      await isThere("OVERVIEW.md", true);
    });

    journey("A5: the undo of an edit", { clicks: 1, keys: 0, texts: 0 }, async () => {
      const [change] = await chat.until("what was changed", ({ snapshot }) => snapshot.status.changes);
      opened.person.clickIn(chat, {
        type: "changes-undo",
        answer: change?.answer ?? assert.fail("nothing is changed"),
      });
      await isThere("OVERVIEW.md", false);
    });

    journey("A3: an edit that keys allow", { clicks: 0, keys: 4, texts: 1 }, async () => {
      await newChat();
      await askByKeys("Write an overview into NOTES.md");
      const { approval } = await chat.approval();
      const before = chat.messages.length;
      await opened.person.key("ctrl+shift+a").ended();
      await chat.until("the focus at the question", ({ messages }) =>
        messages.slice(before).some(({ type }) => type === "approval-focus"),
      );
      opened.person.pressIn(chat, { type: "approval-decide", approval: approval.id, allow: true });
      await answered();
      await isThere("NOTES.md", true);
    });

    journey("T1, T8: a first task", { clicks: 2, keys: 0, texts: 0 }, async () => {
      await newChat();
      await clickSuggestion("make");
      await clickAllow();
      await answered();
      await opened.person.row(tasksView, /succeeded.*lighthouse/);
    });

    journey("P4: an earlier chat", { clicks: 1, keys: 0, texts: 0 }, async () => {
      await newChat();
      const id = await chat.until("the picture's chat", ({ snapshot }) => {
        const recent = snapshot.status.recent?.find(({ title }) => title.includes("picture of a lighthouse"));
        return recent?.id;
      });
      opened.person.clickIn(chat, { type: "chat-open", id });
      await chat.until("it is shown", (page) => page.chat.id === id && page.answers.length > 0);
    });

    journey("P4: an earlier chat by keys", { clicks: 0, keys: 2, texts: 1 }, async () => {
      await newChat();
      const { person } = opened;
      person.enterIn(chat, { type: "command-run", command: "history" });
      await person.step("Search prompts, answers", /picture of a lighthouse/);
      assert.match(person.pick.active?.label ?? "", /picture of a lighthouse/);
      await person.press("Enter");
      await chat.until("it is shown", ({ entries }) =>
        entries.some((entry) => entry.type === "user" && entry.text.includes("picture of a lighthouse")),
      );
    });

    const posted = <Type extends AttachmentMessage["type"]>(
      type: Type,
      since: number,
    ): Promise<Extract<AttachmentMessage, { readonly type: Type }>> =>
      opened.window.until(`the message ${type}`, () => {
        const found = chat.messages.slice(since).find((message) => message.type === type);
        return found as Extract<AttachmentMessage, { readonly type: Type }> | undefined;
      });

    journey("P1, A6: a folder that is attached", { clicks: 3, keys: 0, texts: 0 }, async () => {
      await newChat();
      const { person } = opened;
      const before = chat.messages.length;
      person.clickIn(chat, { type: "context-add", chat: chat.chat.id, key: 1, from: "menu" });
      await person.choose("Folders…");
      await person.choose("parts/");
      assert.deepEqual((await posted("reference-add", before)).reference, { path: "parts", kind: "folder" });
      await posted("attaching-ended", before);
    });

    journey("P1, A6: a folder that is attached by keys", { clicks: 0, keys: 1, texts: 1 }, async () => {
      const before = chat.messages.length;
      opened.person.enterIn(chat, { type: "context-find", query: "part" });
      const [first] = (await posted("context-found", before)).items;
      assert.deepEqual(first?.reference, { path: "parts", kind: "folder" });
    });
  });

  describe("with a task", () => {
    const rowOf = (text: RegExp): Promise<TreeRow> => opened.person.row(tasksView, text);

    journey("T8: its money", { clicks: 2, keys: 0, texts: 0 }, async () => {
      await opened.person.inMenu(await rowOf(/lighthouse/), "Open Task").ended();
      const page = await tabPage<TaskPageSnapshot, TaskPageSnapshot, TaskPageIntent>(
        opened.window,
        "sluice.task",
        lastState,
      );
      await page.until("what it cost", ({ task }) => task?.gateway.endsWith(" · free"));
    });

    journey("T1: its picture made into a video", { clicks: 3, keys: 3, texts: 1 }, async () => {
      const { person } = opened;
      const asking = person.inMenu(await rowOf(/lighthouse/), "Make More…");
      await person.choose("Use as Reference for a New Task…");
      await person.through(typeStep, modelStep);
      await person.step(promptStep);
      await person.type("its light turns");
      await person.press("Enter");
      await person.closed();
      await asking.ended();
      await rowOf(/^Video, succeeded.*its light turns/);
    });

    journey("T9: its cancel", { clicks: 1, keys: 1, texts: 0 }, async (start) => {
      const { person } = opened;
      const asking = person.palette("Sluice: Submit Selection as Task…");
      await person.through(typeStep);
      await person.step(promptStep);
      await person.type("[stuck] a ferry at noon");
      await person.press("Enter");
      await asking.ended();
      const row = await rowOf(/processing.*a ferry at noon/);
      start();
      const cancelling = person.inMenu(row, "Cancel…");
      await person.step("Choose or type a reason to cancel");
      await person.press("Enter");
      await cancelling.ended();
      await rowOf(/cancelled.*a ferry at noon/i);
    });
  });

  describe("to another gateway", () => {
    const useLocal = async (): Promise<void> => {
      await newChat();
      await opened.person.run("sluice.gateway.useLocal");
      for (const message of opened.window.messages.shown) message.answer();
      await chat.until("the local gateway", ({ snapshot }) => snapshot.status.local === true);
    };
    const isUsed = (): Promise<true> =>
      chat.until("the other gateway", ({ snapshot }) => snapshot.status.model === "first-model");
    /** As far as the question for its key. */
    const typeAddress = async (): Promise<void> => {
      const gateway = await serveOneKey(key, ["first-model", "second-model"]);
      gateways.push(gateway);
      const { window, person } = opened;
      person.clickIn(chat, { type: "state-action", action: "connect" });
      await person.step("Choose, or type an address");
      await person.type(`${gateway.url}/v1`);
      await person.press("Enter");
      await window.until("a key is asked for", () => window.widget.visible?.state.password);
    };
    const chooseModel = async (): Promise<void> => {
      await opened.person.step(modelStep, "second-model");
      await opened.person.press("Enter");
      await opened.person.closed();
      await isUsed();
    };

    journey("C1, C2: connecting", { clicks: 1, keys: 3, texts: 2 }, async () => {
      await useLocal();
      await typeAddress();
      await opened.person.type(key);
      await opened.person.press("Enter");
      await chooseModel();
    });

    journey("C2, C3: connecting with a wrong key first", { clicks: 1, keys: 5, texts: 3 }, async () => {
      await useLocal();
      await typeAddress();
      const { window, person } = opened;
      await person.type("sk-wrong");
      await person.press("Enter");
      await window.until("why it is refused", () => person.pick.state.validationMessage);
      await person.type(key);
      await person.press("Enter");
      await chooseModel();
    });

    journey("C1: the way back to the local one", { clicks: 2, keys: 0, texts: 0 }, async () => {
      opened.person.clickIn(chat, { type: "state-action", action: "choose-gateway" });
      await opened.person.choose("Local gateway");
      await chat.until("the local gateway", ({ snapshot }) => snapshot.status.local === true);
    });
  });
});
