/** Where the keyboard and the selection are: the page reports to the host when it has the focus, and nothing that is drawn late takes them away. */
import assert from "node:assert/strict";
import { usePanel } from "../support/panelSuite";
import { finished, prompt, started, text } from "./scenes";

describe("chat panel, the focus and the selection", () => {
  const { open } = usePanel();

  it("P6: the host gets a report that the composer has the focus once it has it", async () => {
    const panel = await open();
    await panel.post({ type: "composer-insert", chat: "chat-1", text: "" });
    await panel.post({ type: "focus-await", id: 7 });
    assert.equal((await panel.intent("focus-taken")).id, 7);
    assert.equal(await panel.page.evaluate("document.activeElement.localName"), "textarea");
    assert.equal((await panel.intents()).filter(({ type }) => type === "focus-taken").length, 1);
  });

  it("P6: a page that nothing in it has the focus of puts it into the composer before it reports", async () => {
    const panel = await open();
    await panel.page.evaluate("document.activeElement.blur()");
    await panel.post({ type: "focus-await", id: 8 });
    await panel.intent("focus-taken");
    assert.equal(await panel.page.evaluate("document.activeElement.localName"), "textarea");
  });

  it("P6: text that is typed before the next frame is not lost when the button with the focus has gone", async () => {
    const panel = await open();
    await panel.show([...prompt("p1", "Hello"), started("a1"), text("a1", 0, "Hi."), ...finished("a1")]);
    const keys = (...names: readonly string[]): Promise<string> =>
      panel.page.evaluate(`(() => {
        const button = document.querySelector(".icon-button");
        button.focus();
        button.remove();
        for (const key of ${JSON.stringify(names)})
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        return document.activeElement.localName;
      })()`);
    assert.equal(await keys("Enter", " "), "body", "they press buttons, and are no text");
    assert.equal(await keys("Enter", "x"), "textarea");
  });

  it("P6: text that is typed before the first frame of a page that got the focus goes into the composer, also where text was pressed before", async () => {
    const panel = await open();
    const key = (name: string): Promise<string> =>
      panel.page.evaluate(`(() => {
        document.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        dispatchEvent(new PointerEvent("pointerup"));
        document.activeElement.blur();
        dispatchEvent(new Event("focus"));
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(name)}, bubbles: true }));
        return document.activeElement.localName;
      })()`);
    assert.equal(await key("Enter"), "body", "it is no text");
    assert.equal(await key("x"), "textarea");
  });

  it("P2: code that is coloured late keeps what was selected in it", async () => {
    const panel = await open();
    await panel.page.evaluate(
      "globalThis.idle = []; globalThis.requestIdleCallback = (work) => globalThis.idle.push(work);",
    );
    const code = "```js\nconst lighthouse = 'a tower';\nreturn lighthouse;\n```";
    await panel.show([...prompt("p1", "Hello"), started("a1"), text("a1", 0, code), ...finished("a1")]);
    const selected = (): Promise<string> => panel.page.evaluate("String(getSelection())");
    await panel.page.evaluate(`(() => {
      const { firstChild } = document.querySelector(".code-part");
      // Backwards, as a hand may select.
      getSelection().setBaseAndExtent(firstChild, 16, firstChild, 6);
    })()`);
    assert.equal(await selected(), "lighthouse");
    await panel.page.evaluate("globalThis.idle.splice(0).forEach((work) => work())");
    await panel.page.locator(".code-part span").first().waitFor({ state: "attached" });
    assert.equal(await selected(), "lighthouse");
  });
});
