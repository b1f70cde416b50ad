/** What a person does with messages: edit in place, ask again, undo. */
import assert from "node:assert/strict";
import { findViolations } from "../support/axe";
import { themesOfRun } from "../support/pageServer";
import { definedFields } from "../../../src/base/definedFields";
import type { PromptContext } from "../../../src/domain/chat/environmentSchema";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { usePanel } from "../support/panelSuite";
import { takePicture } from "../support/pictures";
import { finished, prompt, started, text } from "./scenes";
import { paused, summarized } from "./summaryScenes";

const answered = [...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi."), ...finished("a1")];

const writtenText =
  "First line\nsecond  line with **both**\n\n- one\n- two `code` and [a link](https://example.com)\n\n```js\nif (a)  {\n  b();\n}\n```\n";
/** A message with Markdown and an attachment. */
const written: readonly SessionEvent[] = [
  {
    type: "prompt-added",
    id: "p1",
    text: writtenText,
    at: 0,
    references: [{ path: "src/app.ts" }],
  },
  { type: "turn-started" },
  {
    type: "attachments-read",
    id: "p1",
    attachments: [{ type: "text", path: "src/app.ts", text: "const a = 1;" }],
  },
  started("a1"),
  text("a1", 0, "Done."),
  ...finished("a1"),
];

describe("chat panel, messages", () => {
  const { open, composer, button } = usePanel();

  it("P1, A9 (newuser L9): a message shows which file and lines went along with it, and that their text did not", async () => {
    const panel = await open();
    const ask = (id: string, editor: PromptContext["editor"]): SessionEvent[] => [
      { type: "prompt-added", id, text: "Hello", at: 0, context: definedFields({ editor }) },
      ...[started(`${id}-a`), text(`${id}-a`, 0, "Hi."), ...finished(`${id}-a`)],
    ];
    await panel.events(...ask("p1", { path: "src/app.ts", lines: { first: 2, last: 8 } }));
    await panel.events(...ask("p2", { path: "src/app.ts" }), ...ask("p3", undefined));
    // What is attached is named above the message, with its text.
    const attached = { path: "src/app.ts", lines: { first: 6, last: 6 } };
    const [asked, ...answered] = ask("p4", attached);
    assert.ok(asked);
    await panel.events(
      asked,
      { type: "attachments-read", id: "p4", attachments: [{ ...attached, type: "text", text: "const a = 1;" }] },
      ...answered,
    );
    const said = panel.page.getByText(/^Also sent:/);
    assert.deepEqual(await said.allInnerTexts(), [
      "Also sent: src/app.ts:2-8 is selected, not its text.",
      "Also sent: src/app.ts is open.",
    ]);
  });

  it("T18: an answer that another model gives says which one was asked first and why it did not", async () => {
    const panel = await open();
    const error = { kind: "unavailable", message: "Overloaded", status: 529 } as const;
    const failure = { type: "gateway", error, fallback: "spare" } as const;
    await panel.events(
      ...prompt("p1", "Hello"),
      started("a1"),
      { type: "answer-ended", id: "a1", at: 1, state: "failed", failure },
      { type: "answer-started", id: "a2", model: "spare", family: "chat-completions", at: 2 },
      ...[text("a2", 0, "Hi."), ...finished("a2")],
    );
    await panel.page
      .getByText("demo-chat: The gateway has a problem: “Overloaded”. spare is asked in its place.")
      .waitFor();
    assert.equal(await panel.page.locator(".error-card").count(), 0);
  });

  it("P1, P6: a message is edited in place by the keyboard, sent with Enter, and stays until the host has replaced it", async () => {
    const panel = await open();
    await panel.events(...answered);
    await button("Edit and Resend").press("Enter");
    const box = panel.page.getByRole("textbox", { name: "Edit message" });
    assert.equal(await box.inputValue(), "Hello");
    await box.press("End");
    await box.pressSequentially(" you");
    await box.press("Enter");
    const intent = await panel.intent("prompt-resend");
    assert.deepEqual(intent, { type: "prompt-resend", entry: "p1", text: "Hello you" });
    assert.equal(await box.inputValue(), "Hello you");
    await panel.events({ type: "prompt-added", id: "p2", text: "Hello you", at: 0, replaces: "p1" });
    assert.equal(await box.count(), 0);
    assert.deepEqual(await panel.page.locator(".message").allInnerTexts(), ["Hello you"]);
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('.composer textarea')"));
  });

  it("P1 (newuser M14): while a message is edited what goes along is shown, and can be taken out", async () => {
    const panel = await open();
    const references = [{ path: "src/app.ts" }, { path: "notes.md" }];
    await panel.events({ type: "prompt-added", id: "p1", text: "Look.", at: 0, references }, { type: "turn-started" });
    await panel.events(started("a1"), text("a1", 0, "Done."), ...finished("a1"));
    await button("Edit and Resend").press("Enter");
    const chips = panel.page.locator(".editing .file-chip");
    assert.deepEqual(
      (await chips.allInnerTexts()).map((label) => label.trim()),
      ["src/app.ts", "notes.md"],
    );
    await panel.page.locator(".editing").getByRole("button", { name: "Remove src/app.ts" }).click();
    assert.deepEqual(
      (await chips.allInnerTexts()).map((label) => label.trim()),
      ["notes.md"],
    );
    await panel.page.getByRole("textbox", { name: "Edit message" }).fill("Look again.");
    // VS Code takes a hidden page down: what was taken out stays out, as the text stays.
    await panel.page.reload();
    await panel.snapshot();
    assert.deepEqual(
      (await chips.allInnerTexts()).map((label) => label.trim()),
      ["notes.md"],
    );
    await panel.page.getByRole("textbox", { name: "Edit message" }).press("Enter");
    assert.deepEqual(await panel.intent("prompt-resend"), {
      ...{ type: "prompt-resend", entry: "p1", text: "Look again." },
      without: [0],
    });
  });

  it("P1, P2: a message is a bubble with its attachments and its Markdown in it; lines stay lines, and Copy and Edit have the exact text", async () => {
    const panel = await open();
    await panel.events(...written);
    const message = panel.page.locator(".bubble > .message");
    assert.equal(await panel.page.locator(".bubble").count(), 1);
    assert.equal(await message.locator("strong").innerText(), "both");
    assert.equal(await message.locator("ul > li").count(), 2);
    assert.equal(await message.locator(".code pre").innerText(), "if (a)  {\n  b();\n}");
    assert.equal(await message.locator("p").first().innerText(), "First line\nsecond  line with both");
    assert.ok((await message.locator("p").first().boundingBox())!.height > 36, "two lines");
    assert.match(await panel.page.locator(".bubble").innerText(), /^src\/app\.ts/);
    const isChecked = await panel.watchFor(".message-actions .codicon-check");
    await button("Copy Message").press("Enter");
    await isChecked();
    assert.equal(await panel.page.evaluate("navigator.clipboard.readText()"), writtenText);
    await panel.page.evaluate("globalThis.kept = document.querySelector('.message strong')");
    await panel.events({ type: "message-pinned", id: "p1", pinned: true });
    assert.ok(await panel.page.evaluate("kept.isConnected"), "it is rendered once");
    await button("Edit and Resend").press("Enter");
    assert.equal(await panel.page.getByRole("textbox", { name: "Edit message" }).inputValue(), writtenText);
  });

  it("P5: the text of a message loads nothing, runs nothing, and opens only what an answer's can", async () => {
    const panel = await open();
    const text = "![x](https://example.com/x.png) <img src=x onerror=alert(1)> [ok](https://example.com/ok)";
    const unsafe = "[a](javascript:alert(1)) [b](command:c) [ok](https://example.com/ok)";
    await panel.events(...prompt("p1", text), started("a1"), ...finished("a1"));
    await panel.events(...prompt("p2", unsafe), started("a2"), ...finished("a2"));
    assert.equal(await panel.page.locator(".message img").count(), 0);
    assert.deepEqual(await panel.page.locator(".message a").allInnerTexts(), ["x", "ok"]);
    assert.equal(await panel.page.locator(".message").nth(1).innerText(), unsafe, "without a link nothing hides");
    await panel.page.locator(".message").getByText("ok", { exact: true }).click();
    assert.deepEqual(await panel.intent("link-open"), { type: "link-open", url: "https://example.com/ok" });
  });

  it("P1: nothing that a person wrote vanishes: a message of which Markdown would hide a word is shown as it was written", async () => {
    const panel = await open();
    const texts = [
      "[note]: https://example.com/note",
      "See **this**:\n\n[a]: http://127.0.0.1:8080/x\n\nand fix it",
      "| a |\n|---|\n| b | lost |",
      '[here](https://example.com/ "a title")',
    ];
    for (const [index, text] of texts.entries()) await panel.events(...prompt(`p${index}`, text));
    assert.deepEqual(await panel.page.locator(".message").allInnerTexts(), texts);
  });

  it("P6: the bubble is as wide as its text and inside of the panel, in every theme", async () => {
    const panel = await open();
    await panel.show([
      ...written,
      ...prompt("p2", "Thanks"),
      started("a2"),
      text("a2", 0, "Bye."),
      ...finished("a2"),
      ...prompt("p3", "a_long_word".repeat(30)),
    ]);
    const widths = await panel.page.evaluate<number[]>(
      "[...document.querySelectorAll('.bubble')].map((one) => one.getBoundingClientRect().width)",
    );
    assert.ok(widths[1]! < 100 && widths[2]! > 300, widths.join());
    for (const theme of themesOfRun(0)) {
      await panel.setTheme(theme);
      for (const width of [170, 300, 450, 900]) {
        await panel.setSize({ width, height: 640 });
        assert.ok(
          await panel.page.evaluate(
            "[document.documentElement, document.querySelector('.transcript')].every((one) => one.scrollWidth <= one.clientWidth)",
          ),
        );
        await panel.page.locator(".bubble").first().hover();
        await takePicture(panel.page, `bubble-${theme}-${width}`);
      }
      const violations = await findViolations(panel.page, { within: ".row.user", onlyColours: theme !== "dark" });
      assert.deepEqual(
        violations.map(({ id, nodes }) => [theme, id, nodes.map(({ html }) => html)]),
        [],
      );
    }
  });

  it("P1: Escape ends an edit and sends nothing; while an answer runs it is kept and says why; a reload keeps it too", async () => {
    const panel = await open();
    await panel.events(...answered);
    await button("Edit and Resend").press("Enter");
    const box = panel.page.getByRole("textbox", { name: "Edit message" });
    await box.fill("changed");
    await panel.events(...prompt("p2", "queued before"));
    await box.press("Enter");
    assert.match(await panel.page.locator(".user .hint").innerText(), /is running/);
    await panel.page.reload();
    await panel.snapshot();
    assert.equal(await box.inputValue(), "changed");
    await box.press("Escape");
    assert.equal(await box.count(), 0);
    assert.ok(!(await panel.intents()).some(({ type }) => type === "prompt-resend"));
  });

  it("P1: the last answer can be asked for again, and what it replaced brought back until the next message", async () => {
    const panel = await open();
    await panel.events(...answered);
    await button("Regenerate").click();
    await panel.intent("turn-regenerate");
    await panel.events({ type: "entries-replaced", from: "a1" }, { type: "turn-started" }, started("a2"));
    assert.equal(await button("Undo").count(), 0, "not while it runs");
    await panel.events(text("a2", 0, "Good day."), ...finished("a2"));
    assert.match(await panel.page.locator(".notices").innerText(), /The answer was replaced/);
    await button("Undo").click();
    await panel.intent("branch-switch");
    await panel.events({ type: "branch-switched" });
    assert.deepEqual(await panel.page.locator(".answer .markdown").allInnerTexts(), ["Hi."]);
    assert.equal(await button("Redo").count(), 1);
    await panel.events(...prompt("p2", "next"));
    assert.equal(await button("Redo").count(), 0);
    assert.equal(await composer().inputValue(), "");
  });

  it("P1: a message of the person is copied as it was written", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "**Hello** `you`"), started("a1"), ...finished("a1"));
    await button("Copy Message").press("Enter");
    await panel.until("document.querySelector('[aria-live=polite]').textContent.includes('Copied')");
    assert.equal(await panel.page.evaluate("navigator.clipboard.readText()"), "**Hello** `you`");
  });

  it("P1, P6: a code block is applied, made a file, inserted or copied by the keyboard; a block that still grows is not applied", async () => {
    const panel = await open();
    const code = "```ts title=src/app.ts\nconst one = 1;\n";
    await panel.events(...prompt("p1", "Code."), started("a1"), text("a1", 0, code));
    const apply = button("Apply to src/app.ts…");
    assert.ok(await apply.isDisabled());
    await panel.events(text("a1", 0, "```\n"), ...finished("a1"));
    await panel.page.locator(".code pre").focus();
    const visited: string[] = [];
    for (let step = 0; step < 4; step++) {
      await panel.page.keyboard.press("Shift+Tab");
      visited.push(await panel.page.evaluate("document.activeElement.ariaLabel"));
    }
    assert.deepEqual(visited.reverse(), ["Apply to src/app.ts…", "New File", "Insert at Cursor", "Copy Code"]);
    await apply.press("Enter");
    assert.deepEqual(await panel.intent("code-apply"), {
      type: "code-apply",
      text: "const one = 1;",
      file: "src/app.ts",
    });
    await button("New File").press("Enter");
    assert.deepEqual(await panel.intent("code-new-file"), {
      type: "code-new-file",
      text: "const one = 1;",
      language: "ts",
    });
  });

  it("T10: a turn that waits for the person is no error, and only the newest one can go on", async () => {
    const panel = await open();
    await panel.events(...paused);
    assert.equal(await panel.page.getByRole("region", { name: "Paused" }).count(), 2);
    assert.equal(await panel.page.getByRole("region", { name: "Error" }).count(), 0);
    await button("Go On Once").click();
    assert.deepEqual(await panel.intent("error-action"), { type: "error-action", answer: "a2" });
  });

  it("A7: the summary that is sent can be undone, an older one not", async () => {
    const panel = await open();
    await panel.events(...summarized);
    await button("Undo").click();
    const intent = await panel.intent("summary-switch");
    assert.deepEqual(intent, { type: "summary-switch", summary: "s2", undone: true });
  });
});
