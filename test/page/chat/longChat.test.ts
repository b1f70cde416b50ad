/** A chat of many messages: rows far from the view hold their height only, come back as they were, and older ones come as a person scrolls up. */
import assert from "node:assert/strict";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { usePanel } from "../support/panelSuite";
import type { PanelPage } from "../support/panelPage";
import { ended, prompt, started, text } from "./scenes";

const turns = 150;
const answer = (turn: number): string =>
  `Answer **${turn}**.\n\n${Array.from({ length: 12 }, (_, line) => `Line ${line} of the answer.`).join("\n\n")}\n`;
const events: SessionEvent[] = Array.from({ length: turns }, (_, turn) => [
  ...prompt(`p${turn}`, `Question ${turn}`),
  started(`a${turn}`),
  text(`a${turn}`, 0, answer(turn)),
  ...ended(`a${turn}`),
  { type: "turn-ended" } as const,
]).flat();

const scroller = "document.querySelector('.transcript')";
const elements = (panel: PanelPage): Promise<number> => panel.page.evaluate("document.querySelectorAll('*').length");

describe("chat panel, long chat", () => {
  const { open } = usePanel();

  it("P2: rows far from the view hold their height only; scrolled to, they come back", async () => {
    const panel = await open();
    await panel.show(events);
    await panel.page.getByText(`Question ${turns - 1}`).waitFor();
    await panel.until("document.querySelectorAll('.row.far').length > 250");
    assert.ok((await elements(panel)) < 3000, `${await elements(panel)} elements`);
    assert.equal(await panel.page.getByText("Question 3", { exact: true }).count(), 0);
    await panel.page.evaluate(`${scroller}.scrollTop = 0`);
    await panel.page.getByText("Question 0", { exact: true }).waitFor();
    await panel.until("document.querySelectorAll('.row.far').length > 250");
    assert.match(await panel.page.locator(".row.answer").first().innerText(), /Answer 0\./);
    assert.ok((await elements(panel)) < 3000);
  });

  it("P2: a row keeps its height while it is far, and what is in view does not move", async () => {
    const panel = await open();
    await panel.show(events);
    const row = "document.querySelectorAll('.row.answer')[140]";
    const height = `${row}.getBoundingClientRect().height`;
    await panel.page.evaluate(`${row}.scrollIntoView()`);
    await panel.until(`!${row}.classList.contains('far')`);
    const shown = await panel.page.evaluate<number>(height);
    await panel.page.evaluate(`${scroller}.scrollTop = 0`);
    await panel.until("document.querySelectorAll('.row.answer')[140].classList.contains('far')");
    assert.equal(await panel.page.evaluate(height), shown);
  });

  it("P2, P6: a row with the focus or a selection stays", async () => {
    const panel = await open();
    await panel.show(events);
    const row = "document.querySelectorAll('.row.answer')[148]";
    await panel.until(`!${row}.classList.contains('far')`);
    await panel.page.evaluate(`getSelection().selectAllChildren(${row})`);
    await panel.page.evaluate(`${scroller}.scrollTop = 0`);
    await panel.page.getByText("Question 0", { exact: true }).waitFor();
    await panel.until("document.querySelectorAll('.row.answer')[140].classList.contains('far')");
    assert.ok(await panel.page.evaluate<boolean>(`!${row}.classList.contains('far')`));
    assert.match(await panel.page.evaluate("getSelection().toString()"), /Answer 148/);
  });

  it("P2, P3: older entries are asked for near the first row, and what is in view stays where it is", async () => {
    const panel = await open();
    await panel.show(events);
    const whole = panel.chat;
    const entries = whole.entries.slice(-40);
    const before = entries[0]?.id ?? "";
    await panel.post({
      type: "snapshot",
      revision: panel.revision,
      snapshot: { chat: { ...whole, id: "chat-2", entries }, status: panel.status, older: whole.entries.length - 40 },
    });
    assert.equal((await panel.intents()).filter(({ type }) => type === "entries-request").length, 0);
    await panel.page.evaluate(`${scroller}.scrollTop = 0`);
    assert.deepEqual(await panel.intent("entries-request"), { type: "entries-request", before });
    await panel.page.getByText(`Question ${turns - 20}`, { exact: true }).waitFor();
    const top = (): Promise<number> =>
      panel.page.evaluate(
        `[...document.querySelectorAll('.message')].find((one) => one.textContent === 'Question ${turns - 20}').getBoundingClientRect().top`,
      );
    const was = await top();
    await panel.post({ type: "entries", chat: "chat-2", before, entries: whole.entries.slice(-80, -40), older: 220 });
    await panel.until("document.querySelectorAll('.row').length === 80");
    // Rows above have their heights once they are near.
    await panel.until("!document.querySelectorAll('.row')[39].classList.contains('far')");
    await panel.settled();
    // The first row has 4 px less above it than the others.
    assert.ok(Math.abs((await top()) - was) <= 4, `${was}, then ${await top()}`);
  });
});
