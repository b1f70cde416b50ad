/** A command in the chat page: seen whole before a yes, its output while it runs, and the way to a terminal. */
import assert from "node:assert/strict";
import { capText } from "../../../src/domain/chat/cappedText";
import { findViolations } from "../support/axe";
import {
  backgroundCommand,
  doneCommand,
  endingProcess,
  failedCommand,
  hiddenInCommand,
  longScript,
  plainCommand,
  readProcess,
  runningCommand,
  shellCommand,
} from "./commandScenes";
import { themesOfRun } from "../support/pageServer";
import { takePicture } from "../support/pictures";
import { usePanel } from "../support/panelSuite";
import { allowWorks, barIsSettled, allowWaits } from "../../support/approvalBar";

describe("chat panel, commands", function () {
  const { open, button } = usePanel();

  it("A3: the card says what runs and why it asks, and shows the command verbatim, hidden characters marked", async () => {
    const panel = await open();
    await panel.events(...plainCommand);
    const card = panel.page.locator(".approval");
    assert.match(await card.innerText(), /Run this command\s+Why it asks: runs a program on this computer\n/);
    await panel.page.reload();
    await panel.show(backgroundCommand);
    assert.match(await card.innerText(), /^\s*Start this in the background\s/);
    await panel.page.reload();
    await panel.show(hiddenInCommand);
    assert.match(await card.innerText(), /runs a program on this computer, runs in a shell: more than plain words/);
    const box = panel.page.getByRole("region", { name: "Command" });
    // A mark is a box of its own, around which the browser may put line breaks.
    const shown = (await box.innerText()).replaceAll("\n", "");
    assert.equal(shown, `cat package.json | grep '"test"'⟨U+202E⟩ && npm test > out.txt 2>&1`);
  });

  it("A3, A4: a script of 60 lines is lines, and is seen to its end before Allow works", async () => {
    const panel = await open();
    await panel.events(...longScript);
    await panel.until(allowWaits);
    const { page } = panel;
    assert.equal(await page.locator(".approval-title").innerText(), "Run this command", "its box has it");
    assert.equal(await page.locator(".approval-what code").innerText(), 'echo "step 1" …');
    assert.equal(await page.locator(".diff-line").count(), 60);
    await page.locator(".approval-yes").click({ force: true });
    assert.ok(!(await panel.intents()).some(({ type }) => type === "approval-decide"));
    await page.locator(".change-end").scrollIntoViewIfNeeded();
    await panel.until(allowWorks);
    await button("Allow").click();
    assert.equal((await panel.intent("approval-decide")).allow, true);
  });

  it("A2 (newuser): the command of a process is code in its row, its card and the bar, without backticks", async () => {
    const panel = await open();
    const { page } = panel;
    await panel.events(...endingProcess);
    for (const place of [".approval-title", ".approval-what"]) {
      assert.equal(await page.locator(`${place} code`).innerText(), "npm start");
      assert.doesNotMatch(await page.locator(place).innerText(), /`/);
    }
    await page.reload();
    await panel.show(readProcess);
    assert.equal(await page.locator(".tool-title code").innerText(), "npm start");
    assert.doesNotMatch(await page.locator(".tool-title").innerText(), /`/);
  });

  it("A2 (complaint 15): what it writes is there while it runs, and it can be moved to a terminal until it ends", async () => {
    const panel = await open();
    await panel.events(...runningCommand);
    await panel.openAll();
    const row = panel.page.locator(".tool-running");
    assert.equal(await row.getByLabel("Command").innerText(), "npm test");
    assert.match(await row.getByLabel("Output").innerText(), /✔ greets the world/);
    await panel.events({ type: "tool-output", id: "a1", call: "c1", output: capText("one more line\n") });
    assert.match(await row.getByLabel("Output").innerText(), /one more line\n$/);
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");
    await panel.events({ type: "tool-output", id: "a1", call: "c1", output: capText(lines) });
    const toEnd = "((box) => box.scrollHeight - box.clientHeight > 100 && Math.abs(box.scrollTop) < 2)";
    assert.ok(await panel.page.evaluate(`${toEnd}(document.querySelector('.follows'))`), "its end is in view");
    await button("Move to Terminal").click();
    assert.deepEqual(await panel.intent("command-move"), { type: "command-move", id: "move-1" });
    await panel.events(doneCommand.at(-1)!);
    assert.equal(await button("Move to Terminal").count(), 0);
    assert.match(await panel.page.getByLabel("Result").innerText(), /^Exit code 0 after 2\.4 s\.\n/);
  });

  const scenes = { plainCommand, shellCommand, longScript, runningCommand, doneCommand, failedCommand };

  it("P6: commands keep no one out, and nothing scrolls sideways, in any theme, wide and narrow", async () => {
    const panel = await open({ size: { width: 420, height: 640 } });
    for (const [at, [name, events]] of Object.entries(scenes).entries()) {
      await panel.showScene({ events, opened: true });
      await panel.until(barIsSettled);
      for (const [index, theme] of themesOfRun(at).entries()) {
        await panel.setTheme(theme);
        const width = index % 2 === 0 ? 240 : 420;
        await panel.page.setViewportSize({ width, height: 640 });
        const violations = await findViolations(panel.page, { within: ".transcript", onlyColours: theme !== "dark" });
        assert.deepEqual(
          violations.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)]),
          [],
        );
        assert.equal(await panel.page.evaluate("document.documentElement.scrollWidth > innerWidth"), false, name);
        await takePicture(panel.page, `commands-${theme}-${width}-${name}`);
      }
    }
  });
});
