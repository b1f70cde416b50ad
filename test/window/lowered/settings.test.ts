/** The settings in VS Code's own editor, in a remote window: under the person's User tab, in their groups. */
import { settingIds } from "../../../src/domain/settingTable";
import { eventually } from "../../support/eventually";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

describe("settings in the window", () => {
  let window: VsCodeWindow;
  before(async () => {
    window = await shareLocalWindow();
  });
  after(() => window.close());

  it("C1 (finding 23): Open Settings shows all of them under User, in their groups, and none under Remote and Workspace", async () => {
    await window.runCommand("Sluice: Open Settings");
    const editor = window.page.locator(".settings-editor");
    await editor.getByText("Base Url").first().waitFor();
    const count = async (): Promise<string> => (await editor.locator(".settings-count-widget").textContent()) ?? "";
    // The search goes on after the first settings are shown.
    await eventually("all of them", async () => (await count()).startsWith(`${settingIds.length} `));
    for (const group of ["Gateway", "Chat", "Tasks", "Results", "Network", "API Families", "Local Gateway"])
      await editor.locator(".settings-toc-container").getByText(group, { exact: true }).waitFor();
    for (const tab of [/^Remote/, "Workspace"]) {
      await editor.locator(".settings-tabs-widget").getByText(tab).first().click();
      await editor.locator(".no-results-message").waitFor();
    }
  });
});
