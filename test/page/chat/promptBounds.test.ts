/** What bounds a prompt: nothing that was attached is left behind, and nothing that the host would refuse is dropped in silence. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { promptCap } from "../../../src/domain/chat/chat";
import { chatPageContract } from "../../../src/chat/contract/chatPageContract";
import { intentReader } from "../../../src/base/pageContract";
import { drawn } from "./attachingScenes";
import type { PanelPage } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { prompt } from "./scenes";

const readIntent = intentReader(chatPageContract);

describe("chat panel, bounds of a prompt", () => {
  const { open, composer, button } = usePanel();
  const hint = ({ page }: PanelPage): Promise<string> => page.locator(".hint").last().innerText();
  const sent = async (panel: PanelPage): Promise<number> =>
    (await panel.intents()).filter(({ type }) => type === "prompt-submit").length;

  /** Chromium takes four seconds for the direction of each paragraph of such a text, which is not what is tested. */
  const lightly = (area: Locator): Promise<void> =>
    area.evaluate((element) => {
      (element as unknown as { style: { unicodeBidi: string } }).style.unicodeBidi = "isolate";
    });

  it("P1: a prompt waits for an image that the host reads, as it does for one that was pasted", async () => {
    const panel = await open();
    await composer().pressSequentially("#a");
    const image = { kind: "image", label: "a.png", detail: "", uri: "file:///w/a.png" } as const;
    await panel.post({ type: "context-found", query: "a", items: [image] });
    await composer().press("Enter");
    const { key } = await panel.intent("uris-add");
    await composer().pressSequentially("What is this?");
    await composer().press("Enter");
    assert.equal(await hint(panel), "An image is still being read. Your text is kept.");
    const reference = { path: "a.png", image: { id: "c".repeat(64), mimeType: "image/png", size: 2048 } };
    const added = { type: "reference-add", chat: "chat-1", reference, data: await drawn(panel) };
    const ended = { type: "attaching-ended", key };
    // The last answer arrives before the thumbnail is made.
    await panel.page.evaluate(
      `{ postMessage(${JSON.stringify(added)}, "*"); postMessage(${JSON.stringify(ended)}, "*"); }`,
    );
    await panel.until("document.querySelector('.file-chip .thumbnail')");
    assert.equal(await sent(panel), 0);
    await composer().press("Enter");
    assert.deepEqual((await panel.intent("prompt-submit")).references?.[0]?.path, "a.png");
  });

  it("P1: a prompt waits for what the attach button and the commands attach, and not for what a person refused", async () => {
    const panel = await open();
    await button("Attach…").click();
    const { key } = await panel.intent("context-add");
    await composer().fill("Look");
    await composer().press("Enter");
    assert.equal(await sent(panel), 0);
    await panel.post({ type: "attaching-ended", key });
    assert.equal(await hint(panel), "");
    await composer().fill("/explain");
    await composer().press("Enter");
    const asked = await panel.intent("context-add", 2);
    assert.notEqual(asked.key, key);
    await composer().press("Enter");
    assert.equal(await sent(panel), 0);
    await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "a.ts" } });
    await panel.post({ type: "attaching-ended", key: asked.key });
    await composer().press("Enter");
    assert.deepEqual((await panel.intent("prompt-submit")).references, [{ path: "a.ts" }]);
  });

  it("P1: a text that is too long is kept, with a sentence: as a prompt, a task and an edited message", async () => {
    const panel = await open();
    const words = "The text is too long: 1,000,001 characters, of 1,000,000 at most. It was not sent.";
    const long = "x".repeat(promptCap + 1);
    await lightly(composer());
    await composer().fill(long);
    await composer().press("Enter");
    assert.equal(await hint(panel), words);
    await panel.post({ type: "composer-hint", text: "" });
    await button("Submit as Task…").click();
    assert.equal(await hint(panel), words);
    await composer().press("Backspace");
    await composer().press("Enter");
    assert.ok(readIntent(await panel.intent("prompt-submit")), "the longest that is sent");
    await panel.events(...prompt("p1", "short"), { type: "turn-ended" });
    await button("Edit and Resend").press("Enter");
    const area = panel.page.getByRole("textbox", { name: "Edit message" });
    await lightly(area);
    await area.fill(long);
    await area.press("Enter");
    assert.ok((await panel.page.locator(".row.user").innerText()).includes(words));
    const types = (await panel.intents()).map(({ type }) => type);
    assert.ok(!types.includes("task-submit") && !types.includes("prompt-resend"), types.join());
  });

  it("P1: a twenty-first attachment is refused with a sentence, and the others stay", async () => {
    const panel = await open();
    for (let at = 0; at < 21; at += 1)
      await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: `file${at}.ts` } });
    const chips = await panel.page.locator(".file-chip").allInnerTexts();
    assert.deepEqual([chips.length, chips[0], chips[19]], [20, "file0.ts", "file19.ts"]);
    assert.equal(await hint(panel), "file20.ts was not attached: a prompt has 20 attachments at most.");
  });

  it("P5: a name with hidden characters in a sentence of the host is shown with them", async () => {
    const panel = await open();
    await panel.post({ type: "composer-hint", text: "photo\u202egnp.exe can't be read." });
    assert.equal(await hint(panel), "photo⟨U+202E⟩gnp.exe can't be read.");
  });
});
