/** The second click of a double click, when the first has taken its row away: what is under the pointer then is left alone. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { shortEdit } from "./approvalScenes";
import { decisions, held } from "./barOfPanel";
import type { PanelPage } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { finished, progress, prompt, queue, started, text } from "./scenes";

describe("chat panel, double clicks", () => {
  const { open, button } = usePanel();

  /** Where the button is at first, as a hand does it, with time for the page to be drawn between. */
  const clickTwice = async ({ page }: PanelPage, target: Locator): Promise<void> => {
    const { x, y, width, height } = (await target.boundingBox()) ?? assert.fail("no button");
    await page.mouse.click(x + width / 2, y + height / 2, { clickCount: 2, delay: 60 });
  };
  /** Posts the events when `place` is clicked first. */
  const answerClick = async (panel: PanelPage, place: string, ...events: readonly unknown[]): Promise<void> => {
    const message = JSON.stringify({ type: "events", after: panel.revision, events });
    await panel.page.evaluate(
      `document.querySelector(${JSON.stringify(place)}).addEventListener("click", () => postMessage(${message}, "*"), { once: true })`,
    );
  };

  it("P1: on the cross of an attachment removes that one only", async () => {
    const panel = await open();
    for (const path of ["src/a.ts", "src/b.ts"])
      await panel.post({ type: "reference-add", chat: "chat-1", reference: { path } });
    await clickTwice(panel, button("Remove src/a.ts"));
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), ["src/b.ts"]);
  });

  it("P1: on the cross of a waiting message removes that one only", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi"));
    await panel.events(queue("q1", "first"), queue("q2", "second"));
    await answerClick(panel, ".queue", { type: "prompt-unqueued", id: "q1" });
    await clickTwice(panel, button("Remove Message").first());
    await panel.page.locator(".queued-text").getByText("first").waitFor({ state: "detached" });
    const removed = (await panel.intents()).flatMap((one) => (one.type === "queue-remove" ? [one.id] : []));
    assert.deepEqual(removed, ["q1"]);
  });

  it("A3: on Don't Allow answers one question, not also the next one in its place", async () => {
    const panel = await open({ size: { width: 300, height: 720 } });
    await panel.events(...shortEdit);
    await held(panel, false);
    const next = progress("a1", "c1", {
      state: "waiting",
      input: {},
      action: { type: "edit-file", path: "src/other.ts", changedLines: 1 },
      approval: { id: "approval-2", reasons: ["writes-file"] },
    });
    await answerClick(panel, ".approval-buttons", next);
    await clickTwice(panel, button("Don't Allow"));
    await panel.page.locator(".approval-what", { hasText: "Edit src/other.ts" }).waitFor();
    assert.equal(await decisions(panel), 1);
    await button("Don't Allow").click();
    const { approval, allow } = await panel.intent("approval-decide", 2);
    assert.deepEqual([approval, allow], ["approval-2", false]);
  });

  it("P1: on Stop does not send the draft, whose button takes its place", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi"));
    await panel.page.evaluate(`(() => {
      const stop = document.querySelector(".codicon-stop-circle");
      stop.addEventListener("click", () => {
        const send = document.createElement("button");
        send.id = "in-its-place";
        send.addEventListener("click", () => (globalThis.sent = true));
        stop.replaceWith(send);
      });
    })()`);
    await panel.page.evaluate(`(() => {
      const click = (element, detail) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
      click(document.querySelector(".codicon-stop-circle"), 1);
      click(document.querySelector("#in-its-place"), 2);
    })()`);
    await panel.intent("turn-stop");
    assert.equal(await panel.page.evaluate("globalThis.sent === undefined"), true);
    await panel.page.evaluate(
      `document.querySelector("#in-its-place").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }))`,
    );
    assert.equal(await panel.page.evaluate("globalThis.sent"), true, "a press of its own counts");
  });

  it("P1: on Regenerate asks once, and a held Enter too", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi"), ...finished("a1"));
    const count = async (): Promise<number> =>
      (await panel.intents()).filter(({ type }) => type === "turn-regenerate").length;
    await clickTwice(panel, button("Regenerate"));
    assert.equal(await count(), 1);
    await button("Regenerate").focus();
    for (let repeat = 0; repeat < 5; repeat += 1) await panel.page.keyboard.down("Enter");
    await panel.page.keyboard.up("Enter");
    assert.equal(await count(), 2);
  });
});
