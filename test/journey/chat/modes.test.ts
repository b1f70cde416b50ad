/** Modes, plans with their documents, and questions of the model (A13). */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ChatMode } from "../../../src/domain/chat/chatMode";
import { modeOf } from "../../../src/domain/chat/choices";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";

const greeting = "src/greeting.ts";
const replace = `replace \`hour > 18\` with \`hour >= 18\` in ${greeting}`;
const looking = `Plan: read ${greeting}, then list the files in src`;

describe("modes of a chat", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  before(async () => {
    opened = await openWindow({ sample: true });
    chat = await openChat(opened.window);
  });
  afterEach(async () => {
    const { window, person } = opened;
    window.editors.close([...window.editors.tabs]);
    await person.palette("Sluice: New Chat").ended();
  });
  after(closeWindows);

  const text = (): Promise<string> => readFile(path.join(opened.folder, greeting), "utf8");
  const modeIs = (mode: ChatMode): Promise<unknown> =>
    chat.until(`the mode ${mode}`, (page) => modeOf(page.chat) === mode);
  const take = async (mode: ChatMode): Promise<void> => {
    chat.send({ type: "mode-set", chat: chat.chat.id, mode });
    await modeIs(mode);
  };
  /** Has the model present a plan, and opens it. */
  const openPlan = async (prompt: string): Promise<{ readonly answer: string; readonly call: string }> => {
    await take("plan");
    await chat.turn(prompt);
    const place = chat.answers.flatMap(({ id: answer, blocks }) =>
      blocks.flatMap((block) =>
        block.type === "tool-call" && block.name === "present_plan" ? [{ answer, call: block.call }] : [],
      ),
    )[0];
    assert.ok(place);
    chat.send({ type: "plan-open", ...place });
    await opened.window.until(
      "the plan is open",
      () => opened.window.editors.active?.document.uri.scheme === "sluice-plan",
    );
    return place;
  };
  const clickLens = async (title: string, place: number): Promise<{ ended(): Promise<unknown> }> => {
    await opened.person.lens(title);
    const { command } = (await opened.person.lenses()).filter((lens) => lens.command?.title === title)[place] ?? {};
    return opened.person.start(command?.command ?? "", ...((command?.arguments ?? []) as unknown[]));
  };
  const lastPrompt = () => chat.entries.findLast((entry) => entry.type === "user");

  it("A13: Choose Mode… lists the modes and takes one; in Ask a change is not made, and the message says Ask", async () => {
    const { person } = opened;
    const before = await text();
    chat.send({ type: "mode-choose" });
    await person.step("What the model may do in this chat", "Plan");
    assert.deepEqual(
      person.pick.rows.map(({ label }) => label),
      ["Agent", "Ask", "Plan"],
    );
    await person.choose("Ask");
    await modeIs("ask");
    await chat.turn(replace);
    assert.deepEqual([chat.calls.length, lastPrompt()?.mode, await text()], [0, "ask", before]);
  });

  it("A13: a plan is opened as a document, edited, kept without a save, and started: the chat works in Agent by what it says now", async () => {
    const { window, person } = opened;
    const place = await openPlan(`Plan: ${replace}, then read ${greeting}`);
    const last = "The demo model carries out what it understands of these lines.";
    await person.select(last);
    await person.typeInEditor(`${last}\n\nAnd nothing else.`);
    await chat.until("the chat has the plan as it was edited", ({ calls }) =>
      calls.some(({ document }) => document?.text.includes("And nothing else.")),
    );
    assert.equal(window.editors.active?.model.isDirty, false);
    chat.send({ type: "plan-start", ...place });
    await modeIs("agent");
    await chat.decide(true);
    await chat.ended();
    assert.match(await text(), /hour >= 18/);
    assert.match(lastPrompt()?.text ?? "", /And nothing else\./);
  });

  it("A13: Comment… quotes a step in the composer in Plan mode; Start This Step has the model carry out that step alone", async () => {
    const { window, person } = opened;
    await openPlan(looking);
    await take("agent");
    // The first one is about the whole plan.
    const commenting = await clickLens("Comment…", 2);
    await person.step("It is put into the message box of the chat");
    await person.type("only those in TypeScript");
    await person.press("Enter");
    await commenting.ended();
    await window.settled();
    assert.match(chat.draft, /^> 2\. .*\n\nonly those in TypeScript\s+$/);
    await modeIs("plan");
    await (await clickLens("Start This Step", 1)).ended();
    await modeIs("agent");
    await chat.ended();
    const { text: sent = "" } = lastPrompt() ?? {};
    assert.match(sent, /^Carry out this step of the plan, and no other one:\n\n2\. /);
    assert.doesNotMatch(sent, /greeting/);
    assert.ok(chat.calls.some(({ name }) => name === "list_files"));
  });

  it("A13: an open document of a plan follows the model step by step, keeps what the person writes meanwhile, and asks nothing", async () => {
    const { window, person } = opened;
    const place = await openPlan(looking);
    const last = "The demo model carries out what it understands of these lines.";
    chat.send({ type: "plan-start", ...place });
    await chat.ended();
    const document = window.editors.active?.document;
    await window.until("the boxes", () => /1\. \[x\] [^]*2\. \[x\] /.test(document?.getText() ?? ""));
    assert.deepEqual(
      [...new Set((await person.lenses()).map(({ command }) => command?.title))],
      ["Comment…"],
      "nothing is left to start",
    );
    // The person is writing while a step changes: the document is not stored yet.
    await person.select(last);
    await person.typeInEditor("My own words.");
    const [first] = chat.chat.plan?.steps ?? [];
    const edit = { do: "mark", step: first?.id ?? "", state: "pending" } as const;
    chat.send({ type: "plan-edit", chat: chat.chat.id, edit });
    await window.until("the box", () => /1\. \[ \] [^]*2\. \[x\] [^]*My own words\./.test(document?.getText() ?? ""));
    await chat.until("the chat has both", ({ calls }) =>
      calls.some(({ document: stored }) => stored?.text === document?.getText()),
    );
    await window.until("it is stored", () => document?.isDirty === false);
    assert.deepEqual(
      chat.chat.plan?.steps.map(({ state }) => state),
      ["pending", "done"],
    );
    assert.deepEqual(window.messages.shown, []);
  });

  it("A13: an old text of a plan that VS Code has kept over a reload takes back nothing that the model has checked off", async () => {
    const place = await openPlan(looking);
    const { document } = opened.window.editors.active ?? {};
    assert.ok(document);
    const old = document.getText();
    chat.send({ type: "plan-start", ...place });
    await chat.ended();
    await opened.window.until("the boxes", () => /1\. \[x\] [^]*2\. \[x\] /.test(document.getText()));
    await opened.window.until("it is stored", () => !document.isDirty);
    opened = await opened.reload();
    chat = await openChat(opened.window);
    // VS Code stores the text that it has kept without reading the document before.
    const files = opened.window.fileSystems.of(document.uri.scheme);
    assert.ok(files);
    await files.writeFile(document.uri, Buffer.from(`${old}\nMine.`), { create: true, overwrite: true });
    const stored = Buffer.from(await files.readFile(document.uri)).toString();
    assert.match(stored, /1\. \[x\] [^]*2\. \[x\] [^]*\nMine\.$/);
  });

  it("A13: the plan of the work is checked off by the model, and by hand", async () => {
    await chat.turn(looking);
    const states = () => chat.chat.plan?.steps.map(({ state }) => state);
    assert.deepEqual(states(), ["done", "done"]);
    const [first] = chat.chat.plan?.steps ?? [];
    const edit = { do: "mark", step: first?.id ?? "", state: "pending" } as const;
    chat.send({ type: "plan-edit", chat: chat.chat.id, edit });
    await chat.until("the step is open again", () => states()?.[0] === "pending");
    assert.deepEqual(states(), ["pending", "done"]);
  });

  it("A13: a question of the model waits in the badge of the view, and the answer is told to the model", async () => {
    await chat.ask("Ask me which colour: red, blue or green");
    const asking = await chat.until("it asks", ({ calls }) => {
      for (const { progress } of calls) if (progress.state === "asking") return progress;
      return undefined;
    });
    await opened.window.until("the badge", () => chat.page.badge?.value === 1);
    assert.match(chat.page.badge?.tooltip ?? "", /1 waiting for you/);
    chat.send({ type: "question-answer", question: asking.id, choice: 1 });
    const { blocks } = await chat.ended();
    assert.ok(blocks.some((block) => block.type === "text" && block.text.includes("The person chose: blue")));
    await opened.window.until("no badge", () => (chat.page.badge?.value ?? 0) === 0);
  });
});
