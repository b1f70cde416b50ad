/** The text that stands for a picture: by sight at a click only, shown before it is written; without sight the prompt, which is said to be one (T20). */
import assert from "node:assert/strict";
import { symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { placeResult } from "../../support/fakeVscode/placedResults";
import { tasksView } from "../../support/submitSteps";
import { pngOf } from "../../support/testImages";

const prompt = "Poster of a lighthouse";
const box = "Alt Text";

/** *Insert Link* of the placed result, up to the question. */
async function insert({ person }: OpenedWindow): Promise<{ ended(): Promise<unknown> }> {
  const saving = person.inMenu(await person.row(tasksView, prompt), "Save Result…");
  await person.choose("Insert Link");
  await person.step(box);
  return saving;
}

async function pressEye({ window, person }: OpenedWindow): Promise<void> {
  await window.until("the button", () => (person.pick.state.buttons ?? []).length > 0);
  await person.pressButton("Have see-1 describe the picture");
}

async function openProject(opened: OpenedWindow): Promise<void> {
  await opened.window.showView(tasksView);
  await placeResult(opened, { name: "pier.png", prompt, savedInto: "img/pier.png" });
}

const files = {
  "other.md":
    "![](linked.png)\n![](away/outside.png)\n![](huge.png)\n![](gone.png)\n![](../outside.png)\n![](https://a.example/b.png)\n![x](img/pier.png)\n",
  "page.md": "here\n",
  "quoted.html": `<img src='img/pier.png' alt=''>\n<script>x = '<img src="img/pier.png" alt="">'</script>\n`,
  "index.html": '<p>\n<img src="img/pier.png"\n alt="">\n',
};

describe("alt text", () => {
  let gateway: TestServer;
  let opened: OpenedWindow;
  /** Of the requests to the model. */
  const bodies: string[] = [];
  let answer: "sentence" | "refusal" | "nothing" = "sentence";
  let sentence = "A white lighthouse [on] a <rock>.";
  let isGone: Promise<unknown> = Promise.resolve();
  before("open a window on a gateway with a model that takes pictures", async () => {
    gateway = await serve((response, { url, body }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) return response.end(JSON.stringify({ data: [{ id: "see-1" }] }));
      if (!url.endsWith("/chat/completions")) return response.writeHead(404).end("{}");
      bodies.push(body.toString());
      isGone = new Promise((resolve) => response.once("close", resolve));
      if (answer === "refusal") return response.writeHead(400).end(JSON.stringify({ error: { message: "no images" } }));
      response.setHeader("content-type", "text/event-stream");
      response.flushHeaders();
      if (answer === "nothing") return undefined;
      const delta = { content: sentence };
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: "stop" }] })}\n\n`);
      const usage = { prompt_tokens: 800, completion_tokens: 12, total_tokens: 812 };
      return response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
    });
    opened = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: "sk-canary-journey" }, { files });
    await openProject(opened);
    await opened.window.until("the models", () => opened.inside.app.models.modelOf({})?.id === "see-1");
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  it("T20: Insert Link proposes the prompt and sends nothing; the button has the model look, and Enter writes what is seen", async () => {
    const { window, person } = opened;
    const editor = await window.openFile("page.md");
    await person.select("here");
    const inserting = await insert(opened);
    assert.equal(person.pick.value, prompt);
    assert.equal(person.pick.state.prompt, "This is the prompt, not what can be seen.");
    assert.deepEqual(bodies, []);
    await pressEye(opened);
    await window.until("the sentence", () => person.pick.value === "A white lighthouse [on] a <rock>.");
    assert.equal(person.pick.state.prompt, "see-1 looked at the picture: 800 tokens in, 12 out");
    assert.equal(bodies.length, 1);
    assert.match(bodies[0] ?? "", /data:image\/png;base64,/);
    assert.equal(editor.document.getText(), "here\n", "nothing is written before it is accepted");
    await person.press("Enter");
    await inserting.ended();
    assert.equal(editor.document.getText(), "![A white lighthouse \\[on\\] a \\<rock\\>.](img/pier.png)\n");
  });

  it("T20: Esc inserts nothing, and ends the request", async () => {
    const { window, person } = opened;
    const before = bodies.length;
    answer = "nothing";
    await window.openFile("page.md");
    const inserting = await insert(opened);
    await pressEye(opened);
    await window.until("the request", () => bodies.length > before);
    await person.escape();
    await inserting.ended();
    await window.during("the request ends", isGone);
    assert.deepEqual(window.messages.shown, []);
  });

  it("T20: a request that fails says why, and leaves the prompt", async () => {
    const { window, person } = opened;
    answer = "refusal";
    await window.openFile("page.md");
    const inserting = await insert(opened);
    await pressEye(opened);
    await window.until("why", () => (person.pick.state.prompt ?? "").length > 45 && person.pick.state.busy === false);
    assert.match(person.pick.state.prompt ?? "", /^This is the prompt, not what can be seen\. /);
    assert.equal(person.pick.value, prompt);
    await person.escape();
    await inserting.ended();
  });

  it("T20: the quick fix on an empty text has the model look at once; the text is escaped for its markup", async () => {
    const { window, person } = opened;
    answer = "sentence";
    const editor = await window.openFile("index.html");
    await person.select('alt=""');
    const actions = await window.languages.actions(editor.document, editor.selection);
    const action = actions.find(({ title }) => title === "Describe the Picture…");
    assert.ok(action && "kind" in action && action.command);
    const { command, arguments: args = [] } = action.command;
    const fixing = person.start(command, ...(args as unknown[]));
    await person.step(box);
    await window.until("the sentence", () => person.pick.value.startsWith("A white"));
    await person.press("Enter");
    await fixing.ended();
    assert.match(editor.document.getText(), / alt="A white lighthouse \[on\] a &lt;rock&gt;\.">/);
    const left = await window.languages.actions(editor.document, editor.selection);
    assert.ok(left.every(({ title }) => title !== "Describe the Picture…"));
  });

  it("T20: what the model read in the picture ends neither the attribute nor the text of a program around it", async () => {
    const { window, person } = opened;
    sentence = "A dog' onload='alert(1)";
    const editor = await window.openFile("quoted.html");
    for (const quoted of ["alt=''", 'alt=""']) {
      await person.select(quoted);
      const actions = await window.languages.actions(editor.document, editor.selection);
      const action = actions.find(({ title }) => title === "Describe the Picture…");
      assert.ok(action && "kind" in action && action.command);
      const { command, arguments: args = [] } = action.command;
      const fixing = person.start(command, ...(args as unknown[]));
      await person.step(box);
      await window.until("the sentence", () => person.pick.value === sentence);
      await person.press("Enter");
      await fixing.ended();
    }
    const text = "A dog&#39; onload=&#39;alert(1)";
    assert.equal(
      editor.document.getText(),
      `<img src='img/pier.png' alt='${text}'>\n<script>x = '<img src="img/pier.png" alt="${text}">'</script>\n`,
    );
  });

  it("T20: no quick fix for a picture that is not there, is elsewhere, or has a text", async () => {
    const { window, person, folder } = opened;
    await writeFile(path.join(folder, "..", "outside.png"), await pngOf(1, 1));
    await symlink(path.join("..", "outside.png"), path.join(folder, "linked.png"));
    await symlink("..", path.join(folder, "away"));
    await writeFile(path.join(folder, "huge.png"), await pngOf(1, 1));
    await truncate(path.join(folder, "huge.png"), 8 * 1024 ** 3);
    const editor = await window.openFile("other.md");
    for (const text of ["linked", "away", "huge", "gone", "../outside", "https", "pier"]) {
      await person.select(text);
      const actions = await window.languages.actions(editor.document, editor.selection);
      assert.ok(
        actions.every(({ title }) => title !== "Describe the Picture…"),
        text,
      );
    }
  });
});

describe("alt text without sight", () => {
  after(closeWindows);

  it("T20: the demo model looks at nothing: the prompt is proposed and said to be one", async () => {
    const opened = await openWindow({ files });
    await openProject(opened);
    const { window, person, inside } = opened;
    await window.until("the models", () => inside.app.models.modelOf({}) !== undefined);
    const editor = await window.openFile("page.md");
    await person.select("here");
    const inserting = await insert(opened);
    const { state } = await person.step(/^This is the prompt, not what can be seen\. \S+ can't look at pictures\.$/);
    assert.deepEqual(state.buttons ?? [], []);
    await person.press("Enter");
    await inserting.ended();
    assert.equal(editor.document.getText(), `![${prompt}](img/pier.png)\n`);
  });
});
