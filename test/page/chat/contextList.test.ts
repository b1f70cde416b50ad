/** The list under `#` while the host still looks for what was typed last. */
import assert from "node:assert/strict";
import { fileItem } from "./attachingScenes";
import { usePanel } from "../support/panelSuite";

describe("chat panel, list of what can be attached", () => {
  const { open, composer } = usePanel();

  it("P1: Enter attaches nothing of the list for less than was typed, sends nothing, and works when the right list is there", async () => {
    const panel = await open();
    await composer().pressSequentially("#a");
    await panel.post({ type: "context-found", query: "a", items: [fileItem("late.ts")] });
    await composer().pressSequentially("pp");
    await composer().press("Enter");
    assert.equal(await panel.page.locator(".file-chip").count(), 0);
    assert.equal(await composer().inputValue(), "#app");
    await panel.post({ type: "context-found", query: "app", items: [fileItem("src/app.ts")] });
    await panel.page.getByRole("option").waitFor();
    await composer().press("Enter");
    assert.deepEqual(await panel.page.locator(".file-chip").allInnerTexts(), ["src/app.ts"]);
    assert.ok(!(await panel.intents()).some(({ type }) => type === "prompt-submit"));
  });
});
