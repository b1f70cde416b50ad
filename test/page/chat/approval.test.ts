/** What is approved was seen: nothing of a change is hidden, and Allow waits until its start and its end have been in view. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { findViolations } from "../support/axe";
import { themesOfRun } from "../support/pageServer";
import { barIsSettled } from "../../support/approvalBar";
import {
  blankRun,
  changedWords,
  editing,
  hiddenCharacters,
  hugeEdit,
  longEdit,
  longName,
  secretRead,
  shortEdit,
} from "./approvalScenes";
import { decisions, held, holdPause, yes } from "./barOfPanel";
import type { PanelPage } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { takePictures } from "../support/pictures";
import { progress } from "./scenes";

describe("chat panel, approval", () => {
  const { open, button } = usePanel();
  const allow = (): Locator => button("Allow");
  const rest = ({ page }: PanelPage): Locator => page.locator(".approval-rest");

  it("A3 (finding S5): a short change is in view at once, and Allow works at once", async () => {
    const panel = await open();
    await panel.events(...shortEdit);
    await held(panel, false);
    await allow().click();
    assert.equal((await panel.intent("approval-decide")).allow, true);
  });

  it("A3 (newuser L5): the arguments of a tool are a line each, and no value looks like another line", async () => {
    const panel = await open();
    await panel.events(...secretRead);
    assert.deepEqual(await panel.page.locator(".diff .diff-line").allInnerTexts(), [
      "path: .env",
      "from: 2",
      String.raw`note: "x\npath: README.md"`,
    ]);
  });

  for (const width of [172, 300, 420, 1200]) {
    it(`A3 (finding S5): ${width} px wide: what follows a run of 300 blanks stands within the box, and the run is counted`, async () => {
      const panel = await open({ size: { width, height: 720 } });
      await panel.events(...blankRun);
      assert.match(await panel.page.locator(".diff").innerText(), /⟨300 blanks⟩\s*require/);
      const beyond = await panel.page.evaluate(
        "[document.querySelector('.diff'), ...document.querySelectorAll('.diff-text')].map((box) => box.scrollWidth - box.clientWidth)",
      );
      assert.deepEqual(new Set(beyond as number[]), new Set([0]));
      const [box, code] = await Promise.all([
        panel.page.locator(".diff").boundingBox(),
        panel.page.locator(".diff-line.added .diff-text").boundingBox(),
      ]);
      assert.ok(code!.x + code!.width <= box!.x + box!.width);
    });
  }

  it("A3 (finding S5): Allow waits for the end of a long change, for mouse, Enter and Space; then it works", async () => {
    const panel = await open();
    await panel.events(...longEdit);
    await held(panel, true);
    assert.match(await rest(panel).innerText(), /^\d\d lines below$/);
    assert.equal(await yes(panel).getAttribute("aria-disabled"), "true");
    await yes(panel).click({ force: true });
    assert.equal(await decisions(panel), 0);
    await panel.page.locator(".transcript").hover();
    await panel.page.mouse.wheel(0, 20_000);
    await held(panel, false);
    await allow().click();
    assert.equal(await decisions(panel), 1);
  });

  it("A3 (finding S5): with the keyboard alone: the box is reached, End shows its end, Allow takes Enter, and it is said once", async () => {
    const panel = await open();
    await panel.events(...longEdit);
    await held(panel, true);
    const { keyboard } = panel.page;
    const focused = (): Promise<string> =>
      panel.page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText.trim()");
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let step = 0; step < 12 && !name.test(await focused()); step++) await keyboard.press("Tab");
      assert.match(await focused(), name);
    };
    await panel.page.locator(".transcript").focus();
    await tabTo(/^Allow/);
    await panel.page.locator(".transcript").focus();
    await tabTo(/^Proposed change to src\/app\.ts$/);
    await keyboard.press("End");
    await held(panel, false);
    await tabTo(/^Allow/);
    await keyboard.press("Enter");
    assert.equal((await panel.intent("approval-decide")).allow, true);
    const said = await panel.page.locator("[aria-live=polite] div").allTextContents();
    assert.equal(said.filter((sentence) => sentence === "Shown to its end. Allow works now.").length, 1);
  });

  it("A3 (finding S5): of 2,000 lines the first are there with the count, and all can be seen to their end", async () => {
    const panel = await open();
    await panel.events(...hugeEdit);
    await held(panel, true);
    assert.match(await rest(panel).innerText(), /^1,9\d\d lines below$/);
    assert.equal(await panel.page.locator(".diff-line").count(), 400);
    for (const lines of [1400, 2000]) {
      await panel.page.locator(".change-end").scrollIntoViewIfNeeded();
      await panel.until(`document.querySelectorAll(".diff-line").length === ${lines}`);
      await held(panel, true);
    }
    assert.equal(await decisions(panel), 0);
    await panel.page.locator(".change-end").scrollIntoViewIfNeeded();
    await held(panel, false);
  });

  it("A3 (finding S5): neither a narrow nor a low nor a zoomed page lets Allow work before the end was in view", async () => {
    for (const [width, height, zoom] of [
      [172, 400, 1],
      [420, 300, 1],
      [420, 720, 2],
      [420, 720, 0.5],
    ] as const) {
      const panel = await open({ size: { width, height } });
      await panel.page.evaluate(`document.documentElement.style.zoom = ${zoom}`);
      await panel.events(...hugeEdit);
      await held(panel, true);
      await yes(panel).focus();
      await panel.page.keyboard.press("Enter");
      assert.equal(await decisions(panel), 0);
      await panel.close();
    }
    await open();
  });

  it("A3, P6: at 200 % and 300 px one key allows what is wholly in view", async () => {
    for (const [width, height, zoom] of [
      [300, 720, 1],
      [600, 1440, 2],
    ] as const) {
      const panel = await open({ size: { width, height } });
      await panel.page.evaluate(`document.documentElement.style.zoom = ${zoom}`);
      await panel.events(...shortEdit);
      await held(panel, false);
      await panel.post({ type: "approval-focus" });
      await panel.until("document.activeElement.matches('.approval-yes')");
      await panel.page.keyboard.press("Enter");
      assert.equal((await panel.intent("approval-decide")).allow, true);
      await panel.close();
    }
    await open();
  });

  it("A3: a change whose diff was opened may be allowed, after the pause", async () => {
    const panel = await open();
    await panel.events(...longEdit);
    await held(panel, true);
    await panel.page.locator(".approval-buttons").getByRole("button", { name: "Open Diff" }).click();
    await held(panel, false);
    await allow().click();
    assert.equal(await decisions(panel), 1);
  });

  it("A3 (finding S5): a card that does not fit is shown from its start", async () => {
    const panel = await open({ size: { width: 300, height: 420 } });
    await panel.events(...longName);
    await panel.until(
      "document.querySelector('.approval').getBoundingClientRect().top - document.querySelector('.transcript').getBoundingClientRect().top >= -1",
    );
    await held(panel, true);
    await panel.page.locator(".change-end").scrollIntoViewIfNeeded();
    await held(panel, false);
  });

  it("A3 (finding S5): a card that came up while a person reads above is not seen, and nothing moves", async () => {
    const panel = await open();
    const { page } = panel;
    await panel.events(...shortEdit.slice(0, -1));
    await page.evaluate("document.querySelector('.message').style.height = '3000px'");
    await page.locator(".transcript").hover();
    await page.mouse.wheel(0, -10_000);
    await button("Jump to Latest").waitFor();
    await panel.events(shortEdit.at(-1)!);
    await held(panel, true);
    assert.equal(await page.evaluate("document.querySelector('.transcript').scrollTop"), 0);
    assert.equal(await rest(panel).innerText(), "starts above");
    await button("Jump to Latest").click();
    await held(panel, false);
  });

  it("A3 (finding S5): after hide and show the card is there, and it is to be seen again", async () => {
    const panel = await open();
    await panel.events(...longEdit);
    await panel.page.locator(".change-end").scrollIntoViewIfNeeded();
    await held(panel, false);
    await panel.page.reload();
    await panel.snapshot();
    await held(panel, true);
    await panel.page.locator(".change-end").scrollIntoViewIfNeeded();
    await held(panel, false);
  });

  it("A3 (finding S5): another question in the same place is to be seen anew", async () => {
    const panel = await open();
    await panel.events(...shortEdit);
    await held(panel, false);
    const waiting = longEdit.at(-1)!;
    assert.ok(waiting.type === "tool-progress" && waiting.progress.state === "waiting");
    const { approval } = waiting.progress;
    await panel.events(progress("a1", "c1", { ...waiting.progress, approval: { ...approval, id: "approval-2" } }));
    await held(panel, true);
  });

  it("A3 (finding S5): Don't Allow always works", async () => {
    const panel = await open();
    await panel.events(...longEdit);
    await held(panel, true);
    await button("Don't Allow").click();
    assert.equal((await panel.intent("approval-decide")).allow, false);
  });

  it("A3 (finding S15): hidden and blank-looking characters are marked, and a screen reader can name them", async () => {
    const panel = await open();
    await panel.events(...hiddenCharacters);
    const text = await panel.page.locator(".diff").innerText();
    for (const code of ["U+202E", "U+2066", "U+200B", "U+00A0 ×2", "U+2800", "U+E0041", "U+0301 ×3"])
      assert.ok(text.includes(`⟨${code}⟩`), code);
    assert.ok(text.includes("return a→b;···"));
    assert.ok(text.includes("No line break at the end of the file"));
    await panel.page.getByRole("img", { name: "right-to-left override U+202E" }).waitFor();
  });

  it("A3 (finding S5): the whole name and the whole arguments are shown, with no ellipsis", async () => {
    const panel = await open({ size: { width: 220, height: 900 } });
    await panel.events(...longName);
    const title = panel.page.locator(".approval-title span").last();
    assert.match(await title.innerText(), /the-end-of-the-name\.sh⟨U\+202E⟩txt$/);
    assert.equal(
      await panel.page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.approval-title > span:last-child'))",
      ),
      0,
    );
    assert.match(await panel.page.locator(".diff").innerText(), /⟨200 blanks⟩&& rm -rf ~/);
  });

  it("A3 (finding S5): a line break within a line's text is no new line of the page", async () => {
    const panel = await open();
    await panel.events(...editing("+// fine\revil()", "+// fine\u2028evil()"));
    assert.equal(await panel.page.locator(".diff-line").count(), 2);
    assert.match(await panel.page.locator(".diff").innerText(), /⟨U\+000D⟩evil[^]*⟨U\+2028⟩evil/);
  });

  it("A3: the words that differ in a changed line are marked, and in no line with characters that can't be seen", async () => {
    const panel = await open({ size: { width: 450, height: 720 } });
    await panel.events(...changedWords);
    await panel.until(barIsSettled);
    const words = panel.page.locator(".diff-word");
    assert.deepEqual(await words.allInnerTexts(), ["hello", "welcome", "="]);
    for (const theme of themesOfRun(0)) {
      await panel.setTheme(theme);
      await takePictures(panel.page, `words-${theme}`, [170, 300, 450, 900]);
      const isMarked = await panel.page.evaluate(
        "(({ backgroundColor, outlineStyle }) => backgroundColor !== 'rgba(0, 0, 0, 0)' || outlineStyle !== 'none')(getComputedStyle(document.querySelector('.diff-word')))",
      );
      assert.ok(isMarked, theme);
    }
  });

  it("P6 (finding S5): the card keeps no one out, in any theme", async () => {
    const panel = await open();
    for (const [index, events] of [changedWords, shortEdit, longEdit, hiddenCharacters, blankRun].entries()) {
      await panel.showScene({ events });
      await panel.until(barIsSettled);
      for (const theme of themesOfRun(index)) {
        await panel.setTheme(theme);
        const violations = await findViolations(panel.page, {
          within: ".approval, .approval-bar",
          onlyColours: theme !== "dark",
        });
        assert.deepEqual(
          violations.map(({ id, nodes }) => [theme, id, nodes.map(({ html }) => html)]),
          [],
        );
      }
    }
  });

  it("A3: a double click on Allow answers one question, not also the next one in its place", async () => {
    const panel = await open({ size: { width: 300, height: 720 } });
    await panel.events(...shortEdit);
    await held(panel, false);
    const next = progress("a1", "c1", {
      state: "waiting",
      input: {},
      action: { type: "edit-file", path: "src/other.ts", changedLines: 1 },
      approval: { id: "approval-2", reasons: ["writes-file"] },
    });
    const message = JSON.stringify({ type: "events", after: panel.revision, events: [next] });
    await panel.page.evaluate(
      `document.querySelector(".approval-buttons").addEventListener("click", () => postMessage(${message}, "*"), { once: true })`,
    );
    const endPause = await holdPause(panel);
    await allow().click();
    await panel.page.locator(".approval-what", { hasText: "Edit src/other.ts" }).waitFor();
    await panel.page.evaluate("document.querySelector('.approval-buttons button').click()");
    assert.equal(await decisions(panel), 1);
    assert.match((await panel.page.locator("[aria-live=polite] div").last().textContent())!, /^This question has just/);
    await endPause();
    await allow().click();
    assert.equal((await panel.intent("approval-decide", 2)).approval, "approval-2");
  });

  it("A3: code between two words that are read from right to left stands in the order in which it runs", async () => {
    const panel = await open({ size: { width: 420, height: 720 } });
    await panel.events(...editing('+x = "\u05d0" + 100 - 5 + "\u05d1"'));
    const left = (found: string): Promise<number> =>
      panel.page.evaluate(
        `(() => { const walk = document.createTreeWalker(document.querySelector(".diff-text"), NodeFilter.SHOW_TEXT); const range = document.createRange(); while (walk.nextNode()) { const at = walk.currentNode.data.indexOf(${JSON.stringify(found)}); if (at >= 0) { range.setStart(walk.currentNode, at); range.setEnd(walk.currentNode, at + 1); return range.getBoundingClientRect().left; } } })()`,
      );
    const places = await Promise.all(["\u05d0", "100", "5", "\u05d1"].map(left));
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
  });
});
