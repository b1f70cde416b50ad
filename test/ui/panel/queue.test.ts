/** Messages that are written while an answer runs: shown waiting, edited, removed, sent after a stop. */
import assert from "node:assert/strict";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { usePanel } from "./panelSuite";
import { ended, finished, prompt, queue, started, text } from "./scenes";

const running = [...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi")];

describe("chat panel, queued messages", () => {
  const { open, composer, button } = usePanel();

  it("P1: Enter while an answer runs queues: the draft goes when the host has it, the message waits above the composer", async () => {
    const panel = await open();
    await panel.events(...running);
    await composer().fill("And then?");
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit")).text, "And then?");
    assert.equal(await composer().inputValue(), "And then?", "the draft is kept until the host has it");
    await panel.events(queue("q1", "And then?"));
    assert.equal(await composer().inputValue(), "");
    assert.deepEqual(await panel.page.locator(".queued-text").allInnerTexts(), ["And then?"]);
    assert.equal(await button("Send").count(), 0);
    const heard = await panel.page.locator("[aria-live=polite] div").last().textContent();
    assert.equal(heard, "Queued: 1 waiting");
    await panel.events(...finished("a1"), { type: "prompt-added", id: "q1", text: "And then?", at: 0 });
    assert.equal(await panel.page.locator(".queue").count(), 0);
    assert.deepEqual(await panel.page.locator(".message").allInnerTexts(), ["Hello", "And then?"]);
  });

  it("P1: a waiting message goes back into the composer before the draft, and is in it once even when it was sent meanwhile", async () => {
    const panel = await open();
    await panel.events(...running, queue("q1", "first"), queue("q2", "second"));
    await composer().fill("a draft");
    await panel.page.getByRole("button", { name: "Edit Message" }).first().click();
    assert.equal(await composer().inputValue(), "first\n\na draft");
    assert.equal((await panel.intent("queue-remove")).id, "q1");
    await panel.events({ type: "prompt-unqueued", id: "q1" });
    assert.deepEqual(await panel.page.locator(".queued-text").allInnerTexts(), ["second"]);
    await composer().fill("");
    await panel.page.getByRole("button", { name: "Edit Message" }).click();
    await panel.events(...finished("a1"), { type: "prompt-added", id: "q2", text: "second", at: 0 });
    assert.equal(await composer().inputValue(), "");
  });

  it("P1: after a stop the messages stay and Send sends them; the last one removed leaves the focus in the composer", async () => {
    const panel = await open();
    const stopped: SessionEvent[] = [...ended("a1", { state: "stopped" }), { type: "turn-ended" }];
    await panel.events(...running, queue("q1", "first"), ...stopped);
    await panel.page.locator(".queue").getByRole("button", { name: "Send" }).click();
    await panel.intent("queue-send");
    await panel.page.getByRole("button", { name: "Remove Message" }).press("Enter");
    assert.equal((await panel.intent("queue-remove")).id, "q1");
    await panel.events({ type: "prompt-unqueued", id: "q1" });
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
  });
});
