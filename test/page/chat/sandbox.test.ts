/** Commands in the sandbox and in the background on the chat page: what a row says, and what the person can do. */
import assert from "node:assert/strict";
import { findViolations } from "../support/axe";
import { themesOfRun } from "../support/pageServer";
import { takePicture } from "../support/pictures";
import { usePanel } from "../support/panelSuite";
import { copyAsked, outsideAsked, processes, sandboxed } from "./sandboxScenes";

describe("chat panel, the sandbox", function () {
  const { open, button } = usePanel();

  it("A13: a row says in one sentence what the sandbox holds; one that it held back offers to run outside", async () => {
    const panel = await open();
    await panel.show(sandboxed, { processes });
    const row = panel.page.locator(".tool", { hasText: "npm test" });
    assert.match(await row.innerText(), /in a sandbox, on a copy of this workspace, without network/);
    await button("Ask Model to Run It Outside").click();
    const { text } = await panel.intent("prompt-submit");
    assert.equal(text, "Run `npm install` outside of the sandbox.");
  });

  it("A13: what runs in the background is listed with its last line and End; its row too, and says when it has ended", async () => {
    const panel = await open();
    await panel.show(sandboxed, { processes });
    const lines = panel.page.locator(".rows .process-line");
    assert.match(await lines.nth(0).innerText(), /ready in 312 ms[^]*End/);
    assert.equal(await lines.nth(1).innerText(), "ended");
    const list = panel.page.locator(".processes");
    assert.equal(await list.locator("summary").innerText(), "1 running in the background");
    await list.locator("summary").click();
    await list.getByRole("button", { name: "End npm run dev" }).click();
    assert.deepEqual(await panel.intent("process-end"), { type: "process-end", id: "p-1" });
    await panel.snapshot({ processes: [] });
    await panel.until("document.querySelectorAll('.processes').length === 0");
    assert.equal(await lines.nth(0).innerText(), "ended");
  });

  it("P1 (newuser L16): names in the list begin below the words of its head, and all above the composer is equally far apart", async () => {
    const panel = await open({ size: { width: 300, height: 640 } });
    await panel.show(sandboxed, { processes });
    await panel.page.locator(".processes summary").click();
    const left = async (selector: string): Promise<number> =>
      (await panel.page.locator(selector).first().boundingBox())?.x ?? assert.fail(selector);
    assert.equal(await left(".processes .process-name"), await left(".processes summary > span:not(.codicon)"));
    await panel.snapshot({ processes, trusted: false });
    await panel.page.locator(".notice").waitFor();
    const gaps = await panel.page.evaluate<number[]>(
      `[...document.querySelectorAll(".lower > *")].filter((one) => one.offsetHeight > 0)
        .map((one) => one.firstElementChild.getBoundingClientRect().top - one.getBoundingClientRect().top)`,
    );
    assert.ok(gaps.length >= 3, String(gaps));
    assert.deepEqual(new Set(gaps), new Set([8]));
  });

  it("A13: what another chat of the window has started is listed too, and leads to that chat", async () => {
    const panel = await open();
    await panel.snapshot({ processes: [{ id: "p-9", line: "npm run dev", lastLine: "ready", otherChat: "chat-9" }] });
    await panel.page.locator(".processes summary").click();
    await button("Go to Chat").click();
    assert.deepEqual(await panel.intent("chat-open"), { type: "chat-open", id: "chat-9" });
  });

  it("A13: a server says where it is opened; one that no browser reaches in the sandbox offers to be restarted where one does, without a word to the model (newuser M9)", async () => {
    const panel = await open();
    const served = { id: "p-1", line: "npm run dev", lastLine: "ready", port: 5173 };
    await panel.show(sandboxed, { processes: [served] });
    await panel.page.locator(".processes summary").click();
    await panel.page.locator(".processes").getByRole("button", { name: "Open :5173" }).click();
    assert.equal((await panel.intent("link-open")).url, "http://127.0.0.1:5173/");
    const { port: heldPort, ...held } = served;
    await panel.snapshot({ processes: [{ ...held, heldPort }] });
    await panel.page.locator(".processes").getByRole("button", { name: "Restart with Network…" }).click();
    assert.deepEqual(await panel.intent("process-restart"), { type: "process-restart", id: "p-1" });
  });

  it("A13, A3: what a command made on its copy is applied or left, by buttons that say so", async () => {
    const panel = await open();
    await panel.show(copyAsked);
    assert.match(await panel.page.locator(".approval").innerText(), /1 change: AGENTS\.md/);
    await button("Apply").waitFor();
    await button("Leave").click();
    assert.equal((await panel.intent("approval-decide")).allow, false);
  });

  it("A13 (finding S6): a row in the background names what is new while it runs and something obeys", async () => {
    const panel = await open();
    await panel.show(sandboxed, {
      processes: [{ id: "p-1", line: "npm run dev", lastLine: "ready", made: ["docs/AGENTS.md"] }],
    });
    const line = panel.page.locator(".rows .process-line").nth(0);
    assert.match(await line.innerText(), /While it runs, new files appeared[^]*docs\/AGENTS\.md\. Look at them/);
  });

  it("A13, A3: a question to leave the sandbox says so, with the reason of the model", async () => {
    const panel = await open();
    await panel.show(outsideAsked);
    const text = await panel.page.locator(".approval").innerText();
    assert.match(text, /outside of the sandbox: it can reach the network, your files and other programs/);
    assert.match(text, /as the model says: “It downloads the packages of the project\.”/);
  });

  it("P6: neither keeps anyone out, nor scrolls sideways, in any theme, wide and narrow", async () => {
    const panel = await open({ size: { width: 420, height: 640 } });
    for (const [at, [name, events]] of Object.entries({
      rows: sandboxed,
      asked: outsideAsked,
      copy: copyAsked,
    }).entries()) {
      await panel.page.reload();
      await panel.show(events, { processes });
      await panel.page.locator(".processes > summary").click();
      for (const [index, theme] of themesOfRun(at).entries()) {
        await panel.setTheme(theme);
        const width = index % 2 === 0 ? 300 : 420;
        await panel.page.setViewportSize({ width, height: 640 });
        const violations = await findViolations(panel.page, {
          within: ".transcript, .processes",
          onlyColours: theme !== "dark",
        });
        assert.deepEqual(
          violations.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)]),
          [],
        );
        assert.equal(await panel.page.evaluate("document.documentElement.scrollWidth > innerWidth"), false, name);
        await takePicture(panel.page, `sandbox-${theme}-${width}-${name}`);
      }
    }
  });
});
