/** Files that are attached to a prompt: by the host, by `#`, as chips, and in the transcript. */
import assert from "node:assert/strict";
import { usePanel } from "./panelSuite";
import type { ContextItem } from "../../../src/protocol/attachmentMessages";
import { ended, started } from "./scenes";

function fileItem(path: string): ContextItem {
  const slash = path.lastIndexOf("/");
  const detail = path.slice(0, Math.max(0, slash));
  return { icon: "file", label: path.slice(slash + 1), detail, reference: { path } };
}

describe("chat panel, attachments", function () {
  this.timeout(30_000);
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
    assert.deepEqual(sent, { type: "prompt-submit", text: "Explain ", references: [{ path: "src/map.ts" }] });
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
    await panel.post({ type: "reference-add", reference });
    await panel.post({ type: "reference-add", reference });
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), ["src/app.ts:3-9"]);
    await panel.page.reload();
    await panel.snapshot();
    await button("Remove src/app.ts:3-9").press("Enter");
    assert.equal(await panel.page.locator(".file-chip").count(), 0);
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
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
});
