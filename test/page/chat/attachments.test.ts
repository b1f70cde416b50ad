/** Files that are attached to a prompt: by the host, by `#`, as chips, and in the transcript. */
import assert from "node:assert/strict";
import { choosePromptFile, drawn, fileItem } from "./attachingScenes";
import type { PanelPage } from "../support/panelPage";
import { takePicture } from "../support/pictures";
import { usePanel } from "../support/panelSuite";
import type { ContextItem } from "../../../src/chat/contract/chatPageContract";
import { asking } from "./modeScenes";
import { answered, ended, started } from "./scenes";

describe("chat panel, attachments", () => {
  const { open, composer, button } = usePanel();

  it("P1, P6: # lists files, arrows and Enter choose one, it becomes a chip, and is sent with the prompt", async () => {
    const panel = await open();
    await composer().pressSequentially("Explain #ap");
    assert.equal((await panel.intent("context-find", 3)).query, "ap");
    await panel.post({ type: "context-found", query: "a", items: [fileItem("late.ts")] });
    assert.equal(await panel.page.getByRole("option").count(), 0, "an answer to an older text");
    await panel.post({ type: "context-found", query: "ap", items: [fileItem("src/app.ts"), fileItem("src/map.ts")] });
    assert.deepEqual(await panel.page.getByRole("option").allInnerTexts(), ["app.ts\nsrc", "map.ts\nsrc"]);
    await composer().press("ArrowDown");
    const active = await composer().getAttribute("aria-activedescendant");
    assert.equal(await panel.page.locator("[aria-selected=true]").getAttribute("id"), active);
    await composer().press("Enter");
    assert.equal(await panel.page.getByRole("option").count(), 0);
    assert.equal(await composer().inputValue(), "Explain ");
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), ["src/map.ts"]);
    await composer().press("Enter");
    const sent = await panel.intent("prompt-submit");
    const references = [{ path: "src/map.ts" }];
    assert.deepEqual(sent, { type: "prompt-submit", chat: "chat-1", text: "Explain ", references });
    await panel.events({
      type: "prompt-added",
      id: "p1",
      text: "Explain ",
      at: 0,
      references: [{ path: "src/map.ts" }],
    });
    assert.equal(await panel.page.locator(".file-chip").count(), 0);
  });

  it("P1: Escape closes the list and leaves the text; # in the middle of a word is no question", async () => {
    const panel = await open();
    await composer().pressSequentially("#x");
    await panel.post({ type: "context-found", query: "x", items: [fileItem("x.ts")] });
    await composer().press("Escape");
    assert.equal(await panel.page.getByRole("option").count(), 0);
    assert.equal(await composer().inputValue(), "#x");
    await composer().fill("C#x");
    assert.ok(
      !(await panel.intents()).some(
        (intent) => intent.type === "context-find" && intent.query !== "" && intent.query !== "x",
      ),
    );
  });

  it("P1: the host attaches lines of a file once; the chip is removed by keyboard, and kept over a reload", async () => {
    const panel = await open();
    const reference = { path: "src/app.ts", lines: { first: 3, last: 9 } };
    await panel.post({ type: "reference-add", chat: "chat-1", reference });
    await panel.post({ type: "reference-add", chat: "chat-1", reference });
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), ["src/app.ts:3-9"]);
    await panel.page.reload();
    await panel.snapshot();
    await button("Remove src/app.ts:3-9").press("Enter");
    assert.equal(await panel.page.locator(".file-chip").count(), 0);
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
  });

  it("P1, P6, A13: an attachment that arrives late leaves the keyboard in the field in which the person types", async () => {
    const panel = await open();
    await panel.events(...asking);
    const field = panel.page.getByRole("textbox", { name: "Another answer" });
    await field.pressSequentially("Version ");
    const image = { id: "d".repeat(64), mimeType: "image/png" as const, size: 2048 };
    await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "late.ts" } });
    await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "late.png", image } });
    await panel.page.keyboard.type("1");
    await panel.post({ type: "picture-origin", id: image.id, prompt: "a lighthouse", hasSeed: true });
    await panel.page.keyboard.type("6");
    assert.equal(await field.inputValue(), "Version 16");
    assert.equal(await panel.page.locator(".file-chip").count(), 2);
    await panel.page.locator(".question-choice").first().focus();
    await panel.post({ type: "picture-origin", id: image.id, prompt: "a pier", hasSeed: true });
    assert.equal(await panel.page.evaluate("document.activeElement.localName"), "button");
    await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "later.ts" } });
    assert.equal(await panel.page.evaluate("document.activeElement.ariaLabel"), "Prompt");
    assert.ok(!(await panel.intents()).some(({ type }) => type === "question-answer"));
  });

  it("P1: a sent attachment is folded above its message and says what the model got of it", async () => {
    const panel = await open();
    const references = [{ path: "long.ts" }, { path: ".env" }];
    await panel.events(
      { type: "prompt-added", id: "p1", text: "Look.", at: 0, references },
      { type: "turn-started" },
      {
        type: "attachments-read",
        id: "p1",
        attachments: [
          { type: "text", path: "long.ts", text: "const a = 1;", cutFrom: 250_000 },
          { type: "unread", path: ".env", reason: "The person did not send .env." },
        ],
      },
      started("a1"),
      ...ended("a1"),
    );
    const rows = panel.page.locator(".user summary");
    assert.deepEqual(await rows.allInnerTexts(), ["long.ts\nthe first 12 of 250,000 characters", ".env\nnot sent"]);
    await rows.first().press("Enter");
    assert.equal(await panel.page.locator(".user pre").first().innerText(), "const a = 1;");
  });

  it("A9, P1: a chip for each of the chat's instructions opens it, takes it out or lets it in", async () => {
    const panel = await open();
    const roots = [{ name: "app", path: "/work/app", entries: [] }];
    const nested = "packages/a/folder/with/a/long/name/AGENTS.md";
    const instructions = ["", "AGENTS.md"].map((path) => ({ path, text: "" }));
    const environment = { system: "Linux", shell: "/bin/sh", day: "2026-11-24", roots, instructions };
    await panel.events(
      { type: "environment-read", environment: { ...environment, offered: ["CLAUDE.md"] } },
      { type: "instructions-added", instructions: { path: nested, text: "" } },
    );
    const chips = panel.page.locator(".instructions .file-chip");
    await panel.until("document.querySelectorAll('.instructions .file-chip').length === 4");
    const labels = ["Your instructions", "AGENTS.md", nested, "CLAUDE.md\n· not used\nUse"];
    assert.deepEqual(await chips.allInnerTexts(), labels);
    await takePicture(panel.page, "instructions");
    await button("AGENTS.md").click();
    assert.deepEqual(await panel.intent("instructions-open"), { type: "instructions-open", path: "AGENTS.md" });
    await button("Take AGENTS.md out of this chat").click();
    assert.deepEqual(await panel.intent("instructions-remove"), { type: "instructions-remove", path: "AGENTS.md" });
    await panel.events({ type: "instructions-removed", path: "AGENTS.md" });
    await button("Use").click();
    assert.deepEqual(await panel.intent("instructions-allow"), { type: "instructions-allow", path: "CLAUDE.md" });
    await panel.events({ type: "instructions-added", instructions: { path: "CLAUDE.md", text: "" } });
    await panel.until("document.querySelectorAll('.instructions .offered').length === 0");
    assert.deepEqual(await chips.allInnerTexts(), ["Your instructions", nested, "CLAUDE.md"]);
  });

  it("P1, P6: # lists more than files, a list that grows keeps its choice, and each becomes its attachment", async () => {
    const panel = await open();
    await composer().pressSequentially("#a");
    const first: ContextItem[] = [
      { kind: "selection", label: "Selection", detail: "src/app.ts" },
      { kind: "problems", label: "Problems", detail: "", reference: { path: "", kind: "problems" } },
      { kind: "folder", label: "api", detail: "src", reference: { path: "src/api", kind: "folder" } },
      { kind: "image", label: "a.png", detail: "", uri: "file:///w/a.png" },
    ];
    const symbol: ContextItem = {
      kind: "method",
      label: "act",
      detail: "src/app.ts",
      reference: { path: "src/app.ts", lines: { first: 3, last: 4 } },
    };
    const post = (items: readonly ContextItem[]): Promise<void> =>
      panel.post({ type: "context-found", query: "a", items });
    await post(first);
    await composer().press("ArrowUp");
    await post([...first, symbol]);
    assert.equal(await panel.page.locator("[aria-selected=true] .file-name").innerText(), "a.png");
    await composer().press("Tab");
    assert.deepEqual((await panel.intent("uris-add")).uris, ["file:///w/a.png"]);
    for (const index of [1, 2, 4]) {
      await composer().fill("");
      await composer().pressSequentially("#a");
      await post([...first, symbol]);
      for (let at = 0; at < index; at += 1) await composer().press("ArrowDown");
      await composer().press("Enter");
    }
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), [
      "Problems",
      "src/api/",
      "src/app.ts:3-4",
    ]);
    await composer().pressSequentially("#a");
    await post(first);
    await composer().press("Enter");
    assert.equal((await panel.intent("context-add")).from, "selection");
    assert.equal((await panel.intents()).filter(({ type }) => type === "prompt-submit").length, 0);
  });

  it("P1, P6: the button beside the model asks the host what to attach; what it refuses is said below the text", async () => {
    const panel = await open();
    await button("Attach…").press("Enter");
    assert.equal((await panel.intent("context-add")).from, "menu");
    await panel.post({ type: "composer-hint", text: "Nothing is selected in the editor." });
    assert.equal(await panel.page.getByRole("status").last().innerText(), "Nothing is selected in the editor.");
  });

  it("P1: an image of the host has a thumbnail, a name and a size, and opens from the transcript", async () => {
    const panel = await open();
    const id = "c".repeat(64);
    const image = { id, mimeType: "image/png" as const, size: 2048 };
    await panel.post({
      type: "reference-add",
      chat: "chat-1",
      reference: { path: "shot.png", image },
      data: await drawn(panel),
    });
    await panel.until("document.querySelector('.file-chip .thumbnail')");
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), ["shot.png\n2 kB"]);
    await composer().fill("Look");
    await composer().press("Enter");
    const { references = [] } = await panel.intent("prompt-submit");
    assert.match(references[0]?.image?.thumbnail ?? "", /^data:image\/webp;base64,/);
    await panel.events(
      { type: "prompt-added", id: "p1", text: "Look", at: 0, references },
      { type: "image-stored", image: { id, mimeType: "image/png", data: "" } },
      { type: "attachments-read", id: "p1", attachments: [{ type: "image", path: "shot.png", image }] },
    );
    assert.equal(await panel.page.locator(".sent-image .thumbnail").count(), 1);
    await panel.page.locator(".sent-image").press("Enter");
    assert.equal((await panel.intent("image-open")).id, id);
  });

  it("P1: a pasted image waits for the host before the prompt is sent, and one that it refuses is none", async () => {
    const panel = await open();
    await paste(panel, "image/png", await drawn(panel));
    const { chat, key, name, data } = await panel.intent("image-add");
    assert.deepEqual([chat, name], ["chat-1", "Pasted image"]);
    assert.ok(data.startsWith("iVBORw0KGgo"), data.slice(0, 20));
    await composer().fill("Look");
    await composer().press("Enter");
    assert.equal(
      await panel.page.getByRole("status").last().innerText(),
      "An image is still being read. Your text is kept.",
    );
    const image = { id: "d".repeat(64), mimeType: "image/png", size: 70 };
    await panel.post({ type: "reference-add", chat: "chat-1", key, reference: { path: name, image } });
    await panel.until("document.querySelector('.file-chip .thumbnail')");
    await paste(panel, "image/png", await drawn(panel));
    const second = await panel.intent("image-add", 2);
    await panel.post({ type: "composer-hint", key: second.key, text: "It is no image." });
    await composer().press("Enter");
    const { references } = await panel.intent("prompt-submit");
    assert.deepEqual(
      references?.map(({ path }) => path),
      ["Pasted image"],
    );
  });

  it("P1: pasted text stays text, also with an image of it; an image that is too large is not even read", async () => {
    const panel = await open();
    await paste(panel, "image/png", await drawn(panel), "a table");
    await paste(panel, "image/png", "A".repeat(6_000_000));
    assert.match(
      await panel.page.getByRole("status").last().innerText(),
      /^Pasted image was not attached: images over 3.75 MB/,
    );
    assert.ok(!(await panel.intents()).some(({ type }) => type === "image-add"));
  });

  it("P1: a model that takes no images says so at the chip, with the choice of another", async () => {
    const panel = await open();
    await panel.snapshot({ imagesRefused: true });
    const notice = panel.page.getByText("demo-chat takes no images: they stay in the chat and are not sent to it.");
    assert.equal(await notice.count(), 0);
    const image = { id: "e".repeat(64), mimeType: "image/png", size: 70 };
    await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "shot.png", image } });
    await panel.until("document.querySelector('.image-notice')");
    assert.equal(await notice.count(), 1);
    await button("Choose Another Model").press("Enter");
    await panel.intent("model-choose");
    await panel.snapshot({ imagesRefused: undefined as never });
    assert.equal(await notice.count(), 0);
  });

  it("T20: an attached image that says how it was made has its words as plain text, with one button", async () => {
    const panel = await open();
    const id = "f".repeat(64);
    const image = { id, mimeType: "image/png", size: 70 };
    await panel.post({ type: "picture-origin", id, prompt: "a lighthouse <b>", hasSeed: true });
    assert.equal(await panel.page.locator(".image-notice").count(), 0, "it is not attached yet");
    await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "old.png", image } });
    await panel.page.getByText("old.png was made from “a lighthouse <b>”.").waitFor();
    await button("Use Its Prompt and Seed").press("Enter");
    assert.equal((await panel.intent("origin-use")).id, id);
  });

  it("P1: what VS Code drops are files by their URIs; images of the system by their bytes; other files say so", async () => {
    const panel = await open();
    await drop(panel, { "text/uri-list": "# c\r\nfile:///w/a%20b.ts\r\nfile:///w/c.png\r\n" });
    const added = await panel.intent("uris-add");
    assert.deepEqual([added.chat, ...added.uris], ["chat-1", "file:///w/a%20b.ts", "file:///w/c.png"]);
    await drop(panel, {
      "application/vnd.code.uri-list": "vscode-remote://x/w/a.ts",
      "text/uri-list": "file:///other",
    });
    assert.deepEqual((await panel.intent("uris-add", 2)).uris, ["vscode-remote://x/w/a.ts"]);
    await drop(panel, {}, "image/png", await drawn(panel));
    assert.equal((await panel.intent("image-add")).name, "file");
    await drop(panel, {}, "application/zip", "AAAA");
    assert.equal(
      await panel.page.getByRole("status").last().innerText(),
      "From outside of VS Code only images can be dropped here.",
    );
  });

  it("P1, P6: / lists the commands, letters filter them, Tab completes, and what is no command is sent", async () => {
    const panel = await open();
    await composer().pressSequentially("/");
    const names = (): Promise<string[]> => panel.page.getByRole("option").locator(".file-name").allInnerTexts();
    const all = [
      "/explain",
      "/fix",
      "/tests",
      "/doc",
      "/new",
      "/mode",
      "/model",
      "/find",
      "/summarize",
      "/rewind",
      "/history",
      "/export",
    ];
    assert.deepEqual(await names(), all);
    await composer().pressSequentially("e");
    assert.deepEqual(await names(), ["/explain", "/export"]);
    const active = await composer().getAttribute("aria-activedescendant");
    assert.equal(await panel.page.locator("[aria-selected=true]").getAttribute("id"), active);
    await composer().press("Tab");
    assert.equal((await panel.intent("context-add")).from, "code");
    assert.equal(await composer().inputValue(), "Explain what this code does and how.");
    await composer().fill("");
    await composer().pressSequentially("/fix the loop");
    assert.deepEqual(await names(), []);
    await composer().press("Enter");
    const { from, key } = await panel.intent("context-add", 2);
    assert.equal(from, "code-with-problems");
    for (const ended of [key - 1, key]) await panel.post({ type: "attaching-ended", key: ended });
    assert.equal(await composer().inputValue(), "Find what is wrong in this code and fix it. the loop");
    await composer().fill("");
    await composer().pressSequentially("/model");
    await composer().press("Enter");
    await panel.intent("model-choose");
    assert.equal(await composer().inputValue(), "");
    await composer().pressSequentially("/new");
    await composer().press("Escape");
    assert.deepEqual(await names(), []);
    await composer().press("Enter");
    await panel.intent("chat-new");
    for (const text of ["/usr/bin is a folder", "/unknown", "/new is a word"]) {
      await composer().fill(text);
      await composer().press("Enter");
      assert.equal((await panel.intent("prompt-submit")).text, text);
      await panel.events({ type: "prompt-added", id: text, text, at: 0 });
    }
  });

  it("C4 (finding N10): # lists groups, one is chosen and lists its own; the list lies over the transcript and moves nothing", async () => {
    const panel = await open({ size: { width: 300, height: 600 } });
    const place = async (): Promise<unknown> => panel.page.locator(".composer").boundingBox();
    const before = await place();
    await composer().fill("#");
    const group = (label: string, narrow: string): object => ({ kind: "group", label, detail: "", narrow });
    const selection = { kind: "selection", label: "Selection (3 lines)", detail: "src/app.ts" };
    const items = [selection, group("Files…", "file:"), group("Folders…", "folder:"), fileItem("src/open.ts")];
    await panel.post({ type: "context-found", query: "", items });
    const list = panel.page.getByRole("listbox", { name: "Attachments" });
    assert.equal(await list.getByRole("option").count(), 4);
    assert.deepEqual(await place(), before, "nothing has moved");
    await list.getByText("Files…").click();
    assert.equal(await composer().inputValue(), "#file:");
    assert.equal((await panel.intent("context-find", 2)).query, "file:");
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
    await panel.post({ type: "context-found", query: "file:", items: [fileItem("src/app.ts")] });
    await composer().press("Enter");
    assert.equal(await composer().inputValue(), "");
    assert.equal(await panel.page.locator(".file-chip").count(), 1);
  });

  it("C4 (finding N10): what has no name that fits is said so, once all were asked; Escape closes it and Enter still sends", async () => {
    const panel = await open();
    await composer().fill("see #nowhere");
    const none = panel.page.getByText("Nothing named “nowhere”", { exact: true });
    await panel.post({ type: "context-found", query: "nowhere", items: [], more: true });
    assert.equal(await none.count(), 0, "symbols are still looked for");
    await panel.post({ type: "context-found", query: "nowhere", items: [] });
    await none.waitFor();
    await composer().press("Escape");
    assert.equal(await none.count(), 0);
    await composer().fill("/nowhere");
    await panel.page.getByText("Looking for prompts…").waitFor();
    await panel.post({ type: "prompts-listed", prompts: [], more: 0 });
    await panel.page.getByText("Nothing named “/nowhere”: it is sent as it is").waitFor();
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit")).text, "/nowhere");
  });

  it("A13: a prompt file that asks for a model and a mode says so above the text, with a button for each", async () => {
    const panel = await open();
    await panel.show(answered);
    await choosePromptFile(panel);
    const line = panel.page.locator(".asked-for");
    assert.match(
      await line.innerText(),
      /asks for the model vendor\/large\. It asks for the mode Plan\. It names tools/,
    );
    await line.getByRole("button", { name: "Use Mode", exact: true }).click();
    assert.deepEqual(await panel.intent("prompt-use"), { type: "prompt-use", name: "review", what: "mode" });
  });
});

const withFile = (mimeType: string, data: string): string =>
  `data.items.add(new File([Uint8Array.from(atob(${JSON.stringify(data)}), (c) => c.charCodeAt(0))], "file", { type: "${mimeType}" }));`;

async function paste({ page }: PanelPage, mimeType: string, data: string, text?: string): Promise<void> {
  const withText = text === undefined ? "" : `data.setData("text/plain", ${JSON.stringify(text)});`;
  await page.evaluate(
    `{ const data = new DataTransfer(); ${withFile(mimeType, data)} ${withText} document.querySelector("textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); }`,
  );
}

async function drop(
  { page }: PanelPage,
  kinds: Readonly<Record<string, string>>,
  mimeType?: string,
  data = "",
): Promise<void> {
  const set = Object.entries(kinds).map(
    ([kind, text]) => `data.setData(${JSON.stringify(kind)}, ${JSON.stringify(text)});`,
  );
  const file = mimeType === undefined ? "" : withFile(mimeType, data);
  await page.evaluate(
    `{ const data = new DataTransfer(); ${set.join(" ")} ${file} for (const type of ["dragover", "drop"]) document.querySelector(".composer").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true })); }`,
  );
}
