/** A yes for longer, and one yes for several edits: what it would cover is read before it is given. */
import assert from "node:assert/strict";
import { findViolations } from "../support/axe";
import {
  allowedByRule,
  changedFiles,
  commandAfterChanges,
  distrustedCommand,
  groupedEdits,
  offeredCommand,
  offeredEdit,
  onceOnlyEdit,
  reviewableEdit,
} from "./approvalScenes";
import { decisions } from "./barOfPanel";
import { usePanel } from "../support/panelSuite";
import { allowWorks } from "../../support/approvalBar";
import { takePicture } from "../support/pictures";

/** Is true once so many pixels at the start and at the end of the list fade out, because more of it is there. A page draws that with its next frame. */
function fades(above: number, below: number): string {
  const shown =
    "['above', 'below'].map((side) => parseFloat(getComputedStyle(document.querySelector('.offers')).getPropertyValue(`--offers-${side}`)))";
  return `${shown}.join() === "${above},${below}"`;
}

describe("chat panel, a longer yes", () => {
  const { open, button } = usePanel();

  it("A3 (complaint 17): the menu names what each scope would allow, covers nothing at 240 px, and the page sends the scope alone", async () => {
    const panel = await open({ size: { width: 240, height: 720 } });
    await panel.events(...offeredEdit);
    await panel.until(allowWorks);
    await button("Allow for longer…").click();
    const items = panel.page.locator(".offer");
    assert.deepEqual(await items.allInnerTexts(), ["In this chat, until this window closes", "In this workspace"]);
    const rules = panel.page.locator(".offer-rule");
    assert.match(
      (await rules.allInnerTexts()).join("|"),
      /^Edit and create source files and documents\. Files that[^|]*$/,
    );
    for (const item of await items.all())
      assert.equal(await item.getAttribute("aria-description"), await rules.innerText());
    const boxes = [".approval-buttons", ".offers", ".composer"].map((part) => panel.page.locator(part).boundingBox());
    const [buttons, list, composer] = await Promise.all(boxes);
    assert.ok(buttons!.y + buttons!.height <= list!.y && list!.y + list!.height <= composer!.y, "it covers something");
    assert.ok(list!.x + list!.width <= 240 && list!.y + list!.height <= 720, "it is not in view");
    assert.deepEqual(await findViolations(panel.page, { within: ".approval-bar" }), []);
    await panel.until(fades(0, 0));
    await takePicture(panel.page, "offers-240");
    await items.last().click();
    const sent = await panel.intent("approval-decide");
    assert.deepEqual(sent, { type: "approval-decide", approval: "approval-1", allow: true, scope: "workspace" });
  });

  it("A16: the choice to review edits after they have landed is a button of its own, in view at 300 px, and no row of the list", async () => {
    const panel = await open({ size: { width: 300, height: 720 } });
    await panel.events(...reviewableEdit);
    await panel.until(allowWorks);
    const review = button("Allow Edits, I Review Them After");
    const box = await review.boundingBox();
    assert.ok(box && box.x + box.width <= 300, JSON.stringify(box));
    assert.match((await review.getAttribute("title")) ?? "", /^Edit source files and documents that git tracks/);
    await button("Allow for longer…").click();
    assert.equal(await panel.page.locator(".offer").count(), 2);
    assert.deepEqual(await findViolations(panel.page, { within: ".approval-bar" }), []);
    await takePicture(panel.page, "review-after-300");
    await review.click();
    const sent = await panel.intent("approval-decide");
    assert.deepEqual(sent, { type: "approval-decide", approval: "approval-1", allow: true, scope: "review" });
  });

  it("A3, A4 (newuser L7): where foreign text holds a longer yes up, its list says so in place of the scopes", async () => {
    const panel = await open({ size: { width: 240, height: 720 } });
    await panel.events(...onceOnlyEdit);
    await panel.until(allowWorks);
    await button("Allow for longer…").click();
    assert.match(await panel.page.locator(".offers").innerText(), /^Others may have written a pasted image/);
    assert.equal(await panel.page.locator(".offer").count(), 0);
    assert.deepEqual(await findViolations(panel.page, { within: ".approval-bar" }), []);
    await button("Allow").click();
    assert.equal(await decisions(panel), 1);
  });

  it("A3: what the button opens is in view, also in a low page", async () => {
    const panel = await open({ size: { width: 300, height: 320 } });
    await panel.events(...offeredEdit);
    await panel.page.locator(".change-end").scrollIntoViewIfNeeded();
    await panel.until(allowWorks);
    await button("Allow for longer…").click();
    await panel.page.locator(".offer").last().scrollIntoViewIfNeeded();
    const edges = await panel.page.evaluate<number[]>(
      "['.approval-bar', '.offer:last-of-type', '.composer'].map((part) => [...document.querySelectorAll(part)].at(-1).getBoundingClientRect().bottom)",
    );
    const [bar = 0, offer = 0, composer = 0] = edges;
    assert.ok(offer <= bar && bar <= composer && composer <= 320, edges.join(" "));
    await takePicture(panel.page, "offers-in-view");
  });

  it("A3: in a low side bar the question keeps its title and buttons in view, and its longer choices scroll, with a sign of more", async () => {
    const panel = await open({ size: { width: 300, height: 340 } });
    await panel.events(...offeredCommand);
    await panel.until(allowWorks);
    await button("Allow for longer…").click();
    const list = panel.page.locator(".offers");
    const bottom = async (part: string): Promise<number> => {
      const box = await panel.page.locator(part).last().boundingBox();
      return (box?.y ?? NaN) + (box?.height ?? NaN);
    };
    const inView = async (part: string): Promise<void> => {
      const box = await panel.page.locator(part).first().boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= 340, `${part} ${JSON.stringify(box)}`);
    };
    await takePicture(panel.page, "offers-low");
    await panel.until(fades(0, 24));
    for (const [at, name] of [
      "In this chat, until",
      "In this workspace",
      "Commands in this chat, until",
      "Commands in this chat, also",
    ].entries()) {
      const offer = panel.page.locator(".offer").nth(at);
      await offer.focus();
      assert.match(await offer.innerText(), new RegExp(`^${name}`));
      for (const part of [".approval-line", ".approval-yes", ".composer"]) await inView(part);
      const [box, frame] = await Promise.all([offer.boundingBox(), list.boundingBox()]);
      assert.ok(box && frame && box.y >= frame.y - 1 && box.y + box.height <= frame.y + frame.height + 1, name);
    }
    await panel.until(fades(24, 0));
    assert.ok((await bottom(".offers")) <= (await bottom(".approval-bar")));
    await takePicture(panel.page, "offers-low-end");
    assert.deepEqual(await findViolations(panel.page, { within: ".approval-bar" }), []);
  });

  it("A3 (finding H2): the files that rules let the model change are listed under each other", async () => {
    const panel = await open({ size: { width: 300, height: 720 } });
    await panel.events(...commandAfterChanges);
    await panel.page.getByText(/^\s*Rules let the model change these files/).waitFor();
    assert.deepEqual(await panel.page.locator(".approval-files li").allInnerTexts(), changedFiles);
    assert.deepEqual(await findViolations(panel.page, { within: ".approval" }), []);
    await takePicture(panel.page, "changed-files");
  });

  it("A3, P6: with the keyboard: opened, moved through with the arrows, closed with Escape, chosen with Enter", async () => {
    const panel = await open();
    await panel.events(...offeredEdit);
    await panel.until(allowWorks);
    const { keyboard } = panel.page;
    const focused = (): Promise<string> =>
      panel.page.evaluate(
        "document.activeElement.ariaLabel ?? document.activeElement.textContent.trim().slice(0, 17).trim().replace(/ E$/, '')",
      );
    await button("Allow").focus();
    await keyboard.press("Tab");
    assert.equal(await focused(), "Allow for longer…");
    await keyboard.press("Enter");
    assert.equal(await panel.page.locator("[aria-controls^=offers-]").getAttribute("aria-expanded"), "true");
    await panel.page.locator(".offer").first().focus();
    await keyboard.press("Escape");
    assert.equal(await focused(), "Allow for longer…");
    assert.equal(await panel.page.locator(".offers").count(), 0);
    // Opened by its button, which keeps the focus, or with the focus on another one of the bar.
    for (const name of ["Allow for longer…", "Don't Allow"]) {
      await button("Allow for longer…").click();
      await button(name).focus();
      await keyboard.press("Escape");
      assert.equal(await panel.page.locator(".offers").count(), 0, name);
      assert.equal(await focused(), "Allow for longer…");
    }
    await keyboard.press("Enter");
    await panel.page.locator(".offer").first().focus();
    await keyboard.press("ArrowDown");
    assert.equal(await focused(), "In this workspace");
    await keyboard.press("ArrowDown");
    assert.match(await focused(), /^In this chat/);
    await keyboard.press("Enter");
    assert.deepEqual((await panel.intent("approval-decide")).scope, "session");
  });

  it("A3: several edits are one card with their files under each other, one Allow, and a diff for each", async () => {
    const panel = await open();
    await panel.events(...groupedEdits);
    await panel.until(allowWorks);
    assert.equal(await panel.page.locator(".approval").count(), 1);
    assert.equal(await panel.page.locator(".approval-title").innerText(), "3 changes, 2 files");
    assert.deepEqual(await panel.page.locator(".diff-file h3").allInnerTexts(), [
      "Edit src/app.ts: 1 line changed",
      "Edit src/greeting/polite/messages.ts: 1 line changed",
      "Edit src/app.ts: 1 line changed",
    ]);
    await button("Open Diff").nth(1).click();
    assert.deepEqual(await panel.intent("diff-open"), { type: "diff-open", approval: "approval-1", call: "c1" });
    assert.deepEqual(await findViolations(panel.page, { within: ".approval" }), []);
    const said = await panel.page.locator("[aria-live=polite] div").allTextContents();
    assert.deepEqual(
      said.filter((text) => text.startsWith("Approval needed")),
      ["Approval needed: 3 changes, 2 files (changes a file)"],
    );
    await button("Allow").click();
    assert.equal(await decisions(panel), 1);
  });

  it("A3: a call that ran by a rule says so in its row, and leads to the rules", async () => {
    const panel = await open();
    await panel.events(...allowedByRule);
    assert.deepEqual(
      (await panel.page.locator("summary .tool-state").allInnerTexts()).filter((text) => text.startsWith("allowed")),
      ["allowed in this workspace", "allowed in this chat", "allowed in this chat"],
    );
    await panel.page.locator("summary").first().click();
    await button("Show Approvals").first().click();
    await panel.intent("approvals-show");
  });

  it("A4: the card says after what the rules are not applied", async () => {
    const panel = await open();
    await panel.events(...distrustedCommand);
    assert.match(
      await panel.page.locator(".approval").innerText(),
      /do not apply while the model is given dist\/notes\.md/,
    );
  });
});
