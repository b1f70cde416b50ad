/** What the page says around the transcript: nothing twice, nothing over something else, and nothing that is no longer true. */
import assert from "node:assert/strict";
import { usePanel } from "../support/panelSuite";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import type { AppError } from "../../../src/domain/errors/appError";
import { describeError } from "../../../src/domain/words/describeError";
import { takePicture } from "../support/pictures";
import { answered, ended, finished, prompt, started, streaming, text } from "./scenes";

const refused = {
  title: "The gateway refused the API key.",
  meaning: "Nothing was sent, so nothing is paid.",
  action: { id: "set-key", label: "Set API Key" },
  details: "",
} as const;

describe("chat panel, notices", () => {
  const { open, button } = usePanel();

  it("P1 (finding N8): the box in which one line is edited is one line high", async () => {
    const panel = await open();
    await panel.events(...answered);
    await button("Edit and Resend").first().press("Enter");
    const box = await panel.page.locator(".message.editing").boundingBox();
    assert.ok(box && box.height < 90, JSON.stringify(box));
  });

  it("V5: what could not be sent is not suggested: while the key is refused, missing, or the gateway can't be reached", async () => {
    const panel = await open();
    const suggestions = panel.page.locator(".suggestion");
    assert.equal(await suggestions.count(), 3);
    await panel.snapshot({ problem: refused });
    assert.equal(await suggestions.count(), 0);
    await panel.post({ type: "status", status: { ...panel.status, problem: undefined, connection: "signed-out" } });
    assert.equal(await suggestions.count(), 0);
  });

  it("P6: the age of a recent chat goes on while the page stays open", async () => {
    const panel = await open();
    const now = await panel.page.evaluate<number>("Date.now()");
    await panel.snapshot({ recent: [{ id: "c", title: "Before", at: now - 65_000 }] });
    const age = panel.page.locator(".recent span");
    assert.match(await age.innerText(), /^1m/);
    await panel.page.evaluate(
      "Date.now = ((before) => () => before() + 180_000)(Date.now); document.dispatchEvent(new Event('visibilitychange'))",
    );
    await panel.until("/^4m/.test(document.querySelector('.recent span').innerText)");
  });

  it("P3: a turn that was cut says so once, with one button", async () => {
    const panel = await open();
    await panel.events(...streaming, { type: "turn-interrupted" });
    assert.equal(await panel.page.getByText("VS Code was closed").count(), 1);
    await button("Continue").click();
    await panel.intent("turn-continue");
  });

  it("P1 (finding N14): what the last error card says is not said above the composer too", async () => {
    const panel = await open();
    const notices = panel.page.locator(".notice");
    const failing = (id: string, error: AppError): SessionEvent[] => [
      ...prompt(`p-${id}`, "Hello"),
      started(id),
      ...ended(id, { state: "failed", failure: { type: "gateway", error } }),
      { type: "turn-ended" },
    ];
    const wrongKey: AppError = { kind: "unauthorized", message: "Invalid token", status: 401 };
    const offline: AppError = { kind: "unreachable", message: "connection refused", notSent: true };
    for (const error of [wrongKey, offline]) {
      const problem = describeError(error, "models");
      await panel.show(failing("a1", error), { problem });
      assert.equal(await panel.page.getByText(problem.title).count(), 1, problem.title);
      assert.equal(await button(problem.action.label).count(), 1);
      assert.equal(await notices.count(), 0);
      await panel.events(...prompt("p2", "Again"), started("a2"), text("a2", 0, "Hi"), ...finished("a2"));
      assert.equal(await notices.count(), 1, "the card is no longer the last");
      assert.equal(await button(problem.action.label).count(), 1, "and has no button any more");
    }
    const noKey: AppError = { kind: "signed-out", message: "", notSent: true };
    await panel.show(failing("a1", noKey), { connection: "signed-out", gateway: "g.example" });
    assert.equal(await button("Set API Key").count(), 1);
  });

  it("P1 (finding N15): an error card of another gateway or key asks again, and an old one has no buttons", async () => {
    const panel = await open();
    const failure = {
      type: "gateway",
      error: { kind: "unauthorized", message: "Invalid token", status: 401 },
      home: "https://one.example abc",
    } as const;
    const events: SessionEvent[] = [
      ...prompt("p1", "Hello"),
      started("a1"),
      ...ended("a1", { state: "failed", failure }),
      { type: "turn-ended" },
    ];
    await panel.show(events, { home: failure.home });
    const card = panel.page.locator(".error-card");
    assert.deepEqual(await card.locator(".button").allInnerTexts(), ["Set API Key"]);
    await panel.post({ type: "status", status: { ...panel.status, home: "https://two.example abc" } });
    assert.deepEqual(await card.locator(".button").allInnerTexts(), ["Try Again"]);
    assert.match(await card.innerText(), /Another gateway or another API key has been chosen meanwhile\./);
    await button("Try Again").click();
    await panel.intent("turn-retry");
    await panel.events(...prompt("p2", "Again"), started("a2"), text("a2", 0, "Hi"), ...finished("a2"));
    assert.equal(await card.locator(".button").count(), 0);
    assert.match(await card.innerText(), /did not accept the API key/);
  });

  it("P6: at 200 pixels no button of the composer touches its border", async () => {
    const panel = await open({ size: { width: 200, height: 600 } });
    const context = { used: 118_000, size: 128_000, messages: 20, answers: 30, tools: 100_000, rest: 17_950 };
    await panel.show([...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi")], { context });
    for (const draft of ["", "And then?"]) {
      await panel.page.getByRole("textbox", { name: "Prompt" }).fill(draft);
      const gaps = await panel.page.evaluate<number[]>(
        `(() => { const { left, right, bottom } = document.querySelector(".composer").getBoundingClientRect();
          return [...document.querySelectorAll(".composer-bar button")].map((one) => one.getBoundingClientRect())
            .map((one) => Math.min(one.left - left, right - one.right, bottom - one.bottom)); })()`,
      );
      assert.ok(
        gaps.every((gap) => gap >= 3),
        `${draft}: ${gaps.join(", ")}`,
      );
    }
  });

  it("V4 (finding N17): Restricted Mode is said once, and covers no suggestion", async () => {
    const panel = await open({ size: { width: 300, height: 480 } });
    await panel.snapshot({ trusted: false, local: true });
    assert.equal(await panel.page.getByText("Restricted Mode").count(), 1);
    await button("Manage Trust").click();
    assert.deepEqual(await panel.intent("state-action"), { type: "state-action", action: "manage-trust" });
    await panel.events(...answered);
    assert.equal(await panel.page.locator(".notices").getByText("Restricted Mode").count(), 1);
  });

  it("P1: a notice is one slim line at 300 pixels, with its whole text as its tooltip, and is whole where a line holds hardly a word", async () => {
    const panel = await open({ size: { width: 300, height: 480 } });
    const states = [
      { trusted: false },
      { trusted: true, commandsAllowed: true },
      { chatNotice: { text: "Another window writes this chat. It is shown here as it arrives.", canTakeOver: false } },
      { chatNotice: { text: "Its window was closed.", canTakeOver: true } },
    ] as const;
    const notice = panel.page.locator(".notice");
    const heightOf = async (): Promise<number> => (await notice.boundingBox())?.height ?? NaN;
    for (const state of states) {
      await panel.show(answered, state);
      await takePicture(panel.page, `notice-${Object.keys(state).at(-1) ?? ""}`);
      assert.ok((await heightOf()) <= 28, `${await notice.innerText()}: ${await heightOf()}`);
    }
    await panel.show([...answered, ...prompt("p2", "Again"), started("a5"), text("a5", 0, "Hi"), ...finished("a5")]);
    await panel.events({ type: "prompt-added", id: "p3", text: "Once more", at: 0, replaces: "p2" });
    await panel.events({ type: "turn-started" }, started("a6"), text("a6", 0, "Hi"), ...finished("a6"));
    assert.match(await notice.innerText(), /^The message was replaced\./);
    assert.ok((await heightOf()) <= 28);
    assert.equal(await notice.locator("span[title]").getAttribute("title"), "The message was replaced.");
    await panel.show(answered, states[2]);
    await panel.setSize({ width: 200, height: 480 });
    assert.ok(
      await panel.page.evaluate(
        "[...document.querySelectorAll('.notice > span')].every((one) => one.scrollWidth <= one.clientWidth)",
      ),
    );
  });

  it("P6 (newuser M8): at 200 pixels what can be tried is in view, at 300 the words that matter come first", async () => {
    const panel = await open({ size: { width: 200, height: 480 } });
    await panel.snapshot({ local: true, demoModel: true });
    const last = (await panel.page.locator(".suggestion").last().boundingBox())!;
    const composer = (await panel.page.locator(".composer").boundingBox())!;
    assert.ok(last.y + last.height <= composer.y, `${last.y + last.height} of ${composer.y}`);
    await panel.setSize({ width: 300, height: 480 });
    await panel.show(answered, { trusted: false });
    assert.match(await panel.page.locator(".notice").innerText(), /^No tools/);
  });

  it("T18: costs that the cap of money can't count are one line, which leads to the cap", async () => {
    const panel = await open({ size: { width: 300, height: 480 } });
    await panel.snapshot({ uncounted: "Costs in USD don't count for your cap of €5.00." });
    const notice = panel.page.locator(".notice");
    await takePicture(panel.page, "notice-uncounted");
    assert.equal(
      (await notice.locator("span[title]").innerText()).trim(),
      "Costs in USD don't count for your cap of €5.00.",
    );
    assert.ok(((await notice.boundingBox())?.height ?? NaN) <= 28);
    await button("Change Cap").click();
    assert.deepEqual(await panel.intent("state-action"), { type: "state-action", action: "change-money-cap" });
  });

  it("P1: of several notices one line shows the last that came up, and a button the others", async () => {
    const panel = await open();
    await panel.show(answered, { trusted: false, commandsAllowed: true });
    const notices = panel.page.locator(".notice");
    assert.match(await notices.innerText(), /^Commands run without asking/);
    await panel.snapshot({ chatNotice: { text: "Another window writes this chat.", canTakeOver: false } });
    assert.match(await notices.innerText(), /^Another window writes/);
    await button("Show 2 more notices").click();
    assert.match(await notices.innerText(), /^Commands run without asking/);
    await button("Show 2 more notices").click();
    assert.match(await notices.innerText(), /^No tools in Restricted Mode/);
    await panel.snapshot({ problem: refused });
    assert.match(await notices.innerText(), /^The gateway refused the API key\./);
    assert.equal(await notices.count(), 1);
    await button("Set API Key").click();
    await panel.intent("error-action");
  });
});
