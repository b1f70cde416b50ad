/** Messages that are written while an answer runs: shown waiting, edited, removed, sent after a stop. */
import assert from "node:assert/strict";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { usePanel } from "../support/panelSuite";
import { called, ended, finished, prompt, queue, started, text } from "./scenes";

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

  it("A11: Ctrl+Enter sends now; a waiting message is switched to now and back by its button, and is shown as sent in the turn", async () => {
    const panel = await open();
    await panel.events(...running);
    await composer().fill("use tabs");
    await composer().press("Control+Enter");
    assert.deepEqual((await panel.intent("prompt-submit")).now, true);
    await panel.events({ ...queue("q1", "use tabs"), now: true } as SessionEvent, queue("q2", "later"));
    const switches = panel.page.locator(".queued-now");
    const pressed = async (): Promise<(string | null)[]> =>
      Promise.all((await switches.all()).map((one) => one.getAttribute("aria-pressed")));
    assert.deepEqual(await pressed(), ["true", "false"]);
    await panel.page.getByText("Sent when the answer ends, “now” first", { exact: true }).waitFor();
    await switches.last().click();
    const { id, now } = await panel.intent("queue-reschedule");
    assert.deepEqual([id, now], ["q2", true]);
    await panel.events({ type: "prompt-rescheduled", id: "q2", now: true });
    assert.deepEqual(await pressed(), ["true", "true"]);
    await panel.page.getByText("Sent as soon as this answer ends", { exact: true }).waitFor();
    assert.match((await switches.first().getAttribute("title")) ?? "", /^Sent first when this answer ends/);
    await panel.events(...called("a1", "c1", 1, "read_file", { path: "src/app.ts" }));
    await panel.page.getByText("Sent in this turn, after the tool that runs", { exact: true }).waitFor();
    assert.match((await switches.first().getAttribute("title")) ?? "", /^Sent after the tool that runs/);
    await panel.events(...ended("a1"), { type: "prompt-added", id: "q1", text: "use tabs", at: 0, steers: true });
    assert.equal(await panel.page.getByText("Sent while the model worked.").count(), 1);
    assert.equal(await panel.page.locator(".footer").count(), 0, "the turn goes on");
  });

  it("A11: a wait before another try counts down and can be stopped; what broke off offers to go on", async () => {
    const panel = await open();
    const error = { kind: "unavailable", message: "Overloaded", status: 529 } as const;
    const retry = (delayMs: number): SessionEvent => ({
      type: "answer-retry",
      id: "a1",
      retry: { error, delayMs, at: Date.now() },
    });
    await panel.events(...prompt("p1", "Hello"), started("a1"), retry(2000), retry(4000), retry(60_000));
    await panel.page.getByText("Tried again 2 times: The gateway is overloaded.").waitFor();
    const rows = panel.page.locator(".end");
    const line = rows.getByText(/^The gateway is overloaded\. Trying again in \d+ s\.$/);
    await line.waitFor();
    const shown = await line.innerText();
    await rows.getByText(shown, { exact: true }).waitFor({ state: "detached" });
    await line.waitFor();
    const [before, now] = [shown, await line.innerText()].map((text) => Number(/\d+/.exec(text)?.[0]));
    assert.ok(now! < before! && before! <= 60, `${before}, then ${now}`);
    await panel.page.locator(".row").getByRole("button", { name: "Stop" }).click();
    await panel.intent("turn-stop");
    await panel.events(text("a1", 0, "Half of"), ...ended("a1"), { type: "turn-ended" });
    assert.equal(await button("Go On").count(), 0, "it came to its end");
    await panel.events(
      ...prompt("p2", "And?"),
      started("a2"),
      text("a2", 0, "Half of"),
      { type: "answer-event", id: "a2", event: { type: "message-end", finish: "length", cut: false } },
      ...ended("a2"),
      { type: "turn-ended" },
    );
    await button("Go On").click();
    await panel.intent("turn-continue");
    assert.equal(await button("Regenerate").count(), 1);
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

  it("P1: after a stop the messages stay and Send Now sends them; the last one removed leaves the focus in the composer", async () => {
    const panel = await open();
    const stopped: SessionEvent[] = [...ended("a1", { state: "stopped" }), { type: "turn-ended" }];
    await panel.events(...running, queue("q1", "first"), ...stopped);
    await panel.page.locator(".queue").getByRole("button", { name: "Send Now" }).click();
    await panel.intent("queue-send");
    await panel.page.getByRole("button", { name: "Remove Message" }).press("Enter");
    assert.equal((await panel.intent("queue-remove")).id, "q1");
    await panel.events({ type: "prompt-unqueued", id: "q1" });
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
  });

  it("P1: what a stop has left waiting says so, and is sent or discarded with one click", async () => {
    const panel = await open();
    const stopped: SessionEvent[] = [...ended("a1", { state: "stopped" }), { type: "turn-ended" }];
    await panel.events(...running, queue("q1", "first"), queue("q2", "second"));
    assert.equal(await button("Discard").count(), 0, "nothing is held");
    await panel.events(...stopped);
    await panel.page.locator(".queue").getByText("Held because you stopped", { exact: true }).waitFor();
    await button("Discard").press("Enter");
    await panel.intent("queue-remove", 2);
    const removed = (await panel.intents()).flatMap((one) => (one.type === "queue-remove" ? [one.id] : []));
    assert.deepEqual(removed, ["q1", "q2"]);
    await panel.events({ type: "prompt-unqueued", id: "q1" }, { type: "prompt-unqueued", id: "q2" });
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
  });
});
