/** The form for media: submitted once for each button that was shown, within the caps, and as it was left when it is closed. */
import assert from "node:assert/strict";
import type { MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import type { TaskIntent } from "../../../src/domain/task/task";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { FormPage } from "../../support/fakeVscode/formPage";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { Uri } from "../../support/fakeVscode/positions";
import { tasksOf } from "../../support/submitSteps";
import { pngOf } from "../../support/testImages";

const base64 = async (width: number, height: number): Promise<string> =>
  (await pngOf(width, height)).toString("base64");
/** One picture is taken, and another one is refused with that in its sentence. */
const isJudged =
  (refused: string) =>
  ({ refusals, references }: MediaFormSnapshot): boolean =>
    references.length === 1 && refusals.some((sentence) => sentence.includes(refused));

describe("the form for media", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow();
  });
  after(closeWindows);
  const intentsOf = (prompt: string): readonly TaskIntent[] =>
    tasksOf(opened.inside, prompt).map(({ intent }) => intent);

  it("T1, T15: a second message about the same button, during the first or after it, pays nothing more; the results can be chosen as references", async () => {
    const { window, person } = opened;
    const prompt = "a pier twice";
    const form = await FormPage.open(opened);
    const fields = form.fill(prompt, { count: 2 });
    await form.until("it is filled", (state) => state.fields.prompt === prompt);
    const first = form.submission(fields);
    form.send(first, first, { ...first, attempt: first.attempt + 1 });
    await form.until("the button is ready", ({ submitted, isSubmitting }) => submitted?.count === 2 && !isSubmitting);
    form.send(first);
    await window.settled();
    const intents = intentsOf(prompt);
    assert.equal(intents.length, 2);
    assert.ok(intents[0]?.batch !== undefined && intents[0].batch === intents[1]?.batch);
    assert.equal(form.state.fields.prompt, prompt);
    assert.equal(form.state.sameAt, undefined);
    await form.until("both arrive", ({ submitted }) => submitted?.succeeded === 2);
    form.send({ type: "submitted-open" });
    await window.until("its batch", () => window.webviews.panels.some(({ viewType }) => viewType === "sluice.gallery"));

    // The button of the next attempt is another one.
    await FormPage.open(opened);
    await form.submit({ ...fields, count: 1 });
    assert.equal(intentsOf(prompt).length, 3);
    await form.until("it arrives", ({ submitted }) => submitted?.succeeded === 1);
    const next = "a pier of another draft";
    form.fill(next);
    await form.until("the next draft", (state) => state.fields.prompt === next);
    assert.equal(form.state.submitted, undefined, "the outcome of the former draft does not stand over it");

    // A small picture of the newest one, as it is made once its result is fetched.
    const { app } = opened.inside;
    const [newest] = intentsOf(prompt).slice(-1);
    assert.ok(newest);
    const file = await window.during("its file", app.saveResult(newest.id));
    const saved = { mimeType: "image/png", size: 1, icon: file };
    await app.board.writeThenApply({ type: "task-saved", id: newest.id, path: file, at: Date.now(), saved });
    form.send({ type: "references-choose", from: "results" });
    await person.step("Result that becomes a reference image");
    assert.equal(person.pick.rows.length, 3);
    const icon = person.pick.rows[0]?.iconPath;
    assert.ok(icon instanceof Uri);
    assert.equal(icon.fsPath, file);
    await person.press("Enter");
    await form.until("it is one", ({ references }) => references.length === 1);
    form.send({ type: "form-clear" });
    await form.until("it is cleared", ({ canRestore }) => canRestore);
  });

  it("T1, T15: a yes for another gateway or account, and wrong fields, submit nothing; the form says why", async () => {
    const form = await FormPage.open(opened);
    const fields = form.fill("a pier elsewhere");
    await form.until("it is filled", (state) => state.fields.prompt === fields.prompt);
    form.send({ ...form.submission(fields), target: "https://elsewhere.example x" });
    const { problem } = await form.until("why", (state) => state.problem !== undefined && !state.isSubmitting);
    assert.match(problem?.text ?? "", /gateway/i);
    await form.submit({ ...fields, seed: "x" });
    assert.deepEqual(intentsOf("a pier elsewhere"), []);
  });

  it("T1, T10, T15: where the intents could not be written, nothing was sent, the words stay, and the button is ready", async () => {
    const { window } = opened;
    const form = await FormPage.open(opened);
    const { attempt } = form.state;
    window.configuration.set("sluice.caps.tasksPerDay", 1);
    const shown = await form.submit(form.fill("a pier beyond the cap", { count: 2 }));
    assert.ok(shown.problem);
    assert.deepEqual([shown.submitted, shown.attempt], [undefined, attempt + 1]);
    assert.equal(shown.fields.prompt, "a pier beyond the cap");
    assert.deepEqual(intentsOf("a pier beyond the cap"), []);
    assert.ok(
      !window.messages.history.some((text) => text.includes("cap")),
      "said in the form, not once more in a message",
    );
    window.configuration.set("sluice.caps.tasksPerDay", undefined);
  });

  it("T1, T15: what is written in the form after the yes is not what is paid, and Clear waits", async () => {
    const form = await FormPage.open(opened);
    const fields = form.fill("a pier as it was shown");
    await form.until("it is filled", (state) => state.fields.prompt === fields.prompt);
    const { attempt } = form.state;
    form.send(form.submission(fields));
    form.fill("a pier for the next one", { count: 4 });
    form.send({ type: "form-clear" });
    const after = await form.until("the button is ready", (state) => state.attempt > attempt && !state.isSubmitting);
    assert.equal(intentsOf("a pier as it was shown").length, 1);
    assert.equal(intentsOf("a pier for the next one").length, 0);
    assert.deepEqual([after.fields.prompt, after.fields.count], ["a pier for the next one", 4]);
  });

  it("T15, R6: an address that VS Code can't read is refused, and the form goes on; a second Clear keeps the undo of the first", async () => {
    const form = await FormPage.open(opened);
    form.send({ type: "references-add", uris: ["file:////server/pier.png"] });
    form.send({ type: "picture-add", name: "a.png", data: await base64(3, 3) });
    await form.until("both are judged", isJudged(""));
    form.fill("a pier that is cleared");
    form.send({ type: "form-clear" }, { type: "form-clear" }, { type: "form-restore" });
    const restored = await form.until("it is restored", ({ fields }) => fields.prompt === "a pier that is cleared");
    assert.equal(restored.references.length, 1);
    form.send({ type: "picture-add", name: "b.png", data: await base64(4, 4) }, { type: "form-clear" });
    // Judged behind it.
    form.send({ type: "picture-add", name: "c.png", data: "AAAA" });
    const cleared = await form.until("the last one is judged", ({ refusals }) =>
      refusals.some((sentence) => sentence.startsWith("c.png")),
    );
    assert.deepEqual([cleared.references.length, cleared.canRestore], [0, true], "one that comes after Clear");
  });

  it("T15: pictures are judged by their bytes and sent with the task; Clear can be undone; closed, and after a reload, the form is as it was left", async () => {
    const form = await FormPage.open(opened);
    const data = await base64(6, 4);
    form.send({ type: "picture-add", name: "a.png", data }, { type: "picture-add", name: "b.png", data: "AAAA" });
    await form.until("both are judged", isJudged("b.png is no image"));
    const fields = form.fill("a pier like this", { seed: "12", count: 2 });
    const before = await form.until("it is filled", (state) => state.fields.prompt === fields.prompt);
    assert.match(before.references[0]?.url ?? "", /\.png$/);
    form.send({ type: "form-clear" });
    await form.until("it is cleared", ({ references, canRestore }) => references.length === 0 && canRestore);
    form.send({ type: "form-restore" });
    await form.until("it is restored", ({ references }) => references.length === 1);
    const { tab } = form.page;
    assert.ok(tab);
    opened.window.editors.close([tab]);
    const again = await FormPage.open(opened);
    assert.deepEqual(again.state.fields, fields);

    opened = await opened.reload();
    const loaded = await FormPage.shown(opened);
    assert.deepEqual(loaded.state.fields, fields);
    assert.deepEqual(loaded.state.references, before.references);
    await loaded.submit({ ...fields, count: 1 });
    const [intent] = intentsOf("a pier like this");
    assert.ok(intent);
    const body = (await opened.inside.app.board.readBody(intent.id)) ?? "";
    assert.ok(body.includes(`data:image/png;base64,${data}`));
    loaded.fill("a pier twice");
    const { sameAt } = await loaded.until("the same of before", (state) => state.sameAt !== undefined);
    assert.ok(sameAt, "after a reload the form says that the same was submitted");
  });
});

