/** The real window: Sluice has its place in it, and each view shows what it should before anything was done. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { eventually } from "../../support/eventually";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

describe("the window", () => {
  let window: VsCodeWindow;
  before("open VS Code on the sample", async () => {
    window = await shareLocalWindow();
  });
  after(async () => {
    await window.close();
  });

  it("V4: the activity bar has one Sluice icon that shows Chat above Tasks", async () => {
    await window.showContainer("Sluice");
    assert.equal(await window.activityIcon("Sluice").count(), 1);
    const headers = window.page.locator(".part.sidebar .pane-header h3");
    await eventually("Chat above Tasks", async () =>
      isDeepStrictEqual(
        (await headers.allInnerTexts()).map((header) => header.toLowerCase()),
        ["chat", "tasks"],
      ),
    );
  });

  it("P1 (finding 35): the Chat view shows its composer", async () => {
    const frame = await window.frameWith("textarea");
    const composer = frame.locator("textarea");
    assert.equal(await composer.isEditable(), true);
    assert.equal(await composer.getAttribute("placeholder"), "Ask, # files, / commands");
  });

  it("T6: the empty Tasks view says how to begin", async () => {
    const tasks = await window.view("Tasks");
    await tasks.getByText("Select a prompt in any file").waitFor();
    assert.equal(await tasks.getByRole("button", { name: "New Task", exact: true }).count(), 1);
  });
});
