/** From the composer to a task and its card in the chat, also after a reload; and a picture that the model draws, into the workspace. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type ChatPage, cardOf, openChat } from "../../support/fakeVscode/chatPage";
import { FormPage } from "../../support/fakeVscode/formPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { WaitingClock } from "../../support/fakeVscode/waitingClock";
import { tasksOf, tasksView } from "../../support/submitSteps";

describe("tasks and pictures in the chat", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  before(async () => {
    // The limit of a thumbnail takes its time.
    const clock = new WaitingClock(Date.now(), { longestPause: 4000 });
    opened = await openWindow({ files: { "notes.md": "A page about lights\n" }, clock });
    chat = await openChat(opened.window);
  });
  after(closeWindows);

  /** Opens the form with the text of the composer. */
  const openForm = async (prompt: string): Promise<FormPage> => {
    chat.send({ type: "task-submit", text: prompt });
    const form = await FormPage.shown(opened);
    await form.until("the prompt", ({ fields }) => fields.prompt === prompt);
    return form;
  };
  /** Submits it from the composer as an image; resolves with the id of its task, which the chat has then. */
  const submit = async (prompt: string): Promise<string> => {
    const form = await openForm(prompt);
    await form.submit(form.fill(prompt));
    const entry = await chat.until("the chat has the task", ({ entries }) =>
      entries.find((one) => one.type === "task" && one.text === prompt),
    );
    return (entry.type === "task" && entry.tasks[0]) || "";
  };
  /** A result is on record a moment before its thumbnail. */
  const succeeded = (task: string) =>
    cardOf(chat, task, ({ view }) => view?.file?.kind === "image" && view.file.thumbnail !== undefined);

  it("T1, T2, T15: the composer opens the form with its text, which stays there until a task is submitted; a form that is closed belongs to no chat", async () => {
    const { window, inside } = opened;
    const prompt = "A weather vane above the fog";
    chat.draft = prompt;
    const { page } = await openForm(prompt);
    page.close();
    const form = await FormPage.open(opened);
    assert.equal(form.state.fields.prompt, prompt, "the form keeps it");
    await form.submit(form.fill("A gate in the fog"));
    assert.equal(tasksOf(inside, "A gate in the fog").length, 1);
    assert.deepEqual([chat.draft, chat.entries], [prompt, []]);
    // With an empty composer the form stays as it was left, and its next task is the chat's.
    chat.send({ type: "task-submit", text: "" });
    await window.settled();
    assert.equal(form.state.fields.prompt, "A gate in the fog");
    await form.submit(form.fill("A gate in the sun"));
    await chat.until("the chat has the task", ({ entries }) => entries.some(({ type }) => type === "task"));
    await form.submit(form.fill("A gate at night"));
    await window.settled();
    assert.equal(chat.entries.length, 1, "one submission is the chat's");
    chat.draft = "";
    await opened.person.palette("Sluice: New Chat").ended();
  });

  it("T15: the same text once more keeps what was added to it in the form", async () => {
    const prompt = "A weather vane in the rain";
    const form = await openForm(prompt);
    const changed = form.fill(prompt, { seed: "7" });
    await form.until("a seed", ({ fields }) => fields.seed === "7");
    chat.send({ type: "task-submit", text: prompt });
    await form.until("it is filled in anew", ({ fields }) => fields.seed === "");
    form.send({ type: "earlier-restore" });
    await form.until("as it was left", ({ fields }) => fields.seed === "7");
    assert.deepEqual(form.state.fields, changed);
    form.page.close();
  });

  it("P1, T1, T8: the composer's text becomes a task; its card has its state, its money and its picture, from this machine alone", async () => {
    const { person, inside } = opened;
    const prompt = "A weather vane above the roofs";
    chat.draft = prompt;
    const form = await openForm(prompt);
    assert.deepEqual([chat.draft, tasksOf(inside, prompt).length], [prompt, 0], "nothing is accepted yet");
    await form.submit(form.fill(prompt));
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

  it("T1, T15: a form that is closed right after Submit is still the chat's: its task comes into the chat, and the composer is empty", async () => {
    const prompt = "A weather vane above the snow";
    chat.draft = prompt;
    const form = await openForm(prompt);
    form.send(form.submission(form.fill(prompt)));
    await form.until("Submit was pressed", ({ isSubmitting }) => isSubmitting);
    form.page.close();
    await chat.until("the chat has the task", ({ entries }) =>
      entries.some((entry) => entry.type === "task" && entry.text === prompt),
    );
    assert.equal(chat.draft, "");
    const again = await FormPage.open(opened);
    await again.until("it can be filled in anew", ({ isSubmitting }) => !isSubmitting);
  });

  it("T15, T20: what is rehearsed from the composer and made real in the form is the chat's, both times", async () => {
    const { window, inside } = opened;
    const prompt = "A weather vane above the ice";
    const form = await openForm(prompt);
    form.send({ ...form.submission(form.fill(prompt)), isRehearsal: true });
    await form.until("Make It Real", ({ submitted }) => submitted?.canMakeReal === true);
    form.send({ type: "submitted-make-real" });
    const question = await window.until("the question", () => window.messages.shown.find(({ isModal }) => isModal));
    question.answer("Make It Real");
    await chat.until("the chat has both", ({ entries }) => {
      const ids = entries.flatMap((entry) => (entry.type === "task" && entry.text === prompt ? entry.tasks : []));
      return ids.length === 2 && tasksOf(inside, prompt).every(({ intent }) => ids.includes(intent.id));
    });
    // The page may not have been told of the submission yet, so its end is told by what was submitted.
    await form.until(
      "it can be filled in anew",
      ({ isSubmitting, submitted }) => !isSubmitting && !submitted?.canMakeReal,
    );
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
    const files = (): Promise<readonly string[]> => readdir(path.join(folder, "assets"));
    const before = await files();
    chat.send({ type: "media-act", answer, block, action: "insert" });
    await person.step("Alt Text");
    assert.deepEqual(await files(), before, "nothing is saved before the question is answered");
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
