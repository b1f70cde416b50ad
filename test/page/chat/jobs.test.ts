/** Tasks and pictures in the transcript: cards that show what the host says of them, only while they are near the view. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { imageSizeOf } from "../../../src/domain/media/imageSize";
import { chatPageContract } from "../../../src/chat/contract/chatPageContract";
import { intentReader } from "../../../src/base/pageContract";
import { type PanelPage, readyStatus } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { job, jobStates, withJobs } from "./jobScenes";
import { answered, finished, progress, prompt, said, started } from "./scenes";

const readIntent = intentReader(chatPageContract);

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="teal"/></svg>',
);
/** One pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

function showOther(panel: PanelPage): Promise<void> {
  const chat = { id: "chat-2", entries: [], running: false };
  return panel.post({ type: "snapshot", revision: 0, snapshot: { chat, status: readyStatus } });
}

describe("chat panel, tasks and pictures", () => {
  const { open, composer, button } = usePanel();
  const withFiles = (): Promise<PanelPage> => open({ media: { "picture.svg": ["image/svg+xml", svg] } });
  const card = (panel: PanelPage, index: number): Locator => panel.page.locator(".task-card").nth(index);

  it("P1, T1: a card for each task asks for its state, shows it in words, and its buttons name the task", async () => {
    const panel = await withFiles();
    await panel.show(withJobs);
    assert.deepEqual((await panel.intent("task-cards-watch")).tasks, ["t1", "t2", "t3", "t4", "t5"]);
    assert.match(await card(panel, 0).innerText(), /^A lighthouse at dusk/, "before the host has answered");
    assert.equal(await panel.page.locator(".task-card .chip").count(), 0);
    await panel.post({ type: "task-cards", cards: jobStates });
    const running = await card(panel, 0).innerText();
    for (const words of ["processing", "video · demo-video · stale since 12:01 PM", "Reserved at 12:00 PM"])
      assert.ok(running.includes(words), words);
    await card(panel, 0).getByRole("button", { name: "Cancel…" }).click();
    assert.deepEqual(await panel.intent("task-card-action"), {
      type: "task-card-action",
      task: "t1",
      action: "cancel",
    });
    await card(panel, 2).getByRole("button", { name: "Ask Again What Became of It" }).click();
    assert.deepEqual(await panel.intent("task-card-action", 2), {
      type: "task-card-action",
      task: "t3",
      action: "reconcile",
    });
    await card(panel, 3).getByRole("button", { name: "Send Again" }).click();
    assert.deepEqual(await panel.intent("task-card-action", 3), {
      type: "task-card-action",
      task: "t4",
      action: "send-again",
    });
    assert.match(await card(panel, 4).innerText(), /This task is no longer on the list\./);
    assert.equal(await card(panel, 4).getByRole("button").count(), 0);
  });

  it("T15: results of tasks that were ordered together are compared from the chat, once two of them can be shown", async () => {
    const panel = await withFiles();
    const done = (id: string) => ({ id, view: { ...jobStates[1]!.view!, id } });
    await panel.show([job("j1", "A lighthouse", "t1", "t2", "t3")]);
    await panel.post({ type: "task-cards", cards: [jobStates[0], done("t2"), jobStates[2]] });
    await panel.until("document.querySelector('.task-card img') !== null");
    assert.equal(await button("Compare").count(), 0);
    await panel.post({ type: "task-cards", cards: [done("t3")] });
    await button("Compare").click();
    const intent = await panel.intent("task-cards-compare");
    assert.deepEqual(intent, { type: "task-cards-compare", tasks: ["t2", "t3"] });
    assert.ok(readIntent(intent));
    await panel.post({ type: "task-cards", cards: [{ id: "t2" }] });
    await button("Compare").waitFor({ state: "detached" });
  });

  it("T15: results of calls that followed each other in one answer are compared too", async () => {
    const panel = await withFiles();
    const done = (id: string) => ({ id, view: { ...jobStates[1]!.view!, id } });
    const action = { type: "call", name: "submit_task" } as const;
    const submitted = { state: "done", input: {}, action, result: "ok" } as const;
    await panel.show([
      ...prompt("p1", "Make two"),
      started("a1"),
      ...said("a1", { type: "tool-call-start", block: 0, call: "c1", name: "submit_task" }),
      ...said("a1", { type: "tool-call-start", block: 1, call: "c2", name: "submit_task" }),
      progress("a1", "c1", { ...submitted, tasks: ["t2"] }),
      progress("a1", "c2", { ...submitted, tasks: ["t3"] }),
    ]);
    await panel.post({ type: "task-cards", cards: [done("t2"), done("t3")] });
    await button("Compare").click();
    assert.deepEqual((await panel.intent("task-cards-compare")).tasks, ["t2", "t3"]);
  });

  it("P6, T1: where the focused button of a card goes with a change, the focus is on Open Task", async () => {
    const panel = await withFiles();
    await panel.show([job("j1", "A lighthouse", "t1")]);
    const [running, succeeded] = jobStates;
    await panel.post({ type: "task-cards", cards: [running] });
    await button("Cancel…").focus();
    await panel.post({ type: "task-cards", cards: [{ id: "t1", view: { ...succeeded!.view!, id: "t1" } }] });
    await button("Save into Workspace").waitFor();
    assert.equal(await panel.page.evaluate("document.activeElement.textContent.trim()"), "Open Task");
  });

  it("P6, T8: an end is said in a sentence and brings the picture, which no one has to load again", async () => {
    const panel = await withFiles();
    await panel.show([job("j1", "A lighthouse", "t2")]);
    const [, succeeded] = jobStates;
    const running = { ...succeeded!.view!, state: { name: "processing", tone: "running" }, file: undefined };
    await panel.post({
      type: "task-cards",
      cards: [{ id: "t2", view: JSON.parse(JSON.stringify(running)) as unknown }],
    });
    assert.equal(await panel.page.locator(".task-card img").count(), 0);
    await panel.post({ type: "task-cards", cards: [succeeded] });
    const said = await panel.page.locator("[aria-live=polite] div").last().textContent();
    assert.equal(said, succeeded!.view!.spoken);
    await panel.until("document.querySelector('.task-card img')?.naturalWidth === 640");
    const large = { ...succeeded!.view!, file: { kind: "other", name: "large.png", isTooLarge: true } };
    await panel.post({ type: "task-cards", cards: [{ id: "t2", view: large }] });
    await panel.page.locator(".task-card").getByText("Can't be shown: the picture is too large").waitFor();
    await panel.post({ type: "task-cards", cards: [succeeded] });
    await panel.until("document.querySelector('.task-card img')?.naturalWidth === 640");
    const requests: string[] = [];
    panel.page.on("request", (request) => requests.push(request.url()));
    await panel.events(...prompt("p2", "And now?"));
    assert.deepEqual(requests, []);
  });

  it("P2: a card that is far from the view is not watched from the next news on", async () => {
    const panel = await open();
    await panel.show([job("j1", "A lighthouse", "t1")]);
    await panel.intent("task-cards-watch");
    for (let turn = 0; turn < 12; turn += 1) {
      const ids = [`p${turn}`, `a${turn}`] as const;
      const long = Array.from({ length: 80 }, (_, line) => `line ${line}`).join("\n\n");
      panel.advance(
        ...prompt(ids[0], "more"),
        started(ids[1]),
        ...said(ids[1], { type: "text-delta", block: 0, text: long }),
        ...finished(ids[1]),
      );
    }
    panel.advance(job("j2", "A boat", "t2"));
    await panel.snapshot();
    await panel.until("document.querySelector('.row.task').matches('.far') && document.querySelector('.task-card')");
    await panel.post({ type: "task-cards", cards: jobStates.slice(1, 2) });
    await panel.until("posted.findLast(({ type }) => type === 'task-cards-watch').tasks.join() === 't2'");
  });

  it("P1: neither the 501st task nor an id that is too long keeps the other cards empty", async () => {
    const panel = await open();
    const tasks = Array.from({ length: 501 }, (_, at) => `t${at}`);
    await panel.events(job("j1", "a hill", ...tasks));
    const watch = await panel.intent("task-cards-watch");
    assert.ok(readIntent(watch));
    assert.deepEqual(watch.tasks, tasks.slice(1));
    await panel.events(job("j2", "a lake", "x".repeat(101), "good"));
    const second = await panel.intent("task-cards-watch", 2);
    assert.ok(readIntent(second));
    assert.deepEqual(second.tasks, [...tasks.slice(2), "good"]);
  });

  it("P1: a picture that the host did not answer for is asked for again when the page is shown, or its chat", async () => {
    const panel = await open();
    await panel.show(withJobs);
    await panel.intent("media-request", 2);
    await panel.post({ type: "media", answer: "a1", block: 2 });
    await panel.snapshot();
    const again = await panel.intent("media-request", 3);
    assert.deepEqual([again.answer, again.block], ["a1", 1]);
    await showOther(panel);
    await panel.snapshot();
    await panel.intent("media-request", 5);
    await panel.post({ type: "media", answer: "a1", block: 1, picture: { mimeType: "image/png", data: pixel } });
    await panel.until("document.querySelector('.row img')?.naturalWidth === 1");
    assert.equal((await panel.intents()).filter(({ type }) => type === "media-request").length, 5);
  });

  it("P2: the blob of a picture whose answer is gone is freed", async () => {
    const panel = await open();
    await panel.page.evaluate(
      "{ const free = URL.revokeObjectURL.bind(URL); globalThis.freed = []; URL.revokeObjectURL = (url) => { freed.push(url); free(url); }; }",
    );
    await panel.show(withJobs);
    await panel.post({ type: "media", answer: "a1", block: 1, picture: { mimeType: "image/png", data: pixel } });
    const url = await panel.page.locator(".row img").getAttribute("src");
    await panel.snapshot();
    assert.deepEqual(await panel.page.evaluate("freed"), []);
    await showOther(panel);
    assert.deepEqual(await panel.page.evaluate("freed"), [url]);
    // An answer for the chat of before comes to nothing.
    await panel.post({ type: "media", answer: "a1", block: 1, picture: { mimeType: "image/png", data: pixel } });
    await panel.snapshot();
    await panel.intent("media-request", 4);
  });

  it("P1: a call that submitted tasks shows their cards below it", async () => {
    const panel = await open();
    const action = { type: "call", name: "submit_task" } as const;
    await panel.show(answered);
    await panel.events(progress("a1", "c1", { state: "done", input: {}, action, result: "ok", tasks: ["t1"] }));
    assert.deepEqual((await panel.intent("task-cards-watch")).tasks, ["t1"]);
    await panel.post({ type: "task-cards", cards: jobStates.slice(0, 1) });
    assert.equal(await panel.page.locator(".row.answer .task-card .chip").innerText(), "processing");
  });

  it("A12, P5: an image in a result is shown below its call, asked for by its id and saved by it; that of a task is in the opened call", async () => {
    const panel = await open();
    await panel.show(answered);
    const [calling] = answered.flatMap((event) =>
      event.type === "answer-event" && event.event.type === "tool-call-start" ? [event.event.block] : [],
    );
    const size = { size: 70, width: 1, height: 1 };
    const image = { id: "f".repeat(64), mimeType: "image/png" as const, name: "docs/logo.png", ...size };
    const done = { state: "done", input: {}, result: "(PNG image)", images: [image] } as const;
    await panel.events(progress("a1", "c1", { ...done, action: { type: "read-file", path: image.name } }));
    const place = { answer: "a1", block: calling!, image: image.id };
    const asked = await panel.intent("media-request");
    assert.deepEqual(asked, { type: "media-request", ...place });
    assert.ok(readIntent(asked));
    await panel.post({ type: "media", ...place, picture: { mimeType: "image/png", data: pixel } });
    await panel.until("document.querySelector('.row img')?.naturalWidth === 1");
    assert.equal(await panel.page.locator(".row img").getAttribute("alt"), "docs/logo.png");
    assert.equal(await button("Save into Workspace").count(), 0, "the file is there already");
    await button("Insert Link").click();
    const act = await panel.intent("media-act");
    assert.deepEqual(act, { type: "media-act", ...place, action: "insert" });
    assert.ok(readIntent(act));
    await panel.events(progress("a1", "c1", { ...done, action: { type: "get-task", prompt: "a lake" } }));
    await panel.until("document.querySelector('.tool-content img') !== null");
  });

  it("A12: the page scales an image for the host in any type that a browser reads, and says what it can't", async () => {
    const panel = await open();
    await panel.show(answered);
    const drawn = await panel.page.evaluate(
      `(async () => {
        const canvas = new OffscreenCanvas(400, 100);
        const context = canvas.getContext("2d");
        context.fillStyle = "teal";
        context.fillRect(0, 0, 400, 100);
        const read = async (type) => {
          const bytes = new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
          return btoa(String.fromCharCode(...bytes));
        };
        return Promise.all(["image/png", "image/jpeg", "image/webp"].map(read));
      })()`,
    );
    const sources = [...(drawn as readonly string[]), Buffer.from("<svg/>").toString("base64")];
    for (const [key, data] of sources.entries()) {
      await panel.post({ type: "image-scale", key, data, side: 40 });
      const answer = await panel.intent("image-scaled", key + 1);
      assert.ok(readIntent(answer));
      assert.equal(answer.key, key);
      const bytes = answer.data === undefined ? undefined : Buffer.from(answer.data, "base64");
      assert.deepEqual(
        bytes && imageSizeOf(bytes, "image/png"),
        key === sources.length - 1 ? undefined : { width: 40, height: 10 },
      );
    }
  });

  it("T1, P1: the text goes to the host as a task and stays until that is on disk; edited meanwhile it stays for good", async () => {
    const panel = await open();
    await composer().fill("A lighthouse");
    await button("Submit as Task…").click();
    assert.equal((await panel.intent("task-submit")).text, "A lighthouse");
    assert.equal(await composer().inputValue(), "A lighthouse");
    await button("Submit as Task…").click();
    await panel.intent("task-submit", 2);
    await panel.post({ type: "composer-clear", chat: "chat-1", text: "A lighthouse" });
    assert.equal(await composer().inputValue(), "");
    await composer().fill("Another one");
    await panel.post({ type: "composer-clear", chat: "chat-1", text: "A lighthouse" });
    assert.equal(await composer().inputValue(), "Another one");
  });

  it("P2, P5: a picture is asked for once, shown as a blob, saved and copied; what is no picture is a line that can be saved", async () => {
    const panel = await open();
    await panel.show(withJobs);
    await panel.intent("media-request", 2);
    await panel.post({ type: "media", answer: "a1", block: 1, picture: { mimeType: "image/png", data: pixel } });
    await panel.post({ type: "media", answer: "a1", block: 2 });
    await panel.until("document.querySelector('.row img')?.naturalWidth === 1");
    assert.match((await panel.page.locator(".row img").getAttribute("src"))!, /^blob:/);
    assert.match(await panel.page.locator(".row.answer").innerText(), /Attachment \(audio\/wav\)/);
    await panel.snapshot();
    await panel.page.reload();
    await panel.snapshot();
    await panel.intent("media-request", 2);
    await panel.post({ type: "media", answer: "a1", block: 1, picture: { mimeType: "image/png", data: pixel } });
    await button("Insert Link").click();
    const act = { type: "media-act", answer: "a1", block: 1, action: "insert" };
    assert.deepEqual(await panel.intent("media-act"), act);
    await button("Copy").click();
    await panel.until("document.querySelector('[aria-live=polite]').textContent.includes('Copied')");
    const types = await panel.page.evaluate("navigator.clipboard.read().then(([item]) => item.types)");
    assert.deepEqual(types, ["image/png"]);
    assert.equal((await panel.intents()).filter(({ type }) => type === "media-request").length, 2);
  });
});
