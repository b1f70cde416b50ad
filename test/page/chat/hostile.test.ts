/** Nothing from outside may hold or break the page: worst inputs, broken rows, messages from elsewhere. */
import assert from "node:assert/strict";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { shortEdit } from "./approvalScenes";
import { assertWithin } from "../../support/pace";
import type { PanelPage } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { ended, prompt, started, text } from "./scenes";

const worst: Readonly<Record<string, string>> = {
  "4,000 quotes": "> ".repeat(4000),
  "4,000 lists": "- ".repeat(4000),
  "10,000 stars": `${"*".repeat(10_000)}a${"*".repeat(10_000)}`,
  "10,000 brackets": `${"[".repeat(10_000)}a${"](b)".repeat(2500)}`,
  "quotes and lists in turn": "> - 1. ".repeat(4000),
  "1,000 levels of lists": Array.from({ length: 1000 }, (_, step) => `${" ".repeat(2 * step)}- a`).join("\n"),
  "a table of 20,000 cells in a row": `${"|a".repeat(5000)}|\n${"|-".repeat(5000)}|\n${"a\n".repeat(5000)}`,
};

describe("chat panel, hostile input", () => {
  const { open, button } = usePanel();
  const rows = (panel: PanelPage): Promise<string> => panel.page.locator(".rows").innerText();

  for (const [name, markdown] of Object.entries(worst)) {
    it(`P5 (finding S6): ${name} leave the rows behind them, Allow and Stop, also after hide and show`, async () => {
      const panel = await open();
      const answer: readonly SessionEvent[] = [...prompt("p0", "Go."), started("a0"), text("a0", 0, markdown)];
      await panel.events(...answer);
      await panel.events(...ended("a0"), { type: "turn-ended" }, ...shortEdit);
      await button("Allow").waitFor();
      await panel.page.reload();
      await panel.snapshot();
      await button("Allow").waitFor();
      assert.match(await rows(panel), /Change it\./);
      await button("Stop").click();
      await panel.intent("turn-stop");
    });
  }

  it("P5: code nested 15,000 deep is shown whole and throws nothing", async () => {
    const panel = await open();
    const failures: Error[] = [];
    panel.page.on("pageerror", (error) => failures.push(error));
    const code = "`${".repeat(15_000);
    await panel.events(...prompt("p0", "Go."), started("a0"), text("a0", 0, `~~~typescript\n${code}\n~~~\n`));
    await panel.events(...ended("a0"), { type: "turn-ended" });
    await panel.page.locator(".code pre, pre").first().waitFor();
    assert.ok((await panel.page.locator("pre").first().textContent())?.includes(code));
    assert.deepEqual(failures, []);
  });

  it("P5 (finding S6): while worst inputs stream in, a press of Stop is taken within 100 ms", async () => {
    const panel = await open();
    for (const [name, markdown] of Object.entries(worst)) {
      const id = `a-${name}`;
      await panel.events(...prompt(`p-${name}`, name), started(id));
      const before = (await panel.intents()).filter(({ type }) => type === "turn-stop").length;
      const size = Math.ceil(markdown.length / 8);
      const waits: number[] = [];
      for (let at = 0; at < markdown.length; at += size) {
        // From where the next delta is taken until a click behind it was.
        const spent = await panel.startBusyTime();
        await panel.events(text(id, 0, markdown.slice(at, at + size)));
        await panel.page.evaluate(
          `new Promise((resolve) => {
            requestAnimationFrame(() => setTimeout(() => {
              document.querySelector('[aria-label="Stop"]').click();
              resolve();
            }));
          })`,
        );
        waits.push(await spent());
      }
      assert.equal((await panel.intents()).filter(({ type }) => type === "turn-stop").length, before + waits.length);
      const median = waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]!;
      assertWithin(100, median, `${name}: ${waits.map(Math.round).join(", ")} ms, of which the median`);
      await panel.events(...ended(id), { type: "turn-ended" });
    }
  });

  it("P5 (finding S6): a row that can't be drawn is plain text; those behind it stand, its question can be answered, the host is told once", async () => {
    const panel = await open();
    // What no host posts, and a defect of a later version might: the page reads it, and drawing it throws.
    await panel.page.evaluate(
      "Intl.NumberFormat.prototype.format = () => { throw new Error('broken') }; Intl.NumberFormat = class { format() { throw new Error('broken'); } };",
    );
    await panel.events(
      ...prompt("p0", "Go."),
      started("a0"),
      text("a0", 0, "The answer."),
      ...ended("a0"),
      { type: "turn-ended" },
      ...shortEdit,
    );
    assert.match(await rows(panel), /Go\.[^]*The answer\.[^]*Change it\.[^]*Edit src\/app\.ts/);
    await panel.events(text("a0", 0, " More."));
    assert.match(await rows(panel), /The answer\. More\./);
    const failures = (await panel.intents()).filter(({ type }) => type === "page-failed");
    assert.deepEqual(failures, [{ type: "page-failed", what: "row answer", message: "Error: broken" }]);
    await button("Stop").click();
    await panel.intent("turn-stop");
  });

  it("P5 (finding S15): a message of another origin is not read", async () => {
    const panel = await open();
    await panel.events(...shortEdit);
    const before = await rows(panel);
    await panel.page.evaluate(`dispatchEvent(new MessageEvent("message", {
      origin: "https://example.com",
      data: { type: "events", after: ${panel.revision}, events: [{ type: "prompt-added", id: "x", text: "Injected", at: 1 }] },
    }))`);
    await panel.post({ type: "composer-insert", chat: "chat-1", text: "ours" });
    assert.equal(await rows(panel), before);
    assert.equal(await panel.page.getByRole("textbox", { name: "Prompt" }).inputValue(), "ours");
  });
});
