/** Notifications as a person sees them: toasts, in a window that VS Code's test driver does not control. */
import assert from "node:assert/strict";
import type { VsCodeWindow } from "../../support/window";
import { shareToastWindow } from "../../support/windowOnGateway";

const withoutKey = {
  "sluice.baseUrl": "https://notifications.invalid/v1",
  "workbench.colorTheme": "Default Light Modern",
};

describe("notifications", () => {
  let window: VsCodeWindow;
  before("open VS Code with toasts", async () => {
    window = await shareToastWindow(withoutKey);
  });
  after(async () => {
    await window.close();
  });

  it("V4 (finding 22): what a command misses is said in a toast, whose button goes on", async () => {
    await window.runCommand("Sluice: New Task…");
    const toast = await window.toast("No API key is set for this gateway.");
    await window.screenshot("toast-no-key-light");
    await toast.getByText("Source: Sluice").waitFor();
    // Nothing was typed yet that could be kept.
    assert.equal(await toast.getByText("kept").count(), 0);
    await toast.getByRole("button", { name: "Set API Key" }).click();
    const box = window.quickInput().locator("input[type=password]");
    await box.fill("sk-canary-window");
    await box.press("Enter");
    await window.showContainer("Sluice");
    await (await window.view("Tasks")).getByRole("button", { name: "New Task", exact: true }).waitFor();
  });
});
