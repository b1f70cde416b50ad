/** The page's part of the protocol: gaps in the revisions, a page that is shown again, what is no message of the protocol. */
import assert from "node:assert/strict";
import type { Entry } from "../../../src/domain/chat/chat";
import { describeError } from "../../../src/domain/words/describeError";
import { drawn } from "./attachingScenes";
import { readyStatus } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { answered, approval, finished, prompt, started, text } from "./scenes";

describe("chat panel, state", () => {
  const { open, composer, button } = usePanel();

  it("P3: a missed revision asks for a snapshot once and goes on from there", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "Go."), started("a1"));
    panel.advance(text("a1", 0, "one "));
    await panel.events(text("a1", 0, "two "));
    await panel.events(text("a1", 0, "three "));
    assert.equal((await panel.intents()).filter(({ type }) => type === "view-ready").length, 2);
    await panel.snapshot();
    await panel.events(text("a1", 0, "four"));
    assert.equal(await panel.page.locator(".answer .markdown").innerText(), "one two three four");
  });

  it("P3, R8: a page that VS Code kept no state of has what the host has kept, and hands on what is typed", async () => {
    const panel = await open({ kept: { page: "view", changes: 3, chat: "chat-1", draft: "half a thou" } });
    assert.equal(await composer().inputValue(), "half a thou");
    await composer().fill("half a thought");
    await panel.until("keptStates.at(-1)?.draft === 'half a thought' && keptStates.at(-1).page === 'view'");
  });

  it("P3: after the page was taken down the draft, what was opened and the place come back", async () => {
    const panel = await open();
    const long = Array.from({ length: 80 }, (_, line) => `Paragraph ${line} of the answer.`).join("\n\n");
    const events = [...answered, ...prompt("p2", "More."), started("a3"), text("a3", 0, long), ...finished("a3")];
    await panel.events(...events);
    await composer().fill("half a thou");
    await panel.page.locator(".transcript").hover();
    await panel.page.mouse.wheel(0, -20_000);
    // The press is at the same time: it scrolls to its row first, which would be the place that is kept.
    await panel.until("document.querySelector('.transcript').scrollTop === 0");
    await panel.page.locator(".tool-title", { hasText: "Read" }).click({ position: { x: 4, y: 8 } });
    await panel.until(
      "sessionStorage.getItem('state').includes('anchor') && sessionStorage.getItem('state').includes('c1')",
    );
    await panel.page.reload();
    await panel.snapshot();
    assert.equal(await composer().inputValue(), "half a thou");
    assert.ok(await panel.page.getByText("Arguments", { exact: true }).isVisible());
    assert.ok((await panel.page.evaluate<number>("document.querySelector('.transcript').scrollTop")) < 50);
  });

  it("P3: another chat replaces the shown one and is followed, though it uses the same ids", async () => {
    const panel = await open();
    await panel.events(...approval);
    await button("Allow").click();
    const { page } = panel;
    await panel.post({
      type: "snapshot",
      revision: 0,
      snapshot: { chat: { id: "chat-2", entries: [], running: false }, status: readyStatus },
    });
    assert.equal(await page.locator(".row").count(), 0);
    await page.getByText("Demo model: works by rules.").waitFor();
    await panel.show(approval);
    // As soon as it works.
    await button("Allow").click({ trial: true });
  });

  it("P1: each chat has its own draft, also after a reload", async () => {
    const panel = await open();
    await panel.events(...answered);
    const showOther = (id: string, text: string): Promise<void> =>
      panel.post({
        type: "snapshot",
        revision: 0,
        snapshot: {
          chat: { id, entries: [{ type: "user", id: "u", text, at: 0 }], running: false },
          status: readyStatus,
        },
      });
    await composer().fill("for the first");
    await showOther("chat-2", "Earlier.");
    await panel.page.getByText("Earlier.").waitFor();
    assert.equal(await composer().inputValue(), "");
    await composer().fill("for the second");
    await panel.snapshot();
    await panel.page.getByText("Earlier.").waitFor({ state: "detached" });
    assert.equal(await composer().inputValue(), "for the first");
    await panel.page.reload();
    await showOther("chat-2", "Earlier.");
    await panel.page.getByText("Earlier.").waitFor();
    assert.equal(await composer().inputValue(), "for the second");
    await composer().press("Enter");
    assert.equal((await panel.intent("prompt-submit")).chat, "chat-2");
  });

  it("P1: what the host puts into the composer right behind another chat is in that chat's draft", async () => {
    const panel = await open();
    await panel.events(...answered);
    await composer().fill("for the first");
    const chat = { id: "chat-2", entries: [{ type: "user", id: "u", text: "Earlier.", at: 0 }], running: false };
    const messages = [
      { type: "snapshot", revision: 0, snapshot: { chat, status: readyStatus } },
      { type: "composer-insert", chat: "chat-2", text: "for the second" },
    ];
    await panel.page.evaluate(`for (const one of ${JSON.stringify(messages)}) postMessage(one, "*")`);
    await panel.page.getByText("Earlier.").waitFor();
    assert.equal(await composer().inputValue(), "for the second");
    await panel.snapshot();
    await panel.page.getByText("Earlier.").waitFor({ state: "detached" });
    assert.equal(await composer().inputValue(), "for the first");
  });

  it("P1: what the host has for another chat than the shown one is in that chat's draft; what a new chat took over is cleared there", async () => {
    const panel = await open();
    await panel.events(...answered);
    const show = async (id: string, ...entries: Entry[]): Promise<void> => {
      const chat = { id, entries, running: false };
      await panel.post({ type: "snapshot", revision: 0, snapshot: { chat, status: readyStatus } });
    };
    const earlier = { type: "user", id: "u", text: "Earlier.", at: 0 } as const;
    await composer().fill("A lighthouse");
    await show("chat-2", earlier);
    await panel.page.getByText("Earlier.").waitFor();
    await composer().fill("for the second");
    await panel.post({ type: "composer-clear", chat: "chat-1", text: "A lighthouse" });
    await panel.post({ type: "composer-insert", chat: "chat-1", text: "Mend it.", isBefore: true });
    await panel.post({ type: "composer-insert", chat: "chat-1", text: "And test it." });
    await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "a.ts" } });
    const image = { id: "c".repeat(64), mimeType: "image/png" as const, size: 2048 };
    const shot = { path: "shot.png", image };
    await panel.post({ type: "reference-add", chat: "chat-1", reference: shot, data: await drawn(panel) });
    await panel.until("sessionStorage.getItem('state').includes('data:image/webp')");
    const chips = panel.page.locator(".file-chip");
    assert.deepEqual([await composer().inputValue(), await chips.count()], ["for the second", 0]);
    await panel.snapshot();
    await panel.page.getByText("Earlier.").waitFor({ state: "detached" });
    assert.equal(await composer().inputValue(), "Mend it.\n\nAnd test it.");
    assert.deepEqual(await chips.allInnerTexts(), ["a.ts", "shot.png\n2 kB"]);
    assert.equal(await chips.locator(".thumbnail").count(), 1);
    await show("chat-3");
    await panel.page.getByText("Demo model: works by rules.").waitFor();
    assert.equal(await composer().inputValue(), "Mend it.\n\nAnd test it.");
    const references = [{ path: "a.ts" }];
    await panel.post({ type: "composer-clear", chat: "chat-1", text: "Mend it.\n\nAnd test it.", references });
    assert.equal(await composer().inputValue(), "");
    assert.deepEqual(await chips.allInnerTexts(), ["shot.png\n2 kB"]);
    // An empty text is no text of a stored draft, so the attachments are looked for in the composer.
    await panel.post({ type: "composer-clear", chat: "chat-1", text: "", references: [shot] });
    assert.equal(await chips.count(), 0);
  });

  it("A1, P1: after Go On the pause at the limit of answers is a line that waits for nothing", async () => {
    const panel = await open();
    const failure = { type: "round-limit", rounds: 3 } as const;
    const ended = { type: "answer-ended", id: "a1", state: "failed", at: 3, failure } as const;
    await panel.events(...prompt("p1", "Go."), started("a1"), text("a1", 0, "Three."), ended, { type: "turn-ended" });
    await button("Go On").waitFor();
    await panel.events(started("a2"), text("a2", 0, "Four."), ...finished("a2"));
    assert.equal(await panel.page.locator(".error-card").count(), 0);
    await panel.page.locator(".end", { hasText: "has answered 3 times in a row" }).waitFor();
    assert.equal(await panel.page.getByText("Nothing more was sent.").count(), 0);
  });

  it("P3, P4: a cut turn offers to continue, and a chat of another window says so until it can be taken over", async () => {
    const panel = await open();
    const cut = [...prompt("p1", "Go."), started("a1"), text("a1", 0, "half")];
    await panel.events(...cut, { type: "turn-interrupted" });
    await button("Continue").click();
    const following = "Another window writes this chat.";
    await panel.snapshot({ chatNotice: { text: following, canTakeOver: false } });
    await panel.page.getByText(following).waitFor();
    await panel.snapshot({ chatNotice: { text: "It was closed.", canTakeOver: true } });
    await button("Continue Here").click();
    const sent = (await panel.intents()).map(({ type }) => type);
    assert.deepEqual(sent.slice(-2), ["turn-continue", "chat-take-over"]);
  });

  it("P3: a prompt that is accepted after the status was repeated is not left in the composer", async () => {
    const panel = await open();
    await composer().fill("Go on.");
    await composer().press("Enter");
    await panel.post({ type: "status", status: readyStatus });
    await panel.events(...prompt("p1", "Go on."));
    assert.equal(await composer().inputValue(), "");
  });

  it("P3: what is none of ours changes nothing", async () => {
    const panel = await open();
    await panel.events(...answered);
    const before = await panel.page.locator(".rows").innerText();
    for (const message of [null, 1, "text", [], {}, { type: 1 }, { type: "nothing" }]) await panel.post(message);
    assert.equal(await panel.page.locator(".rows").innerText(), before);
  });

  it("P1: the connection's state is one line with one button", async () => {
    const panel = await open();
    await panel.snapshot({ connection: "signed-out", gateway: "gateway.example.com" });
    await button("Set API Key").click();
    assert.deepEqual(await panel.intent("error-action"), { type: "error-action", answer: "" });
    await panel.post({
      type: "status",
      status: { connection: "ready", gateway: "g", model: "m", demoModel: false, trusted: false, suggestions: [] },
    });
    assert.equal(await panel.page.locator(".notices").innerText(), "", "the empty chat says it");
    await button("Manage Trust").click();
    assert.deepEqual(await panel.intent("state-action"), { type: "state-action", action: "manage-trust" });
  });

  it("C1 (finding 21): a list of models that could not be read shows at once, with the check; a card of a missing key says when there is one", async () => {
    const panel = await open();
    const error = { kind: "signed-out", message: "No key is set.", notSent: true } as const;
    await panel.show(
      [
        { type: "prompt-added", id: "u1", text: "Hi", at: 1 },
        { type: "answer-started", id: "a1", model: "", family: "chat-completions", at: 2 },
        { type: "answer-ended", id: "a1", state: "failed", at: 3, failure: { type: "gateway", error } },
      ],
      { connection: "signed-out" },
    );
    await panel.page.locator(".error-card").getByText("No API key is set for this gateway.").waitFor();
    const status = { ...panel.status, connection: "ready" as const };
    await panel.post({ type: "status", status });
    await panel.page.locator(".error-card").getByText("The gateway can be asked now.").waitFor();
    await panel.page.locator(".error-card").getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(await panel.intent("turn-retry"), { type: "turn-retry" });
    const unreachable = { kind: "unreachable", message: "refused", notSent: true } as const;
    await panel.post({ type: "status", status: { ...status, problem: describeError(unreachable, "models") } });
    await panel.page.locator(".notice-error").getByText("can't be reached: “refused”").waitFor();
    await button("Check Connection").click();
    assert.deepEqual(await panel.intent("error-action"), { type: "error-action", answer: "", isSecond: true });
  });

  it("P6: words come in the language that the host gave", async () => {
    const panel = await open({
      words: { "Jump to Latest": "Zum Neuesten", "Write a prompt first.": "Erst etwas schreiben." },
    });
    await composer().press("Enter");
    assert.equal(await panel.page.locator(".hint").innerText(), "Erst etwas schreiben.");
  });
});
