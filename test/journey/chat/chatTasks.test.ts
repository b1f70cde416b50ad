/** From the composer to a task and its card in the chat, also after a reload; and a picture that the model draws, into the workspace. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type ChatPage, cardOf, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { modelStep, reviewStep, tasksOf, tasksView, typeStep } from "../../support/submitSteps";

describe("tasks and pictures in the chat", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  before(async () => {
    opened = await openWindow({ files: { "notes.md": "A page about lights\n" } });
    chat = await openChat(opened.window);
  });
  after(closeWindows);

  /** Submits it from the composer as an image; resolves with the id of its task, which the chat has then. */
  const submit = async (prompt: string): Promise<string> => {
    const { person } = opened;
    chat.send({ type: "task-submit", text: prompt });
    await person.step(typeStep);
    await person.choose(/^Image/);
    // The only model of the type is asked for once.
    const next = await opened.window.until("the next step", () =>
      [modelStep, reviewStep].find((step) => opened.window.widget.visible?.state.placeholder?.includes(step)),
    );
    await person.through(...(next === modelStep ? [modelStep] : []), reviewStep);
    const entry = await chat.until("the chat has the task", ({ entries }) =>
      entries.find((one) => one.type === "task" && one.text === prompt),
    );
    return (entry.type === "task" && entry.tasks[0]) || "";
  };
  const succeeded = (task: string) => cardOf(chat, task, ({ view }) => view?.file?.kind === "image");

  it("T1, T2: Esc in the pick loses nothing and makes no task, and the cursor is in the composer again", async () => {
    const { person } = opened;
    chat.draft = "A weather vane above the fog";
    const asked = chat.page.ofType("focus-await").length;
    opened.person.clickIn(chat, { type: "task-submit", text: chat.draft });
    await person.step(typeStep);
    await person.escape();
    await person.closed();
    await chat.until(
      "the composer is asked to take the focus",
      ({ page }) => page.ofType("focus-await").length > asked,
    );
    assert.equal(chat.draft, "A weather vane above the fog");
    assert.equal(opened.inside.app.board.listed.size, 0);
    chat.draft = "";
  });

  it("P1, T1, T8: the composer's text becomes a task; its card has its state, its money and its picture, from this machine alone", async () => {
    const { person, inside } = opened;
    const prompt = "A weather vane above the fog";
    chat.draft = prompt;
    chat.send({ type: "task-submit", text: prompt });
    await person.step(typeStep);
    await person.choose(/^Image/);
    await person.through(modelStep);
    await person.step(reviewStep);
    assert.deepEqual([chat.draft, tasksOf(inside, prompt).length], [prompt, 0], "nothing is accepted yet");
    await person.press("Enter");
    const entry = await chat.until("the chat has the task", ({ entries }) =>
      entries.find(({ type }) => type === "task"),
    );
    const [task = ""] = entry.type === "task" ? entry.tasks : [];
    assert.deepEqual([chat.draft, tasksOf(inside, prompt).map(({ intent }) => intent.id)], ["", [task]]);
    const { view } = await succeeded(task);
    assert.deepEqual([view?.prompt, view?.state.name], [prompt, "succeeded"]);
    assert.match(view?.money ?? "", /^Free: /);
    const file = view?.file;
    assert.ok(file?.kind === "image" && /^https:\/\/file[^/]*\.vscode-resource\.vscode-cdn\.net\//.test(file.url));
    await person.row(tasksView, prompt);
  });

  it("T15, P3: what else can be made of a task is chosen from its card, and a question that follows keeps the focus", async () => {
    const { person, window } = opened;
    const task = await submit("A mill in the rain");
    await succeeded(task);
    chat.send({ type: "task-card-action", task, action: "more" });
    await person.step("What should be done with this task?");
    const labels = person.pick.rows.map(({ label }) => label);
    for (const label of ["Make Video of This…", "Use as Reference for a New Task…", "Same with Other Model…"])
      assert.ok(labels.includes(label), labels.join(" | "));
    const asked = chat.page.ofType("focus-await").length;
    await person.choose("Make 4 Variants…");
    await window.until("the question", () =>
      window.widget.visible?.rows.some(({ label }) => label.includes("Submit 4 image tasks")),
    );
    assert.equal(chat.page.ofType("focus-await").length, asked);
    await person.escape();
    await person.closed();
    assert.equal(tasksOf(opened.inside, "A mill in the rain").length, 1);
  });

  it("A6, T8: a picture that the model draws is shown and goes into the workspace and into a document", async () => {
    const { window, person, folder } = opened;
    await window.openFile("notes.md");
    await person.select("lights");
    const { id: answer, blocks } = await chat.turn("Draw a red kite");
    const { block = -1 } = blocks.find(({ type }) => type === "media") ?? {};
    chat.send({ type: "media-request", answer, block });
    const media = await chat.until("the picture", ({ messages }) =>
      messages.find((message) => message.type === "media" && message.answer === answer),
    );
    assert.equal(media.type === "media" && media.picture?.mimeType, "image/png");
    chat.send({ type: "media-act", answer, block, action: "save-into-workspace" });
    await window.until("it is told", () =>
      window.messages.flashed.some((text) => text.includes("Saved as assets/draw-a-red-kite.png")),
    );
    const bytes = await readFile(path.join(folder, "assets/draw-a-red-kite.png"));
    assert.equal(bytes.toString("latin1", 1, 4), "PNG");
    chat.send({ type: "media-act", answer, block, action: "insert" });
    await person.step("Alt Text");
    await person.press("Enter");
    await window.until("the link", () => window.editors.active?.document.getText().includes("![Draw a red kite"));
  });

  it("T6: a task that is taken off the list leaves a calm card", async () => {
    const { person } = opened;
    const task = await submit("A buoy at noon");
    await succeeded(task);
    await person
      .inMenu(await person.row(tasksView, /A buoy at noon, succeeded|A buoy at noon/), "Remove from List")
      .ended();
    await cardOf(chat, task, ({ view }) => view === undefined);
  });

  it("P3, P4: after a reload the card is there with its picture, and leads to the page of the task", async () => {
    const task = await submit("A kite of paper");
    const { view: before } = await succeeded(task);
    opened = await opened.reload();
    chat = await openChat(opened.window);
    assert.ok(chat.entries.some((entry) => entry.type === "task" && entry.tasks.includes(task)));
    const { view } = await succeeded(task);
    assert.deepEqual([view?.state, view?.file], [before?.state, before?.file]);
    chat.send({ type: "task-card-action", task, action: "open-task" });
    await opened.window.until("the page of the task", () =>
      opened.window.webviews.panels.some(({ viewType, isActive }) => viewType === "sluice.task" && isActive),
    );
  });
});
