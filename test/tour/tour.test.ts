/** `npm run tour`: through the real window as a person would go, with a picture at each stop in test-results/tour/. */
import { openWindow, type VsCodeWindow } from "../support/window";

describe("the tour", () => {
  let window: VsCodeWindow;
  before(async () => {
    window = await openWindow();
  });
  after(async () => {
    await window.close();
  });

  it("the empty views", async () => {
    await window.showContainer("Sluice");
    await window.frameWith("textarea");
    await window.screenshot("01-empty");
  });
});
