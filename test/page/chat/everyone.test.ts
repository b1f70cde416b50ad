/** Screen reader, keyboard, motion. */
import assert from "node:assert/strict";
import { emptyChat } from "../../../src/domain/chat/chat";
import { usePanel } from "../support/panelSuite";
import { approval, finished, prompt, started, text } from "./scenes";

describe("chat panel, for everyone", () => {
  const { open, button } = usePanel();

  it("P6: a screen reader hears sentences, not the text as it streams", async () => {
    const panel = await open();
    const live = panel.page.locator("[aria-live=polite]");
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "word "), text("a1", 0, "word "));
    assert.equal(await live.textContent(), "");
    assert.equal(await panel.page.getByRole("log").getAttribute("aria-live"), "off");
    await panel.events(...finished("a1"));
    assert.equal(await live.locator("div").last().textContent(), "Answer finished");
    await panel.events(...approval.slice(1));
    assert.equal(
      await live.locator("div").last().textContent(),
      "Approval needed: Edit src/app.ts: 2 lines changed (changes a file)",
    );
  });

  it("P6: another chat that is shown while an answer runs is not said to have ended", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "word "));
    const other = { ...emptyChat("chat-2"), entries: panel.chat.entries.slice(0, 1) };
    const snapshot = { chat: other, status: panel.status };
    await panel.post({ type: "snapshot", revision: panel.revision, snapshot });
    assert.equal(await panel.page.locator(".row.answer").count(), 0);
    assert.equal(await panel.page.locator("[aria-live=polite]").textContent(), "");
  });

  it("P6: a screen reader is told what is said above the composer", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "word "), ...finished("a1"));
    await panel.snapshot({ trusted: false });
    const notice = panel.page.getByRole("status").filter({ hasText: "No tools in Restricted Mode." });
    assert.equal(await notice.count(), 1);
  });

  it("P6: the keyboard reaches everything: open a tool call, decide an approval", async () => {
    const panel = await open();
    await panel.events(...approval);
    await panel.page.locator(".transcript").focus();
    const visited: string[] = [];
    for (let step = 0; step < 12; step++) {
      await panel.page.keyboard.press("Tab");
      visited.push(
        await panel.page.evaluate(
          "(document.activeElement.ariaLabel ?? document.activeElement.innerText ?? '').trim()",
        ),
      );
    }
    for (const name of [
      "Read app.ts 1–80",
      "Proposed change to src/app.ts",
      "Allow",
      "Don't Allow",
      "Open Diff",
      "Prompt",
      "Stop",
    ]) {
      assert.ok(
        visited.some((text) => text.startsWith(name)),
        `${name} was not reached: ${visited.join(" | ")}`,
      );
    }
    await button("Don't Allow").press("Enter");
    assert.equal((await panel.intent("approval-decide")).allow, false);
  });

  it("P6: nothing turns when motion is not wanted", async () => {
    const panel = await open({ motion: "reduce" });
    await panel.events(...prompt("p1", "Go."));
    const animation = await panel.page.evaluate(
      "getComputedStyle(document.querySelector('.waiting .codicon')).animationName",
    );
    assert.equal(animation, "none");
  });
});
