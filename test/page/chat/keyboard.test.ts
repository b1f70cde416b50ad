/** A whole session with the keyboard alone: everything is reached by Tab, and the focus never falls out of the page. */
import assert from "node:assert/strict";
import { allowWorks } from "../../support/approvalBar";
import type { PanelPage } from "../support/panelPage";
import { shortEdit } from "./approvalScenes";
import { usePanel } from "../support/panelSuite";
import { ended, finished, prompt, queue, said, started, text } from "./scenes";

/** In the page: what has the focus, as a screen reader names it. */
const focusedName =
  "(({ activeElement: at }) => (at === document.body ? 'nothing' : at.ariaLabel ?? at.textContent).trim().replace(/\\s+/g, ' '))(document)";
const focused = (panel: PanelPage): Promise<string> => panel.page.evaluate(focusedName);

describe("chat panel, with the keyboard alone", () => {
  const { open } = usePanel();

  /** Goes there by Tab, or back by Shift+Tab, and presses a key. */
  const tabTo = async (panel: PanelPage, name: string, key?: string, back = false): Promise<void> => {
    // In the composer Shift+Tab goes back after Escape; without, it changes the mode.
    if (back && (await focused(panel)) === "Prompt") await panel.page.keyboard.press("Escape");
    const visited: string[] = [];
    for (let step = 0; step < 40 && visited.at(-1) !== name; step++) {
      await panel.page.keyboard.press(back ? "Shift+Tab" : "Tab");
      visited.push(await focused(panel));
    }
    assert.equal(visited.at(-1), name, visited.join(" | "));
    if (key !== undefined) await panel.page.keyboard.press(key);
  };
  const isAt = async (panel: PanelPage, name: string): Promise<void> => {
    // A few frames after what was rendered.
    await panel.until(`${focusedName} === ${JSON.stringify(name)}`);
  };

  it("P6: write, send, queue, stop, open thinking, copy, regenerate, edit and resend", async () => {
    const panel = await open();
    const { keyboard } = panel.page;
    await tabTo(panel, "Prompt");
    await keyboard.type("Hello");
    await keyboard.press("Enter");
    assert.equal((await panel.intent("prompt-submit")).text, "Hello");
    await panel.events(...prompt("p1", "Hello"), started("a1"));
    await panel.events(...said("a1", { type: "reasoning-delta", block: 0, text: "A greeting." }), text("a1", 1, "Hi."));
    await isAt(panel, "Prompt");

    await keyboard.type("And then?");
    await keyboard.press("Enter");
    await panel.events(queue("q1", "And then?"));
    await tabTo(panel, "Remove Message", "Enter", true);
    assert.equal((await panel.intent("queue-remove")).id, "q1");
    await panel.events({ type: "prompt-unqueued", id: "q1" });
    await isAt(panel, "Prompt");

    await tabTo(panel, "Stop", "Enter");
    await panel.intent("turn-stop");
    await panel.events(
      ...said("a1", { type: "message-end", finish: "unknown", cut: true }),
      ...ended("a1", { state: "stopped" }),
      { type: "turn-ended" },
    );
    await isAt(panel, "Prompt");

    await tabTo(panel, "Thought", "Enter", true);
    await panel.until("document.querySelector('details').open");
    await tabTo(panel, "Copy Answer as Markdown", "Enter");
    await panel.page.getByText("Copied", { exact: true }).waitFor({ state: "attached" });
    await isAt(panel, "Copy Answer as Markdown");
    await tabTo(panel, "Regenerate", "Enter");
    await panel.intent("turn-regenerate");
    await panel.events({ type: "entries-replaced", from: "a1" }, { type: "turn-started" }, started("a2"));
    await isAt(panel, "Prompt");
    await panel.events(text("a2", 0, "Hello to you."), ...finished("a2"));

    await tabTo(panel, "Undo", "Enter", true);
    await panel.intent("branch-switch");
    await panel.events({ type: "branch-switched" });
    await isAt(panel, "Redo");

    await tabTo(panel, "Edit and Resend", "Enter", true);
    await isAt(panel, "Edit message");
    await keyboard.type(" there");
    await keyboard.press("Enter");
    const { entry, text: sent } = await panel.intent("prompt-resend");
    assert.deepEqual([entry, sent], ["p1", "Hello there"]);
    await panel.events(
      { type: "prompt-added", id: "p2", text: "Hello there", at: 0, replaces: "p1" },
      { type: "turn-started" },
    );
    await isAt(panel, "Prompt");
  });

  it("P6: one key goes to the question that waits, which is allowed, or not allowed with a word; the focus is kept", async () => {
    for (const isAllowed of [true, false]) {
      const panel = await open();
      const { keyboard } = panel.page;
      await tabTo(panel, "Prompt");
      await panel.events(...shortEdit);
      await isAt(panel, "Prompt");
      await panel.post({ type: "approval-focus" });
      await panel.until("document.activeElement.matches('.approval-yes')");
      if (isAllowed) {
        await panel.until(allowWorks);
        await keyboard.press("Enter");
      } else {
        await tabTo(panel, "Say why not…", "Enter");
        await isAt(panel, "Word to the model, sent with Don't Allow");
        await keyboard.type("not now");
        await keyboard.press("Enter");
      }
      const { allow, note } = await panel.intent("approval-decide");
      assert.deepEqual([allow, note], [isAllowed, isAllowed ? undefined : "not now"]);
      // The buttons are disabled until the host answers.
      await isAt(panel, "Prompt");
      if (isAllowed) await panel.close();
    }
  });

  it("P6 (findings 40, N2): with the key to the question, Enter allows it: two keys in all", async () => {
    const panel = await open();
    const { keyboard } = panel.page;
    await tabTo(panel, "Prompt");
    await panel.events(...shortEdit);
    await panel.post({ type: "approval-focus" });
    await panel.until("document.activeElement.matches('.approval-yes')");
    await panel.until(allowWorks);
    await keyboard.press("Enter");
    assert.equal((await panel.intent("approval-decide")).allow, true);
    // The card goes when the host has decided.
    await panel.events({ type: "turn-interrupted" });
    await isAt(panel, "Prompt");
  });

  it("P6: the key to the question works on a page that is still loading, and does nothing where nothing waits", async () => {
    const panel = await open();
    await tabTo(panel, "Prompt");
    await panel.post({ type: "approval-focus" });
    await isAt(panel, "Prompt");
    await panel.page.reload();
    panel.advance(...shortEdit);
    await panel.snapshot();
    await panel.post({ type: "approval-focus" });
    await panel.until("document.activeElement.matches('.approval-yes')");
  });

  it("P6: a press on plain text may take the focus away; what goes with the last suggestion gives it to the composer", async () => {
    const panel = await open();
    await tabTo(panel, "Explain what src/app.ts does");
    await panel.events(...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi."));
    await isAt(panel, "Prompt");
    await panel.page.locator(".answer .markdown").click();
    await panel.events(...finished("a1"));
    await isAt(panel, "Chat");
  });

  it("P6: each turn has headings, also in rows that are far away", async () => {
    const panel = await open();
    await panel.show(
      Array.from({ length: 40 }, (_, turn) => [
        ...prompt(`p${turn}`, `Question ${turn}`),
        started(`a${turn}`),
        text(`a${turn}`, 0, `Answer ${turn}.\n\n${"A line.\n\n".repeat(20)}`),
        ...finished(`a${turn}`),
      ]).flat(),
    );
    await panel.until("document.querySelectorAll('.row.far').length > 20");
    assert.equal(await panel.page.getByRole("heading", { level: 2, name: "You" }).count(), 40);
    assert.equal(await panel.page.getByRole("heading", { level: 2, name: "demo-chat" }).count(), 40);
  });
});