describe("the form for media at a gateway that refuses", () => {
  let gateway: TestServer;
  let opened: OpenedWindow;
  /** Answers the request for a task. */
  let refuse: (() => void) | undefined;
  before(async () => {
    gateway = await serve((response, { url, method }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) {
        const data = [{ id: "demo-image", capabilities: { task_types: ["async_image"] } }];
        response.end(JSON.stringify({ data }));
      } else if (method === "POST") {
        const error = { code: "invalid_parameter", message: "No piers today." };
        refuse = () => response.writeHead(400).end(JSON.stringify({ error }));
      } else response.writeHead(404).end("{}");
    });
    opened = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: "sk-canary-journey" });
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  it("T15: what the gateway refuses is said in the form with its button, and in a message only while no page shows the form", async () => {
    const { window, person } = opened;
    const refusal = "No piers today";
    const outbox = await opened.inside.app.openOutbox();
    const send: typeof outbox.send = outbox.send.bind(outbox);
    let sending: Promise<void> | undefined;
    // What the outcome leads to comes behind it.
    outbox.send = (...given) => (sending = send(...given));
    const messages = (): number => window.messages.history.filter((text) => text.includes(refusal)).length;
    const submit = async (form: FormPage, prompt: string): Promise<void> => {
      refuse = undefined;
      const fields = form.fill(prompt);
      await form.until("it is filled", (state) => state.fields.prompt === prompt);
      form.send(form.submission(fields));
    };
    const form = await FormPage.open(opened);
    await submit(form, "a pier that is refused");
    await window.until("it is sent", () => refuse);
    refuse?.();
    const { problem } = await form.until("the refusal", (state) => state.problem?.text.includes(refusal) === true);
    assert.equal(problem?.actions.length, 1);
    await form.until("the button is ready", ({ isSubmitting }) => !isSubmitting);
    assert.ok(sending);
    await window.during("it is sent", sending);
    await window.settled();
    assert.equal(messages(), 0);

    await submit(form, "a pier that is refused once more");
    await window.until("it is sent", () => refuse);
    const { tab } = form.page;
    assert.ok(tab);
    window.editors.close([tab]);
    await window.settled();
    refuse?.();
    const message = await person.message(refusal);
    assert.equal(messages(), 1);
    const again = await FormPage.open(opened);
    assert.equal(again.state.problem?.text, message.text);
    assert.equal(again.state.problem.actions[0], message.actions[0]);
  });
});
