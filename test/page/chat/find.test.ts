/** Find in chat: the host's hits are shown wherever they are, in unloaded rows, in folded ones and in entries that the page does not have. */
import assert from "node:assert/strict";
import { FindInChat } from "../../../src/chat/view/chatFind";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { entriesPage } from "../../../src/chat/contract/chatPageContract";
import { findViolations } from "../support/axe";
import type { PanelPage } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { answered, answerText, ended, finished, prompt, started, text } from "./scenes";

const turns = 150;
const long: SessionEvent[] = Array.from({ length: turns }, (_, turn) => [
  ...prompt(`p${turn}`, `Question ${turn} about the harbour`),
  started(`a${turn}`),
  text(`a${turn}`, 0, `Answer **${turn}** of the *long* chat.\n\n${"A line of it.\n\n".repeat(10)}`),
  ...ended(`a${turn}`),
  { type: "turn-ended" } as const,
]).flat();

/** Plays the host: answers the newest question of the page. */
async function answer(panel: PanelPage, count: number): Promise<void> {
  const { query } = await panel.intent("chat-find", count);
  const hits = await new FindInChat(query).find(panel.chat, new AbortController().signal);
  await panel.post({ type: "chat-found", chat: panel.chat.id, query, hits });
}

/** In the page: the text of the highlight, and whether all of it is on the screen, and not under the bar. */
const currentText = `(() => {
    const [range] = CSS.highlights.get("found-current") ?? [];
    if (!range) return "none";
    const { top, bottom, height } = range.getBoundingClientRect();
    const view = document.querySelector(".transcript").getBoundingClientRect();
    const bar = document.querySelector(".find")?.getBoundingClientRect().bottom ?? view.top;
    return (height > 0 && top >= bar && bottom <= view.bottom ? "" : "out of view: ") + range.toString();
  })()`;
const current = (panel: PanelPage): Promise<string> => panel.page.evaluate(currentText);

/** Waits until the highlight has that text: while rows near it get their heights, it is out of view for a frame. */
const isCurrent = (panel: PanelPage, text: string): Promise<void> =>
  panel.until(`${currentText} === ${JSON.stringify(text)}`);

