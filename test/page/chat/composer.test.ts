/** Writing, sending and stopping, in a real browser under the real policy. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { emptyChat } from "../../../src/domain/chat/chat";
import { reduceChat } from "../../../src/domain/chat/reduceChat";
import { type PanelPage, readyStatus } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { ended, prompt, said, started, text } from "./scenes";

const chinese = JSON.parse(readFileSync("l10n/bundle.l10n.zh-cn.json", "utf8")) as Record<string, string>;

describe("chat panel, composer", () => {
  const { open, composer, button } = usePanel();

  it("P1 (newuser M10): Ctrl+A selects the text at once and does not reach VS Code, whose own would select the next letter", async () => {
    const panel = await open();
    const modifier = (await panel.page.evaluate<boolean>("navigator.platform.startsWith('Mac')")) ? "Meta" : "Control";
    await panel.page.evaluate("window.addEventListener('keydown', ({ key }) => (globalThis.passed ??= []).push(key))");
    const box = composer();
    await box.fill("Hello there");
    await box.press(`${modifier}+a`);
    await box.press("w");
    assert.equal(await box.inputValue(), "w");
    assert.deepEqual(await panel.page.evaluate("passed.filter((key) => key !== 'Control' && key !== 'Meta')"), ["w"]);
  });

  it("P1: Enter sends once, and the draft goes when the host has it", async () => {
    const panel = await open();
    await composer().fill("Hello");
    await composer().press("Enter");
    await composer().press("Enter");
    assert.deepEqual(await panel.intent("prompt-submit"), { type: "prompt-submit", chat: "chat-1", text: "Hello" });
    assert.equal(await composer().inputValue(), "Hello");
    await panel.events(...prompt("p1", "Hello"));
    assert.equal(await composer().inputValue(), "");
    assert.equal((await panel.intents()).filter(({ type }) => type === "prompt-submit").length, 1);
    assert.equal(await panel.page.locator(".message").innerText(), "Hello");
  });

  it("P1: what is typed behind a prompt that the host has not accepted yet is the next one, also where Enter came too early", async () => {
    const panel = await open();
    await composer().fill("Explain it.");
    await composer().press("Enter");
    await panel.intent("prompt-submit");
    await composer().pressSequentially("Then");
    await panel.events({ type: "prompt-added", id: "p1", text: "Explain it.", at: 0 });
    assert.equal(await composer().inputValue(), "Then");
    await composer().pressSequentially(" test it.");
    assert.equal(await composer().inputValue(), "Then test it.");
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit", 2)).text, "Then test it.");
    await composer().pressSequentially("Once more.");
    await composer().press("Enter");
    await panel.events({ type: "prompt-queued", id: "p2", text: "Then test it.", at: 0 });
    assert.equal((await panel.intent("prompt-submit", 3)).text, "Once more.");
    await panel.events({ type: "prompt-queued", id: "p3", text: "Once more.", at: 0 });
    assert.equal(await composer().inputValue(), "");
  });

  it("P1, A11: an Enter behind a prompt keeps its meaning, a refusal ends it, and the rest is no command", async () => {
    const panel = await open();
    await composer().fill("Explain it.");
    await composer().press("Enter");
    await panel.intent("prompt-submit");
    await composer().pressSequentially("Then");
    await composer().press("Control+Enter");
    await panel.events({ type: "prompt-added", id: "p1", text: "Explain it.", at: 0 }, { type: "turn-started" });
    const next = await panel.intent("prompt-submit", 2);
    assert.deepEqual([next.text, next.now], ["Then", true]);
    await panel.events({ type: "prompt-queued", id: "p2", text: "Then", at: 0 });

    await composer().fill("Look at src");
    await composer().press("Enter");
    await panel.intent("prompt-submit", 3);
    await composer().pressSequentially("/tests");
    await composer().press("Enter");
    await panel.events({ type: "prompt-queued", id: "p3", text: "Look at src", at: 0 });
    assert.equal(await composer().inputValue(), "/tests");

    await composer().fill("One");
    await composer().press("Enter");
    await panel.intent("prompt-submit", 4);
    await composer().pressSequentially(" and two");
    await composer().press("Enter");
    await panel.post({ type: "composer-hint", text: "Not sent.", isRefusal: true });
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit", 5)).text, "One and two");
    await panel.events({ type: "prompt-queued", id: "p4", text: "One and two", at: 0 });
    assert.equal(await composer().inputValue(), "");
    assert.doesNotMatch(await panel.page.locator("body").innerText(), /Write a prompt first/);
  });

  it("P1: an attachment that arrives before the host has accepted a prompt keeps the Enter behind it, and goes with the next prompt", async () => {
    const panel = await open();
    const attach = (path: string): Promise<void> =>
      panel.post({ type: "reference-add", chat: "chat-1", reference: { path } });
    await composer().fill("Explain it.");
    await composer().press("Enter");
    await panel.intent("prompt-submit");
    await attach("a.ts");
    await composer().pressSequentially("Then test it.");
    await composer().press("Enter");
    await attach("b.ts");
    await panel.events({ type: "prompt-added", id: "p1", text: "Explain it.", at: 0 });
    const { text, references } = await panel.intent("prompt-submit", 2);
    assert.deepEqual([text, references], ["Then test it.", [{ path: "a.ts" }, { path: "b.ts" }]]);
    await attach("c.ts");
    await panel.events({ type: "prompt-queued", id: "p2", text: "Then test it.", at: 0 });
    assert.equal(await composer().inputValue(), "");
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), ["c.ts"]);
  });

  it("P1: a text that is changed otherwise before the host has accepted it stays as it is", async () => {
    const panel = await open();
    await composer().fill("Explain it.");
    await composer().press("Enter");
    await panel.intent("prompt-submit");
    await composer().fill("Explain them.");
    await panel.events({ type: "prompt-added", id: "p1", text: "Explain it.", at: 0 });
    assert.equal(await composer().inputValue(), "Explain them.");
  });

  it("N21, P1: what another chat came before stays in the composer, with why, and the next Enter sends it there", async () => {
    const panel = await open();
    await composer().fill("Hello");
    await composer().press("Enter");
    const chat = [...prompt("p1", "Hello")].reduce(reduceChat, emptyChat("chat-2"));
    await panel.post({ type: "snapshot", revision: 9, snapshot: { chat, status: readyStatus } });
    assert.equal(await composer().inputValue(), "Hello", "an equal prompt of the other chat is another one");
    await panel.post({ type: "composer-hint", text: "Not sent.", isRefusal: true });
    assert.equal(await panel.page.locator(".hint").innerText(), "Not sent.");
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit", 2)).chat, "chat-2");
    await panel.post({ type: "events", after: 9, events: [{ type: "prompt-queued", id: "p2", text: "Hello", at: 0 }] });
    assert.equal(await composer().inputValue(), "");
  });

  it("N21, P1: a snapshot in which a prompt of the same words was before does not clear the draft", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Go on"), { type: "turn-ended" });
    await composer().fill("Go on");
    await composer().press("Enter");
    await panel.snapshot();
    assert.equal(await composer().inputValue(), "Go on");
    await panel.events(...prompt("p2", "Go on"));
    assert.equal(await composer().inputValue(), "");
  });

  it("P1, P4: a prompt that was refused stays when another window sends the same, and goes as it is once the cause is gone", async () => {
    const panel = await open();
    await composer().fill("Go on");
    await composer().press("Enter");
    await panel.post({ type: "composer-hint", text: "Not sent: another window writes this chat.", isRefusal: true });
    await panel.events(...prompt("p1", "Go on"), { type: "turn-ended" });
    assert.equal(await composer().inputValue(), "Go on", "that one is the other window's");
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit", 2)).text, "Go on");
    await panel.events(...prompt("p2", "Go on"));
    assert.equal(await composer().inputValue(), "");
  });

  describe("before the chat is loaded", () => {
    const loading = async (): Promise<PanelPage> => {
      const panel = await open();
      // The host's first snapshot is still to come.
      await panel.page.reload();
      await composer().fill("Hello");
      return panel;
    };
    const count = async (panel: PanelPage): Promise<number> =>
      (await panel.intents()).filter(({ type }) => type === "prompt-submit").length;
    const hint = (panel: PanelPage): Promise<string> => panel.page.locator(".hint").innerText();

    for (const how of ["Enter", "Send"]) {
      it(`P1: a prompt that ${how} has sent too early is held, shown as such, and sent with the first snapshot, once`, async () => {
        const panel = await loading();
        if (how === "Enter") await composer().press("Enter");
        else await button("Send").click();
        assert.match(await hint(panel), /^Sent as soon as the chat is loaded\. Take Back$/);
        await composer().press("Enter");
        assert.equal(await count(panel), 0);
        await panel.snapshot();
        assert.equal((await panel.intent("prompt-submit")).text, "Hello");
        assert.equal(await hint(panel), "");
        // What the host has of its gateway comes with the snapshot, and the person may press again.
        await panel.post({ type: "status", status: readyStatus });
        await composer().press("Enter");
        await panel.events(...prompt("p1", "Hello"));
        assert.equal(await composer().inputValue(), "");
        assert.equal(await count(panel), 1);
      });
    }

    for (const [how, act] of [
      ["Escape", () => composer().press("Escape")],
      ["a press", () => button("Take Back").click()],
      ["a change", () => composer().press("x")],
    ] as const) {
      it(`P1, P6: ${how} takes it back: the text stays, with the focus, and nothing is sent until the next Enter`, async () => {
        const panel = await loading();
        await composer().press("Enter");
        await act();
        assert.equal(await hint(panel), "");
        assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
        await panel.snapshot();
        assert.equal(await count(panel), 0);
        assert.match(await composer().inputValue(), /^Hellox?$/);
        await composer().press("Enter");
        assert.match((await panel.intent("prompt-submit")).text, /^Hellox?$/);
      });
    }
  });

  it("P1: Shift+Enter breaks the line and the box grows to twelve lines", async () => {
    const panel = await open();
    await composer().fill("one");
    const height = async (): Promise<number> => (await composer().boundingBox())!.height;
    const single = await height();
    await composer().press("Shift+Enter");
    await composer().pressSequentially("two");
    assert.equal(await composer().inputValue(), "one\ntwo");
    assert.ok((await height()) > single);
    await composer().fill(Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n"));
    const lines =
      (await height()) /
      (await panel.page.evaluate<number>(
        "parseFloat(getComputedStyle(document.querySelector('textarea')).lineHeight)",
      ));
    assert.ok(lines > 11.5 && lines < 13, `${lines} lines high`);
    assert.deepEqual(
      (await panel.intents()).map(({ type }) => type),
      ["view-ready"],
    );
  });

  it("P1: Enter that takes an input method's word does not send, told by either sign", async () => {
    const panel = await open();
    await composer().fill("nihon");
    const enter = (init: string): Promise<unknown> =>
      panel.page.evaluate(
        `document.querySelector("textarea").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ${init} }))`,
      );
    await enter("isComposing: true");
    await enter("keyCode: 229");
    assert.deepEqual(
      (await panel.intents()).map(({ type }) => type),
      ["view-ready"],
    );
    await enter("keyCode: 13");
    assert.equal((await panel.intent("prompt-submit")).text, "nihon");
  });

  it("P1: an empty prompt is not sent and says why", async () => {
    const panel = await open();
    assert.ok(await button("Send").isDisabled());
    await composer().fill("  \n ");
    assert.ok(await button("Send").isDisabled());
    await composer().press("Enter");
    assert.equal(await panel.page.locator(".hint").innerText(), "Write a prompt first.");
    assert.deepEqual(
      (await panel.intents()).map(({ type }) => type),
      ["view-ready"],
    );
  });

  it("A5: /rewind while an answer runs says why it can't be done, and asks the host for nothing", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Hello"), started("a1"));
    await composer().fill("/rewind");
    await composer().press("Escape");
    await composer().press("Enter");
    assert.match(await panel.page.locator(".hint").innerText(), /^An answer is running\. Stop it first/);
    assert.equal(await composer().inputValue(), "/rewind");
    assert.ok(!(await panel.intents()).some(({ type }) => type === "chat-rewind"));
  });

  it("A5 (newuser L2): how an answer is stopped is no longer said once it has ended", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Hello"), started("a1"));
    await composer().press("Escape");
    assert.match(await panel.page.locator(".hint").innerText(), /stops the answer/);
    await panel.events(...ended("a1"), { type: "turn-ended" });
    await panel.until("!/stops the answer/.test(document.querySelector('.hint')?.innerText ?? '')");
  });

  it("P1: commands are found by the names that other chats give them, which are not listed", async () => {
    const panel = await open();
    const names = (): Promise<string[]> => panel.page.getByRole("option").locator(".file-name").allInnerTexts();
    await composer().pressSequentially("/re");
    assert.deepEqual(await names(), ["/rewind", "/history"]);
    await composer().press("Enter");
    assert.equal((await panel.intent("chat-rewind")).entry, "");
    for (const [alias, type] of [
      ["/clear", "chat-new"],
      ["/compact", "chat-summarize"],
      ["/resume", "command-run"],
    ] as const) {
      await composer().fill(alias);
      assert.equal((await names()).length, 1, alias);
      await composer().press("Escape");
      await composer().press("Enter");
      await panel.intent(type);
    }
  });

  it("P1: a command that is chosen from the list keeps the text behind it; one that takes no text is not run, and says so", async () => {
    const panel = await open();
    const typeOver = async (name: string): Promise<void> => {
      await composer().fill("/explain the retry logic in http.ts, line 3");
      await composer().press("Control+Home");
      for (let at = 0; at < "/explain".length; at += 1) await composer().press("Shift+ArrowRight");
      await panel.page.keyboard.type(name);
      await panel.page.getByRole("option", { name }).first().waitFor();
    };
    await typeOver("/fix");
    await composer().press("Enter");
    assert.equal(
      await composer().inputValue(),
      "Find what is wrong in this code and fix it. the retry logic in http.ts, line 3",
    );
    await typeOver("/fi");
    // The caret alone does not change what was typed.
    await composer().press("ArrowLeft");
    await panel.page.getByRole("option", { name: "/fix" }).click();
    assert.equal(
      await composer().inputValue(),
      "Find what is wrong in this code and fix it. the retry logic in http.ts, line 3",
    );
    for (const name of ["/new", "/model", "/summarize"]) {
      await typeOver(name.slice(0, -1));
      await panel.page.getByRole("option", { name: new RegExp(`^${name}\\b`) }).click();
      assert.equal(await composer().inputValue(), `${name} the retry logic in http.ts, line 3`);
      assert.match(await panel.page.locator(".hint").innerText(), new RegExp(`^${name} takes no text\\.`));
    }
    const asked = await panel.intents();
    assert.deepEqual(new Set(asked.map(({ type }) => type)), new Set(["view-ready", "prompts-list", "context-add"]));
    for (const one of asked)
      if (one.type === "context-add") await panel.post({ type: "attaching-ended", key: one.key });
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit")).text, "/summarize the retry logic in http.ts, line 3");
  });

  it("A5: what a rewind brings back is before the draft, with a blank line between", async () => {
    const panel = await open();
    await panel.post({ type: "composer-insert", chat: "chat-1", text: "Mend it.", isBefore: true });
    assert.equal(await composer().inputValue(), "Mend it.");
    await composer().fill("a draft");
    await panel.post({ type: "composer-insert", chat: "chat-1", text: "Mend it.", isBefore: true });
    assert.equal(await composer().inputValue(), "Mend it.\n\na draft");
    await composer().pressSequentially(" Now.");
    assert.equal(await composer().inputValue(), "Mend it. Now.\n\na draft");
  });

  it("P1, P6: Arrow Up in the empty composer brings back what was sent, older ones further up, Arrow Down goes forward; a changed text keeps its arrows", async () => {
    const panel = await open();
    const sent = ["first", "/explain", "line one\nline two", "line one\nline two"];
    await panel.events(...sent.flatMap((words, at) => prompt(`p${at}`, words)), { type: "turn-ended" });
    const heard = panel.page.locator("[aria-live=polite] div").last();
    await composer().press("ArrowDown");
    assert.equal(await composer().inputValue(), "");
    await composer().press("ArrowUp");
    assert.equal(await composer().inputValue(), "line one\nline two");
    assert.equal(await heard.textContent(), "Sent before: line one");
    await composer().press("ArrowUp");
    assert.equal(await composer().inputValue(), "line one\nline two", "the caret goes up a line");
    await composer().press("ArrowUp");
    assert.equal(await composer().inputValue(), "/explain");
    assert.equal(await panel.page.locator(".files").count(), 0, "no list that would take the next arrow");
    await composer().press("ArrowUp");
    await composer().press("ArrowUp");
    assert.equal(await composer().inputValue(), "first");
    await composer().press("ArrowDown");
    await composer().press("ArrowDown");
    await composer().press("ArrowDown");
    assert.equal(await composer().inputValue(), "");
    await composer().press("ArrowUp");
    await composer().press("End");
    await composer().pressSequentially("!");
    await composer().press("ArrowUp");
    await composer().press("ArrowUp");
    assert.equal(await composer().inputValue(), "line one\nline two!");
    assert.ok((await panel.intents()).every(({ type }) => type !== "prompt-submit"));
  });

  it("P1, P6: while an answer runs Escape keeps the draft and in the empty box names the key that stops it, and Stop is alone until there is one", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi"));
    assert.equal(await panel.page.locator(".send:not(.codicon-cloud-upload)").count(), 1);
    await composer().press("Escape");
    assert.match(
      await panel.page.locator(".hint").innerText(),
      /^\S+\+\S+ stops the answer\.$/,
      "it does not by itself",
    );
    await composer().fill("And then?");
    await composer().press("Escape");
    assert.equal(await composer().inputValue(), "And then?");
    assert.equal(await panel.page.locator(".hint").innerText(), "");
    assert.equal(await button("Queue").count(), 1);
    await button("Stop").click();
    await panel.intent("turn-stop");
    await panel.events(
      ...said("a1", { type: "message-end", finish: "unknown", cut: true }),
      ...ended("a1", { state: "stopped" }),
      { type: "turn-ended" },
    );
    assert.match(await panel.page.locator(".end").innerText(), /^Stopped\. What arrived is kept/);
    assert.equal(await panel.page.getByText("May be cut").count(), 0);
    assert.ok(await button("Send").isEnabled());
    assert.ok(!(await panel.intents()).some(({ type }) => type === "prompt-submit"));
  });

  it("V5 (finding 19): a suggestion is sent with one click", async () => {
    const panel = await open();
    await button("Find every TODO and list it").click();
    const { text } = await panel.intent("prompt-submit");
    assert.equal(text, "Find every TODO and list it");
    assert.ok(await panel.page.evaluate("document.activeElement === document.querySelector('textarea')"));
  });

  it("P1: a suggestion is put to a draft and not sent; the model's button asks the host", async () => {
    const panel = await open();
    await composer().fill("First: ");
    await button("Find every TODO and list it").click();
    assert.equal(await composer().inputValue(), "First: Find every TODO and list it");
    await panel.page.getByTitle("Choose Model").click();
    await panel.intent("model-choose");
    assert.ok(!(await panel.intents()).some(({ type }) => type === "prompt-submit"));
  });

  it("P1: the host puts text into the composer without sending", async () => {
    const panel = await open();
    await composer().fill("Look at ");
    await panel.post({ type: "composer-insert", chat: "chat-1", text: "src/app.ts" });
    assert.equal(await composer().inputValue(), "Look at src/app.ts");
  });

  it("V5 (finding 19): an empty chat begins at its first line, also where it is higher than the view", async () => {
    const panel = await open({ size: { width: 200, height: 320 } });
    const title = await panel.page.locator(".empty-title").boundingBox();
    assert.ok(title && title.y >= 0, JSON.stringify(title));
    await button("Rename greet to welcome in src/app.ts").scrollIntoViewIfNeeded();
  });

  it("P1, P6: the context meter says how full it is and, by pointer or keyboard, what fills it", async () => {
    const panel = await open();
    assert.equal(await panel.page.locator(".context").count(), 0);
    const parts = { messages: 1000, answers: 4567, tools: 60_000, rest: 34_433 };
    await panel.snapshot({ context: { used: 100_000, size: 128_000, ...parts } });
    const meter = panel.page.locator(".context");
    const sentence =
      "Context: 100,000 of 128,000 tokens. About: your messages 1,000, answers 4,600, tool results 60,000, instructions and tool descriptions 34,000";
    assert.equal(await meter.innerText(), "78%");
    assert.equal(await meter.getAttribute("title"), sentence);
    await meter.press("Enter");
    assert.equal(await panel.page.locator(".hint").innerText(), sentence);
    const some = { used: 1560, messages: 0, answers: 0, tools: 0, rest: 1560 };
    await panel.snapshot({ context: { ...some, size: 100_000, isAssumed: true } });
    assert.equal(await meter.innerText(), "about 2%");
    assert.match((await meter.getAttribute("title")) ?? "", /of 100,000 tokens, which is assumed/);
  });

  for (const width of [300, 340, 380, 400, 420])
    it(`P6, M1: at ${width} px the gateway and that it is free are whole beside the context meter`, async () => {
      const panel = await open({ size: { width, height: 500 } });
      const parts = { messages: 0, answers: 0, tools: 0, rest: 1560 };
      await panel.snapshot({ local: true, context: { used: 1560, size: 100_000, isAssumed: true, ...parts } });
      const name = panel.page.locator(".gateway-name");
      assert.equal(await name.innerText(), "Local · free");
      assert.ok(
        await name.evaluate(
          (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth <= element.clientWidth,
        ),
      );
    });

  it("C5: the model's button says what the model can do, and that it was learnt to take no tools", async () => {
    const panel = await open();
    const model = panel.page.locator(".model");
    assert.equal(await model.getAttribute("title"), "Choose Model (tools · images · 128,000 tokens)");
    await panel.snapshot({ modelFacts: "takes no tools", toolsRefused: true });
    assert.match(await model.innerText(), /tools as text/);
  });

  it("P1: a status that comes before the host has the prompt keeps the draft only until the prompt comes", async () => {
    const panel = await open();
    await composer().fill("Hello");
    await composer().press("Enter");
    await panel.post({ type: "status", status: readyStatus });
    assert.equal(await composer().inputValue(), "Hello");
    await panel.events(...prompt("p1", "Hello"));
    assert.equal(await composer().inputValue(), "");
  });

  it("C1 (finding N3): left of the model stands where a prompt goes, free only of the local gateway; a click chooses another", async () => {
    const panel = await open();
    await panel.snapshot({ local: true });
    const chip = panel.page.locator(".gateway");
    assert.match(await chip.innerText(), /Local · free$/);
    await panel.snapshot({ gateway: "gateway.example.com", local: undefined as never });
    assert.match(await chip.innerText(), /gateway\.example\.com$/);
    assert.doesNotMatch(await panel.page.locator(".composer").innerText(), /free/i);
    await chip.click();
    assert.deepEqual(await panel.intent("state-action"), { type: "state-action", action: "choose-gateway" });
  });

  it("P1, P6: at 300 pixels the bar is one line where it has room, as high while an answer runs, and mode and Send stay together where it has not", async () => {
    const panel = await open({ size: { width: 300, height: 500 }, words: chinese, context: { locale: "zh-CN" } });
    const bar = panel.page.locator(".composer-bar");
    const height = async (): Promise<number> => (await bar.boundingBox())?.height ?? 0;
    await panel.snapshot({ local: true, model: "demo-chat" });
    assert.ok((await height()) <= 30, String(await height()));
    await panel.events(...prompt("p1", "Hello"), started("a1"));
    assert.ok((await height()) <= 30, String(await height()));
    for (const gateway of ["127.0.0.1:18999", "gateway.with-a-long-name.example.com"]) {
      await panel.snapshot({ local: undefined as never, gateway, model: "vendor/a-model-with-a-long-name-2026" });
      assert.ok((await height()) <= 56, String(await height()));
      const [mode, actions] = await Promise.all(
        [".mode", ".composer-actions"].map((selector) => panel.page.locator(selector).boundingBox()),
      );
      assert.equal(mode?.y, actions?.y);
    }
  });

  it("T18, P6: at every width what is left is apart from the gateway's name", async () => {
    const panel = await open({ size: { width: 300, height: 500 } });
    const balance = [{ amount: 10, currency: "USD", source: "gateway" }] as const;
    await panel.snapshot({ local: undefined as never, gateway: "127.0.0.1:35199", balance });
    for (const width of [250, 300, 400]) {
      await panel.setSize({ width, height: 500 });
      const [name, left] = await Promise.all(
        [".gateway-name", ".gateway-left"].map((selector) => panel.page.locator(selector).boundingBox()),
      );
      assert.ok(name && left && left.x - (name.x + name.width) >= 3, JSON.stringify([width, name, left]));
    }
  });

  it("C1, P6: in a narrow view gateway and model are cut and never overflow", async () => {
    const panel = await open({ size: { width: 170, height: 500 } });
    await panel.snapshot({
      gateway: "gateway.with-a-long-name.example.com",
      model: "vendor/a-model-with-a-long-name-2026",
    });
    await composer().fill("Hello");
    for (const width of [170, 200, 300]) {
      await panel.setSize({ width, height: 500 });
      assert.ok(
        await panel.page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.composer-bar'))",
        ),
      );
      for (const name of ["gateway", "model"]) {
        const box = await panel.page.locator(`.${name}`).boundingBox();
        assert.ok(box && box.width >= 40 && box.x + box.width <= width, JSON.stringify([width, name, box]));
      }
    }
  });
});
