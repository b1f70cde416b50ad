/** Notifications as a person sees them: toasts, in a window that VS Code's test driver does not control. */
import assert from "node:assert/strict";
import { openWindow, type VsCodeWindow } from "../support/window";

const withoutKey = { "sluice.baseUrl": "https://gateway.invalid/v1", "workbench.colorTheme": "Default Light Modern" };

describe("notifications", () => {
  let window: VsCodeWindow;
  before("open VS Code with toasts", async () => {
    // Its own window: after a reload the settings count twice here, the person's and the server's.
    window = await openWindow({ toasts: true, settings: withoutKey });
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
    await window.quickInput().locator("input[type=password]").fill("sk-canary-window");
    await window.page.keyboard.press("Enter");
    await window.showContainer("Sluice");
    await (await window.view("Tasks")).getByRole("button", { name: "New Task" }).waitFor();
  });

  it("C2: a key outlives a reload and is known to a second window", async () => {
    await window.reload();
    const second = await window.openSecond();
    for (const each of [window, second]) {
      await each.showContainer("Sluice");
      const tasks = await each.view("Tasks");
      // With a key it was asked for its models; it does not answer.
      await tasks.getByRole("button", { name: "Check Connection" }).waitFor();
      assert.equal(await tasks.getByRole("button", { name: "Set API Key" }).count(), 0);
    }
  });
});