describe("chat panel, find", () => {
  const { open, composer, button } = usePanel();
  const count = (panel: PanelPage): Promise<string> => panel.page.locator(".find-count").innerText();

  it("P4, P6: Ctrl+F finds in prompts, answers, thinking and calls; Enter, Shift+Enter and F3 step around; Esc gives the focus back", async () => {
    const panel = await open();
    await panel.show(answered);
    await composer().focus();
    await panel.page.keyboard.press("ControlOrMeta+f");
    await panel.page.keyboard.type("src/app.ts");
    await answer(panel, "src/app.ts".length);
    assert.equal(await count(panel), "1 of 2");
    await isCurrent(panel, "src/app.ts");
    await panel.page.keyboard.press("Enter");
    assert.equal(await count(panel), "2 of 2");
    assert.equal(await current(panel), "src/app.ts", "the call was unfolded");
    assert.ok(await panel.page.evaluate("document.querySelector('.tool-done').open"));
    await panel.page.keyboard.press("F3");
    assert.equal(await count(panel), "1 of 2");
    await panel.page.keyboard.press("Shift+Enter");
    assert.equal(await count(panel), "2 of 2");
    const heard = await panel.page.locator("[aria-live=polite] div").last().textContent();
    assert.equal(heard, "2 of 2 found for “src/app.ts”");
    assert.deepEqual(await findViolations(panel.page, { within: ".find" }), []);
    await panel.page.keyboard.press("Escape");
    assert.equal((await panel.intent("chat-find", "src/app.ts".length + 1)).query, "");
    assert.equal(await panel.page.evaluate("CSS.highlights.size"), 0);
    assert.ok(await panel.page.evaluate("document.activeElement.matches('.composer-place textarea')"));
  });

  for (const width of [200, 300])
    it(`P4, P6: at ${width} px the bar has its field inside, covers no match in the first message, and moves no row`, async () => {
      const panel = await open({ size: { width, height: 500 } });
      await panel.show(answered);
      const row = panel.page.locator(".row.user");
      const top = (): Promise<number> =>
        row.evaluate((element: { getBoundingClientRect(): { top: number } }) => element.getBoundingClientRect().top);
      const scrollTo = (y: number): Promise<void> =>
        panel.page.evaluate(`void (document.querySelector(".transcript").scrollTop = ${y})`);
      await scrollTo(30);
      const before = await top();
      await panel.page.keyboard.press("ControlOrMeta+f");
      assert.equal(await top(), before);
      const [bar, field] = await Promise.all(
        [".find", ".find input"].map((one) => panel.page.locator(one).boundingBox()),
      );
      assert.ok(bar && field && field.x >= bar.x && field.x + field.width <= bar.x + bar.width);
      await panel.page.keyboard.type("is it tested");
      await answer(panel, "is it tested".length);
      assert.equal(await count(panel), "1 of 1");
      await isCurrent(panel, "is it tested");
      // What a person scrolls is not scrolled back to the match.
      await panel.page.locator(".transcript").dispatchEvent("wheel");
      await scrollTo(120);
      const read = await top();
      await panel.page.keyboard.press("Escape");
      assert.equal(await top(), read);
    });

  it("P4: what Markdown marks, breaks and folds is found as it is shown", async () => {
    const panel = await open();
    await panel.show(answered);
    await panel.post({ type: "find-open" });
    const field = panel.page.getByRole("textbox", { name: "Find in chat" });
    const words = ["module greets one", "the guide", "GREET(NAME", "hello, world!", "Then its tests", "is a reads"];
    for (const [index, query] of words.entries()) {
      await field.fill(query);
      await answer(panel, index + 1);
      const found = await current(panel);
      assert.equal(query === "is a reads" ? "none" : query.toLowerCase(), found.toLowerCase());
    }
    assert.equal(await count(panel), "No results");
  });

  it("P2, P4: a hit in an unloaded row is loaded, one in an entry that the page lacks is asked for, and both are shown", async () => {
    const panel = await open();
    await panel.show(long);
    const { entries, older } = entriesPage(panel.chat);
    await panel.post({
      type: "snapshot",
      revision: panel.revision,
      snapshot: { chat: { ...panel.chat, entries }, status: panel.status, older },
    });
    await panel.page.keyboard.press("ControlOrMeta+f");
    const field = panel.page.getByRole("textbox", { name: "Find in chat" });
    await field.fill("Question 121 about");
    await answer(panel, 1);
    assert.equal(await count(panel), "1 of 1");
    await isCurrent(panel, "Question 121 about");
    await field.fill("question 7 about");
    await answer(panel, 2);
    // The view is near the first row, so older ones were asked for before; the next request is for the hit.
    for (const until of [undefined, "p7"]) {
      const asked = await panel.intent("entries-request", until === undefined ? 1 : 2);
      assert.equal(asked.until, until);
      await panel.post({
        type: "entries",
        chat: panel.chat.id,
        before: asked.before,
        ...entriesPage(panel.chat, asked.before, until),
      });
    }
    await panel.until("CSS.highlights.get('found-current')?.size === 1");
    await isCurrent(panel, "Question 7 about");
    assert.equal(await count(panel), "1 of 1");
  });

  it("P2, P4: while an answer streams the count follows and the current hit stays where it is", async () => {
    const panel = await open();
    await panel.show([...long.slice(0, -1), ...prompt("p", "More about the harbour"), started("a")]);
    await panel.page.keyboard.press("ControlOrMeta+f");
    await panel.page.getByRole("textbox", { name: "Find in chat" }).fill("about the harbour");
    await answer(panel, 1);
    assert.equal(await count(panel), "150 of 151", "the first in view");
    await panel.page.keyboard.press("Shift+Enter");
    await panel.page.keyboard.press("Shift+Enter");
    await panel.events(text("a", 0, `It is about the harbour.\n\n${answerText}`));
    await answer(panel, 1);
    assert.equal(await count(panel), "148 of 152");
    await isCurrent(panel, "about the harbour");
  });

  it("P3: of a letter in a message of 500,000 of it the first 10,000 are counted and 2,000 highlighted, so that the page is not held", async () => {
    const panel = await open();
    await panel.events(...prompt("p1", "e".repeat(500_000)));
    await panel.post({ type: "find-open" });
    await panel.page.getByRole("textbox", { name: "Find in chat" }).fill("e");
    const { query } = await panel.intent("chat-find");
    const hits = await new FindInChat(query).find(panel.chat, new AbortController().signal);
    await panel.post({ type: "chat-found", chat: panel.chat.id, query, hits });
    assert.equal(await count(panel), "1 of 10000 or more");
    assert.equal(await panel.page.evaluate("CSS.highlights.get('found').size"), 2000);
    await panel.page.keyboard.press("Shift+Enter");
    assert.equal(await count(panel), "10000 of 10000 or more");
    assert.equal(
      await panel.page.evaluate("[...CSS.highlights.get('found-current')][0].startOffset"),
      9999,
      "the page shows the place that the host counted last",
    );
  });

  it("P4, F7: a hit of the history is shown with its words highlighted until Esc or the next message", async () => {
    const panel = await open();
    await panel.show(long);
    await panel.post({ type: "entry-reveal", chat: panel.chat.id, entry: "a20", words: ["long", "answer"] });
    await panel.until("CSS.highlights.get('found-current')?.size === 1");
    await isCurrent(panel, "Answer");
    assert.equal(await panel.page.evaluate("[...CSS.highlights.get('found')].join()"), "Answer,long");
    await panel.page.keyboard.press("Escape");
    assert.equal(await panel.page.evaluate("CSS.highlights.size"), 0);
    await panel.post({ type: "entry-reveal", chat: panel.chat.id, entry: "p3", words: ["harbour"] });
    await isCurrent(panel, "harbour");
    await panel.events(...prompt("p", "Next"), started("a"), ...finished("a"));
    assert.equal(await panel.page.evaluate("CSS.highlights.size"), 0);
  });

  it("P4: the empty chat has the last chats as links with their age, or that they wait", async () => {
    const panel = await open();
    const recent = [
      { id: "chat-7", title: "Say hello", at: Date.now() },
      { id: "chat-8", title: "Rename greet\u202e to welcome", at: Date.now() - 5 * 60_000 - 1000 },
      { id: "chat-9", title: "What does src/app.ts do?", at: Date.now() - 86_400_000 - 1000 },
      { id: "chat-10", title: "Mend the parser", at: Date.now() - 60_000, waits: true as const },
    ];
    await panel.show([], { recent });
    assert.deepEqual(await panel.page.locator(".recent li").allInnerTexts(), [
      "Say hello\nnow",
      "Rename greet⟨U+202E⟩ to welcome\n5m ago",
      "What does src/app.ts do?\nyesterday",
      "Mend the parser\nwaits for you",
    ]);
    await button("What does src/app.ts do?").click();
    assert.equal((await panel.intent("chat-open")).id, "chat-9");
    await panel.show([], { recent: [] });
    assert.equal(await panel.page.locator(".recent").count(), 0);
  });
});
