/** Check Connection in a real window: a document that fills in, with buttons above what failed. */
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

describe("Check Connection in a window", () => {
  let window: VsCodeWindow;
  before(async () => {
    window = await shareLocalWindow();
  });
  after(async () => {
    await window.close();
  });

  it("C3: the local gateway: everything works, and the document says that nothing was paid", async () => {
    await window.runCommand("Sluice: Check Connection");
    const editor = window.page.locator(".editor-instance");
    await editor.getByText("Everything works.").waitFor();
    await editor.getByText("Run Again").waitFor();
    await editor.getByText("API key: accepted").waitFor();
    await window.screenshot("check-connection");
  });
});
