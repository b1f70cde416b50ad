/** The bar that answers a question: in view whatever is read above, shows the change view by view, and answers one question at a time. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { allowWorks, allowWaits } from "../../support/approvalBar";
import { editing, longEdit, offeredEdit, shortEdit, twoQuestions } from "./approvalScenes";
import { decisions, held, holdPause } from "./barOfPanel";
import { usePanel } from "../support/panelSuite";
import { progress } from "./scenes";

describe("chat panel, bar of an approval", () => {
  const { open, button } = usePanel();
  const allow = (): Locator => button("Allow");

  for (const key of ["Enter", "Space"]) {
    it(`A3 (findings N2, S5): ${key} on the bar shows the change view by view, leaves no line out, and allows only then`, async () => {
      const panel = await open({ size: { width: 300, height: 480 } });
      const endPause = await holdPause(panel);
      await panel.events(...longEdit);
      await held(panel, true);
      await panel.post({ type: "approval-focus" });
      const inView = (): Promise<number[]> =>
        panel.page.evaluate(`(() => {
          const place = document.querySelector(".transcript").getBoundingClientRect();
          const box = document.querySelector(".diff").getBoundingClientRect();
          const [top, bottom] = [Math.max(place.top, box.top) - 1, Math.min(place.bottom, box.bottom) + 1];
          return [...document.querySelectorAll(".diff-line")].flatMap((line, index) => {
            const { top: from, bottom: to } = line.getBoundingClientRect();
            return from >= top && to <= bottom ? [index] : [];
          });
        })()`);
      const seen = new Set(await inView());
      for (let press = 0; press < 30 && (await panel.page.evaluate(`Boolean(${allowWaits})`)); press++) {
        const label = await panel.page.evaluate("document.querySelector('.approval-rest')?.innerText ?? ''");
        await panel.page.keyboard.press(key);
        for (const line of await inView()) seen.add(line);
        await panel.until(
          `!${allowWaits} || document.querySelector(".approval-rest")?.innerText !== ${JSON.stringify(label)}`,
        );
        assert.equal(await panel.page.evaluate("document.activeElement.matches('.approval-yes')"), true);
        assert.equal(await decisions(panel), 0);
      }
      assert.equal(seen.size, 60, "a line was skipped");
      // What is pressed for the rest does not allow as well.
      await panel.page.keyboard.press(key);
      assert.equal(await decisions(panel), 0);
      await endPause();
      await held(panel, false);
      await panel.page.keyboard.press(key);
      assert.equal((await panel.intent("approval-decide")).allow, true);
    });
  }

  it("P6 (newuser M8): at 300 pixels Allow stands in the middle of its button, and Open Diff in the line of the others", async () => {
    const panel = await open({ size: { width: 300, height: 480 } });
    await panel.events(...shortEdit);
    await held(panel, false);
    for (const focus of [false, true]) {
      if (focus) await panel.post({ type: "approval-focus" });
      const place = await panel.page.evaluate<{ readonly left: number; readonly right: number }>(`(() => {
        const button = document.querySelector(".approval-yes");
        const range = document.createRange();
        range.selectNodeContents([...button.childNodes].find((node) => node.textContent.trim() === "Allow"));
        const [text, box] = [range.getBoundingClientRect(), button.getBoundingClientRect()];
        return { left: text.left - box.left, right: box.right - text.right };
      })()`);
      assert.ok(Math.abs(place.left - place.right) < 2, JSON.stringify(place));
    }
    const tops = await Promise.all(
      (await panel.page.locator(".approval-buttons button").all()).map(async (one) => (await one.boundingBox())!.y),
    );
    assert.ok(Math.max(...tops) - Math.min(...tops) < 8, tops.join());
  });

  it("A3: a key that is held does not allow what a press of it has brought into view", async () => {
    const panel = await open({ size: { width: 300, height: 480 } });
    await panel.events(...shortEdit);
    await held(panel, false);
    await panel.post({ type: "approval-focus" });
    const isTaken = await panel.page.evaluate(
      `!document.querySelector(".approval-yes").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true }))`,
    );
    assert.equal(isTaken, true);
    assert.equal(await decisions(panel), 0);
  });

  it("A3, P6: Enter in the empty composer names the question that waits and its key, as the button does", async () => {
    const panel = await open();
    await panel.events(...shortEdit);
    await panel.page.getByRole("textbox", { name: "Prompt" }).press("Enter");
    const hint = await panel.page.locator(".hint").innerText();
    assert.match(hint, /^A question waits above: Allow or Don't Allow \((?:Ctrl|Cmd)\+Shift\+A\)\.$/);
    assert.match((await allow().getAttribute("title")) ?? "", /^(?:Ctrl|Cmd)\+Shift\+A, then Enter$/);
    assert.equal(await decisions(panel), 0);
  });

  it("A3 (finding N2): at 300 px a change of one line is allowed with the key to the question and Enter, and Escape goes to the composer", async () => {
    const panel = await open({ size: { width: 300, height: 720 } });
    await panel.events(...shortEdit);
    await held(panel, false);
    assert.equal(
      (await panel.page.locator(".approval-line").innerText()).replaceAll(/\s+/g, " "),
      "Edit src/app.ts +1 −1",
    );
    await panel.post({ type: "approval-focus" });
    await panel.until("document.activeElement.matches('.approval-yes')");
    await panel.page.keyboard.press("Escape");
    assert.equal(await panel.page.evaluate("document.activeElement.ariaLabel"), "Prompt");
    await panel.post({ type: "approval-focus" });
    await panel.until("document.activeElement.matches('.approval-yes')");
    await panel.page.keyboard.press("Enter");
    assert.equal((await panel.intent("approval-decide")).allow, true);
  });

  for (const [width, height] of [
    [300, 720],
    [170, 720],
    [150, 360],
    [420, 240],
  ] as const) {
    it(`A3, P6 (finding N2): ${width} × ${height}: the buttons are in the view, whatever is read above`, async () => {
      const panel = await open({ size: { width, height } });
      await panel.events(...offeredEdit);
      // Not a height of the message: in a transcript of a line's height it is out of view, and not in the page.
      await panel.page.evaluate("document.querySelector('.rows').style.paddingTop = '3000px'");
      await panel.page.locator(".transcript").hover();
      await panel.page.mouse.wheel(0, -10_000);
      for (const one of await panel.page.locator(".approval-bar button").all()) {
        const { x, y, width: wide, height: high } = (await one.boundingBox())!;
        assert.ok(
          x >= 0 && x + wide <= width && y >= 0 && y + high <= height,
          `${await one.innerText()} at ${x}, ${y}`,
        );
      }
      assert.equal(await panel.page.locator(".approval button").count(), 0, "the card has buttons of its own");
    });
  }

  it("A3, P6: at no width does the bar change its size when Allow gets the focus", async () => {
    const panel = await open({ size: { width: 240, height: 720 } });
    await panel.events(...offeredEdit);
    await held(panel, false);
    const height = (): Promise<number> =>
      panel.page.evaluate("document.querySelector('.approval-bar').getBoundingClientRect().height");
    for (let width = 240; width <= 420; width += 10) {
      await panel.setSize({ width, height: 720 });
      await panel.page.evaluate("document.activeElement.blur()");
      const before = await height();
      await panel.post({ type: "approval-focus" });
      await panel.until("getComputedStyle(document.querySelector('.enter-key')).visibility === 'visible'");
      assert.equal(await height(), before, `${width}`);
    }
  });

  it("A3: of several questions the first is in the bar with the count, and a press answers it alone", async () => {
    const panel = await open();
    await panel.events(...twoQuestions);
    assert.match(await panel.page.locator(".approval-line").innerText(), /src\/app\.ts[^]*1 of 2/);
    await held(panel, false);
    await allow().click();
    assert.equal((await panel.intent("approval-decide")).approval, "approval-1");
    await panel.events(
      progress("a1", "c1", {
        state: "done",
        input: {},
        action: { type: "edit-file", path: "src/app.ts", changedLines: 1 },
        result: "1 line changed",
      }),
    );
    assert.match(await panel.page.locator(".approval-line").innerText(), /src\/other\.ts/);
    assert.doesNotMatch(await panel.page.locator(".approval-line").innerText(), / of /);
    await panel.until(allowWorks);
    await allow().click();
    assert.equal((await panel.intent("approval-decide", 2)).approval, "approval-2");
  });

  it("A3 (finding N2): one unchanged line is around a change, clipped; what changes wraps", async () => {
    const panel = await open({ size: { width: 300, height: 720 } });
    const long = "an unchanged line that is much longer than the side bar is wide, so that it would wrap";
    await panel.events(
      ...editing(
        " 1",
        " 2",
        ` ${long}`,
        `-${long} a`,
        `+${long} b`,
        " 6",
        " 7",
        " 8",
        "-9",
        "\\ No newline at end of file",
      ),
    );
    const numbers = await panel.page.locator(".diff-number").allInnerTexts();
    assert.deepEqual(numbers, ["3", "4", "4", "5", "7", "8"]);
    assert.equal(await panel.page.locator(".diff-gap").count(), 2, "the gap, and the remark on the last line");
    const heights = await panel.page.evaluate<number[]>(
      "[...document.querySelectorAll('.diff-line')].map((line) => line.getBoundingClientRect().height)",
    );
    const [same = 0, removed = 0, added = 0, after = 0] = heights;
    assert.ok(same === after && removed > 2 * same && added > 2 * same, heights.join(" "));
    await held(panel, false);
  });
});
