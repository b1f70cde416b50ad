/** What a person sees and does in the transcript: streaming, approvals, errors, code, scrolling. */
import assert from "node:assert/strict";
import { capText } from "../../../src/domain/chat/cappedText";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { createText, cutText } from "../../../bench/panel/texts.mjs";
import { findViolations } from "../support/axe";
import { themesOfRun } from "../support/pageServer";
import { decisions } from "./barOfPanel";
import { usePanel } from "../support/panelSuite";
import { takePicture, takePictures } from "../support/pictures";
import {
  answered,
  answerText,
  approval,
  called,
  ended,
  error,
  failed,
  finished,
  prompt,
  progress,
  said,
  started,
  text,
} from "./scenes";

/** Pixels between the view and the end. */
const fromEnd =
  "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.transcript'))";

describe("chat panel, transcript", () => {
  const { open, button } = usePanel();

  for (const width of [300, 640]) {
    it(`A3, P6: ${width} px wide: a long reason of a failed call hides neither its file nor the range`, async () => {
      const panel = await open({ size: { width, height: 600 } });
      const path = "src/greeting/polite/messages.ts";
      const action = { type: "read-file", path, lines: { first: 120, last: 180 } } as const;
      const result = `${path} is larger than 10 MB, and such files are left alone whatever they hold, also in parts. Read another.`;
      await panel.events(...answered, progress("a1", "c1", { state: "failed", input: { path }, action, result }));
      const row = panel.page.locator(".tool-failed > summary");
      const reason = row.locator(".tool-state");
      assert.match(await reason.innerText(), /^failed: is larger than 10 MB/);
      const isCut = (part: string): Promise<boolean> =>
        panel.page.evaluate(
          `(() => {
            const box = document.querySelector(".tool-failed ${part}");
            const range = document.createRange();
            range.selectNodeContents(box);
            // An ellipsis needs less than a pixel.
            return range.getBoundingClientRect().width > box.getBoundingClientRect().width + 0.02;
          })()`,
        );
      assert.equal(await isCut(".tool-title"), false, "the title is cut");
      assert.equal(await isCut(".tool-state"), width > 520, "the reason gives way where there is one line only");
      await row.scrollIntoViewIfNeeded();
      await takePicture(panel.page, `failed-call-${width}`);
    });
  }

  it("P5 (newuser M4): a row that is opened at the end stays under the pointer, whatever is in it", async () => {
    const panel = await open({ size: { width: 300, height: 500 } });
    const action = { type: "run-command", command: "npm test" } as const;
    const result = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");
    const earlier = text("a1", 0, "Earlier words. ".repeat(120));
    const ran = progress("a1", "c1", { state: "done", input: {}, action, result });
    const call = called("a1", "c1", 1, "run_command", { command: "npm test" });
    await panel.events(...prompt("p1", "Run the tests"), started("a1"), earlier, ...call, ran, ...finished("a1"));
    const head = panel.page.locator(".transcript details > summary").last();
    await panel.until(`${fromEnd} < 1`);
    const before = (await head.boundingBox())!;
    for (const press of [() => head.click(), () => head.press("Enter")]) {
      await press();
      await panel.settled();
      const after = (await head.boundingBox())!;
      assert.ok(Math.abs(after.y - before.y) < 1, `${before.y} → ${after.y}`);
    }
  });

  it("P5 (newuser M4): a row that fits into the view is opened without leaving the end", async () => {
    const panel = await open({ size: { width: 640, height: 700 } });
    const action = { type: "read-file", path: "a.ts" } as const;
    const read = progress("a1", "c1", { state: "done", input: {}, action, result: "one" });
    const call = called("a1", "c1", 0, "read_file", { path: "a.ts" });
    await panel.events(...prompt("p1", "Read a.ts"), started("a1"), ...call, ...ended("a1"), read, started("a2"));
    await panel.page.locator(".transcript details > summary").last().click();
    await panel.settled();
    await panel.events(text("a2", 0, "word ".repeat(2000)));
    await panel.settled();
    assert.ok((await panel.page.evaluate<number>(fromEnd)) < 1);
  });

  it("P1: an answer streams in, ends with its footer, and is copied whole", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Explain."), started("a1"));
    assert.match(await panel.page.locator(".waiting").innerText(), /Waiting for the model/);
    for (let at = 0; at < answerText.length; at += 97) await panel.events(text("a1", 0, answerText.slice(at, at + 97)));
    await panel.events(...finished("a1"));
    assert.equal(await panel.page.locator(".waiting").innerText(), "");
    assert.equal(await panel.page.locator("table td").count(), 6);
    await panel.page.locator(".answer .hljs-keyword").first().waitFor();
    const time = panel.page.locator(".footer > span");
    assert.equal(await time.textContent(), "4.2 s · demo-chat · 1,204 in, 356 out", "a screen reader has all of it");
    assert.equal(await time.getAttribute("title"), "demo-chat\n1,204 in, 356 out\n4.2 s");
    assert.ok((await time.boundingBox())!.width < 60, "only the time is to be seen");
    const isChecked = await panel.watchFor(".footer .codicon-check");
    await button("Copy Answer as Markdown").click();
    await isChecked();
    assert.equal(await panel.page.evaluate("navigator.clipboard.readText()"), answerText);
    await button("Show Request").click();
    assert.deepEqual(await panel.intent("request-show"), { type: "request-show", answer: "a1" });
  });

  it("P1, P6: the footer of the last answer stays, that of another comes with the pointer or the focus and moves nothing", async () => {
    const panel = await open();
    const second = [...prompt("p2", "And?"), started("a9"), text("a9", 0, "Then this."), ...finished("a9")];
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "Done."), ...finished("a1"), ...second);
    const opacities = (): Promise<string[]> =>
      panel.page.evaluate("[...document.querySelectorAll('.footer')].map((one) => getComputedStyle(one).opacity)");
    const tops = (): Promise<number[]> =>
      panel.page.evaluate("[...document.querySelectorAll('.row')].map((one) => one.getBoundingClientRect().top)");
    await panel.page.locator(".composer textarea").hover();
    assert.deepEqual(await opacities(), ["0", "1"]);
    const before = await tops();
    await panel.page.getByText("Done.").hover();
    assert.deepEqual(await opacities(), ["1", "1"]);
    assert.deepEqual(await tops(), before);
    await panel.page.locator(".composer textarea").hover();
    await button("Show Request").first().focus();
    assert.deepEqual(await opacities(), ["1", "1"]);
    assert.deepEqual(await tops(), before);
    for (const theme of themesOfRun(2)) {
      await panel.setTheme(theme);
      await takePictures(panel.page, `footer-${theme}`, [170, 300, 450, 900]);
    }
  });

  it("P6: numbers are written in the language of the words, not in the browser's", async () => {
    const panel = await open({ words: { en: "de" } });
    const context = { used: 118_000, size: 128_000, messages: 20, answers: 30, tools: 100_000, rest: 17_950 };
    await panel.show(answered, { context });
    assert.match((await panel.page.locator(".footer > span").getAttribute("title")) ?? "", /1\.204 in/);
    assert.match((await panel.page.locator("button.context").getAttribute("aria-label")) ?? "", /118\.000/);
  });

  it("P1, P6: the footer of a turn comes with the pointer or the focus on any of its answers", async () => {
    const panel = await open();
    const second = [...prompt("p2", "And?"), started("a9"), text("a9", 0, "Then this."), ...finished("a9")];
    await panel.events(...answered, ...second);
    const shown = (): Promise<string> =>
      panel.page.evaluate(
        "String([...document.querySelectorAll('.footer')].map((one) => getComputedStyle(one).opacity))",
      );
    await panel.page.locator(".tool-title", { hasText: "Read app.ts" }).hover();
    assert.equal(await shown(), "1,1");
    await panel.page.getByText("Then this.").hover();
    assert.equal(await shown(), "0,1", "the pointer is in the other turn");
    await panel.page.locator(".row.answer").first().locator("summary").first().focus();
    assert.equal(await shown(), "1,1");
    await panel.page.locator(".composer textarea").focus();
    await panel.page.locator(".composer textarea").hover();
    assert.equal(await shown(), "0,1");
  });

  it("P6: without a pointer that hovers every footer is shown", async () => {
    const panel = await open({ context: { hasTouch: true, isMobile: true } });
    const second = [...prompt("p2", "And?"), started("a9"), text("a9", 0, "Then this."), ...finished("a9")];
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "Done."), ...finished("a1"), ...second);
    assert.deepEqual(
      await panel.page.evaluate(
        "[...document.querySelectorAll('.footer')].map((one) => getComputedStyle(one).opacity)",
      ),
      ["1", "1"],
    );
  });

  it("P2 (finding N20): while an answer streams no bare stars are shown, and what is bold stays the same node", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "It is **very"));
    const strong = panel.page.locator(".answer strong");
    assert.equal(await panel.page.locator(".answer .markdown").innerText(), "It is very");
    await panel.page.evaluate("globalThis.kept = document.querySelector('.answer strong')");
    for (const part of [" important", "*", "* and", " then **"]) {
      await panel.events(text("a1", 0, part));
      assert.doesNotMatch(await panel.page.locator(".answer .markdown").innerText(), /\*/);
    }
    assert.equal(await strong.innerText(), "very important");
    assert.ok(await panel.page.evaluate("kept.isConnected"));
    await panel.events(...finished("a1"));
    assert.match(
      await panel.page.locator(".answer .markdown").innerText(),
      / then \*\*$/,
      "as it was written, at the end",
    );
  });

  it("P2: streaming appends: the nodes of finished blocks and a selection in the last one stay", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "First.\n\nSecond *is*.\n\nThird"));
    await panel.page.evaluate(
      "globalThis.kept = [...document.querySelectorAll('.answer .part > *'), document.querySelector('.answer .part').lastChild.firstChild]",
    );
    await panel.page.evaluate("getSelection().selectAllChildren(document.querySelector('.answer .part').lastChild)");
    await panel.events(text("a1", 0, " goes on"));
    await panel.events(text("a1", 0, "\n\nFourth"));
    assert.ok(await panel.page.evaluate("kept.every((node) => node.isConnected)"));
    assert.match(await panel.page.evaluate("getSelection().toString()"), /^Third/);
  });

  it("P1: an approval is decided once, and only the state of the host changes the card", async () => {
    const panel = await open();
    await panel.events(...approval);
    assert.equal(await panel.page.locator(".diff-line.added .diff-mark").first().innerText(), "+");
    await button("Open Diff").click();
    assert.deepEqual(await panel.intent("diff-open"), { type: "diff-open", approval: "approval-1" });
    await button("Allow").click();
    assert.deepEqual(await panel.intent("approval-decide"), {
      type: "approval-decide",
      approval: "approval-1",
      allow: true,
    });
    assert.ok(await button("Allow").isDisabled());
    assert.ok(await button("Don't Allow").isDisabled());
    await button("Allow")
      .click({ force: true })
      .catch(() => undefined);
    assert.equal(await decisions(panel), 1);
    const input = { path: "src/app.ts" };
    await panel.events(
      progress("a1", "c2", {
        state: "done",
        input,
        action: { type: "edit-file", path: "src/app.ts", changedLines: 2, lines: { first: 3, added: 2, removed: 1 } },
        result: "2 lines changed",
      }),
    );
    assert.equal(await panel.page.locator(".approval").count(), 0);
    const row = panel.page.locator(".tool-title", { hasText: "Edited" });
    assert.equal(await row.innerText(), "Edited app.ts +2 −1");
    await row.click({ position: { x: 4, y: 8 } });
    assert.match(await panel.page.locator("details[open]").innerText(), /2 lines changed/);
  });

  it("A3, P6: the line of a call says what came of it; its name opens the file, by the keyboard in the opened row", async () => {
    const panel = await open();
    const action = {
      type: "edit-file",
      path: "src/app\u202e.ts",
      changedLines: 1,
      lines: { first: 7, added: 1, removed: 1 },
    } as const;
    const input = { path: "src/app.ts" };
    await panel.events(...answered, progress("a1", "c1", { state: "denied", input, action, note: "not in this file" }));
    const row = panel.page.locator(".tool-denied > summary");
    assert.match(await row.innerText(), /^Not edited: app⟨U\+202E⟩\.ts\s+you said “not in this file”$/);
    await panel.events(progress("a1", "c1", { state: "done", input, action, result: "Edited." }));
    const done = panel.page.locator(".tool-done > summary");
    assert.match(await done.innerText(), /^Edited app⟨U\+202E⟩\.ts \+1 −1/);
    const name = done.locator(".tool-file");
    assert.equal(await name.getAttribute("title"), "Open src/app⟨U+202E⟩.ts");
    await name.click();
    assert.deepEqual(await panel.intent("file-open"), { type: "file-open", answer: "a1", call: "c1" });
    assert.equal(await panel.page.locator(".tool-done[open]").count(), 0, "the row stays folded");
    await done.focus();
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Enter");
    await panel.intent("file-open", 2);
    for (const theme of themesOfRun(2)) {
      await panel.setTheme(theme);
      await takePictures(panel.page, `call-${theme}`, [170, 300, 450, 900]);
      const violations = await findViolations(panel.page, { within: ".row.answer", onlyColours: theme !== "dark" });
      assert.deepEqual(
        violations.map(({ id, nodes }) => [theme, id, nodes.map(({ html }) => html)]),
        [],
      );
    }
  });

  it("P1, P3: a refusal carries the word to the model, which stays while the page is hidden; Enter in it refuses", async () => {
    const panel = await open();
    await panel.events(...approval);
    await button("Say why not…").click();
    const note = panel.page.getByRole("textbox", { name: "Word to the model, sent with Don't Allow" });
    await note.fill("a word that is put away");
    await button("Say why not…").click();
    await button("Say why not…").click();
    assert.equal(await note.inputValue(), "");
    await note.fill("not in this file");
    await panel.page.reload();
    await panel.snapshot();
    assert.equal(await note.inputValue(), "not in this file");
    // It takes the word of an input method.
    await note.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    assert.ok((await panel.intents()).every(({ type }) => type !== "approval-decide"));
    await note.press("Enter");
    assert.deepEqual(await panel.intent("approval-decide"), {
      type: "approval-decide",
      approval: "approval-1",
      allow: false,
      note: "not in this file",
    });
  });

  it("P3: the word about one approval stays when that about another is put away", async () => {
    const panel = await open();
    await panel.events(...approval.filter((event) => event.type !== "tool-progress" || event.call === "c2"));
    const note = panel.page.getByRole("textbox", { name: "Word to the model, sent with Don't Allow" });
    await button("Say why not…").click();
    await note.fill("not in this file");
    const earlier = { input: {}, action: { type: "read-file", path: ".env" } } as const;
    const asked = { id: "approval-0", reasons: ["secret"] } as const;
    await panel.events(progress("a1", "c1", { state: "waiting", ...earlier, approval: asked }));
    await note.waitFor({ state: "detached" });
    await button("Say why not…").click();
    await note.fill("nor this one");
    await button("Say why not…").click();
    await panel.events(progress("a1", "c1", { state: "running", ...earlier }));
    assert.equal(await note.inputValue(), "not in this file");
  });

  it("A1, P2: a running call shows what it reports and writes, capped, and then its result alone", async () => {
    const panel = await open();
    const action = { type: "find-text", text: "TODO" } as const;
    const output = (text: string): SessionEvent => ({
      type: "tool-output",
      id: "a1",
      call: "c1",
      output: capText(text),
    });
    await panel.events(
      ...prompt("p1", "Find it."),
      started("a1"),
      ...said("a1", { type: "tool-call-start", block: 0, call: "c1", name: "find_text" }),
      progress("a1", "c1", { state: "running", input: {}, action }),
      { type: "tool-activity", id: "a1", call: "c1", activity: { type: "files-visited", files: 1200 } },
      output("first\u202e line\n"),
    );
    const row = panel.page.locator(".tool-running");
    assert.match(await row.locator("summary").innerText(), /Find “TODO”[^]*1,200 files searched/);
    await panel.openAll();
    const box = row.getByLabel("Output");
    assert.equal(await box.innerText(), "first⟨U+202E⟩ line\n");
    await panel.events(output("x".repeat(1_000_000)), output("the end"));
    assert.match(await box.innerText(), /^first[^]*⋯ \d+,\d+ characters are not shown ⋯[^]*the end$/);
    assert.ok((await box.innerText()).length < 40_000);
    await panel.events(progress("a1", "c1", { state: "done", input: {}, action, result: "two hits" }));
    assert.equal(await panel.page.getByLabel("Output").count(), 0);
    assert.equal(await panel.page.getByLabel("Result").innerText(), "two hits");
  });

  it("P1: an error card says what happened, what it means, and has one action and copyable details", async () => {
    const panel = await open();
    await panel.events(...failed);
    const card = panel.page.locator(".error-card");
    assert.match(await card.innerText(), /rate limit is reached[^]*Nothing was produced/);
    await button("Try Again").click();
    assert.deepEqual(await panel.intent("error-action"), { type: "error-action", answer: "a1" });
    assert.ok(!(await card.locator("pre").isVisible()));
    await card.getByText("Details").click();
    const isChecked = await panel.watchFor(".error-card .codicon-check");
    await button("Copy Details").click();
    await isChecked();
    assert.equal(await panel.page.evaluate("navigator.clipboard.readText()"), error.details);
  });

  it("P1: a cut answer says so in words", async () => {
    const panel = await open();
    await panel.events(
      ...prompt("p1", "Go."),
      started("a1"),
      text("a1", 0, "Half"),
      ...said("a1", { type: "message-end", finish: "unknown", cut: true }),
      ...ended("a1"),
      { type: "turn-ended" },
    );
    assert.match(await panel.page.locator(".end").innerText(), /^May be cut/);
  });

  it("P1: code is copied always and inserted on request", async () => {
    const panel = await open();
    await panel.events(...answered);
    await panel.page.locator(".answer .code").hover();
    await button("Insert at Cursor").click();
    assert.match((await panel.intent("code-insert")).text, /^\/\*\* Greets a person by name\. \*\/\nexport function/);
    await panel.page.getByRole("link", { name: "the guide" }).click();
    assert.deepEqual(await panel.intent("link-open"), { type: "link-open", url: "https://example.com/guide" });
    assert.equal((await panel.intents()).filter(({ type }) => type === "link-open").length, 1);
  });

  it("P1: it follows the end also where an update is laid out between two frames, and what is above has moved", async () => {
    const panel = await open({ size: { width: 420, height: 720 } });
    await panel.page.evaluate(
      "globalThis.realFrame = requestAnimationFrame; globalThis.requestAnimationFrame = (run) => setTimeout(() => { run(performance.now()); document.querySelector('.transcript').scrollHeight; })",
    );
    await panel.events(...prompt("p0", "Before."), started("a0"), text("a0", 0, createText("paragraph", 4000)));
    await panel.events(...finished("a0"), ...prompt("p1", "Go."), started("a1"));
    for (const chunk of cutText(createText("table", 6000))) await panel.events(text("a1", 0, chunk));
    await panel.page.evaluate("new Promise((resolve) => realFrame(() => realFrame(() => realFrame(resolve))))");
    assert.ok((await panel.page.evaluate<number>(fromEnd)) <= 40);
    assert.ok(!(await button("Jump to Latest").isVisible()));
  });

  it("P1: it follows at the end, stops when a person scrolls up, and what is read does not move", async () => {
    const panel = await open();
    const long = Array.from({ length: 80 }, (_, line) => `Paragraph ${line} of the answer.`).join("\n\n");
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, long));
    const rest = (): Promise<number> => panel.page.evaluate(fromEnd);
    assert.ok((await rest()) <= 1);
    assert.ok(!(await button("Jump to Latest").isVisible()));
    await panel.page.locator(".transcript").hover();
    await panel.page.mouse.wheel(0, -600);
    await button("Jump to Latest").waitFor();
    const top = async (): Promise<number> => (await panel.page.getByText("Paragraph 60 of").first().boundingBox())!.y;
    const before = await top();
    await panel.events(text("a1", 0, `\n\n${long}`));
    assert.equal(await top(), before);
    assert.ok((await rest()) > 500);
    await button("Jump to Latest").click();
    assert.ok((await rest()) <= 1);
    await panel.events(text("a1", 0, `\n\n${long}`));
    assert.ok((await rest()) <= 1);
  });

  it("P1 (newuser L16): the button that jumps to the end covers nothing of the transcript", async () => {
    const panel = await open({ size: { width: 300, height: 480 } });
    const long = Array.from({ length: 60 }, (_, line) => `Paragraph ${line} of the answer.`).join("\n\n");
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, long));
    await panel.page.locator(".transcript").hover();
    await panel.page.mouse.wheel(0, -600);
    await button("Jump to Latest").waitFor();
    const [jump, transcript] = await Promise.all(
      [button("Jump to Latest"), panel.page.locator(".transcript")].map((one) => one.boundingBox()),
    );
    assert.ok(jump && transcript && jump.y >= transcript.y + transcript.height);
  });
});
