/** The picks beside Submit by plain Enter, typing, click, Back and Esc, and with an Enter too many. */
import { modelStep, type Picks, picksOf, promptStep, typeStep } from "../../support/picks";
import { pressInRow } from "../../support/rowMenu";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

describe("picks", () => {
  let window: VsCodeWindow;
  let picks: Picks;
  before("open the window", async () => {
    window = await shareLocalWindow();
    picks = picksOf(window);
  });
  after(async () => {
    await window.close();
  });

  describe("Cancel", () => {
    const submit = async (prompt: string): Promise<void> => {
      await window.runCommand("Sluice: New Task…");
      await picks.through(typeStep, modelStep);
      await picks.step(promptStep);
      await picks.typePrompt(prompt);
      await picks.press("Enter");
    };
    const askReason = async (prompt: string): Promise<void> => {
      const row = await window.treeRow("Tasks", prompt);
      await pressInRow(row, "Cancel");
      await picks.step("choose or type a reason for the cancel");
    };

    for (const [prompt, how] of [
      ["[stuck] a ferry at noon", "Enter"],
      ["[stuck] a ferry at one", "a click"],
      ["[stuck] a ferry at two", "a reason that is typed, with Enter at once"],
    ] as const) {
      it(`T9 (finding 19): Esc cancels nothing; ${how} cancels`, async () => {
        await submit(prompt);
        await askReason(prompt);
        await picks.press("Escape");
        await picks.closed();
        await askReason(prompt);
        if (how === "a click") await window.pick("Wrong prompt");
        else {
          if (how !== "Enter") await picks.type("the client changed their mind");
          await picks.press("Enter");
        }
        await picks.closed();
        const row = await window.treeRow("Tasks", prompt);
        await row.locator(".codicon-circle-slash").waitFor();
      });
    }
  });

  describe("New Task", () => {
    it("T1: what is typed at the very moment a step is shown is its text", async () => {
      await window.runCommand("Sluice: New Task…");
      await picks.through(typeStep);
      await picks.step(modelStep);
      // In the page, when the step is drawn: before the host has that report.
      const isTyped = window.page.evaluate(`new Promise((resolve) => {
        const input = document.querySelector(".quick-input-widget input[type=text], .quick-input-widget .quick-input-box input");
        const watcher = new MutationObserver(() => {
          if (!input.placeholder.includes(${JSON.stringify(promptStep)})) return;
          watcher.disconnect();
          input.value = "a lamp in the fog";
          input.dispatchEvent(new InputEvent("input", { bubbles: true }));
          resolve(true);
        });
        watcher.observe(input, { attributes: true, attributeFilter: ["placeholder"] });
      })`);
      await window.quickInput().locator(".monaco-list-row").first().waitFor();
      await picks.press("Enter");
      await isTyped;
      await window.quickInput().locator(".monaco-list-row", { hasText: "a lamp in the fog" }).waitFor();
      // Left in the box, it would be kept for the next task.
      await window.quickInput().locator("input").fill("");
      await window.quickInput().getByText("Nothing is typed yet.").waitFor();
      await picks.press("Escape");
      await picks.closed();
    });
  });

  describe("Choose Model", () => {
    const choose = async (): Promise<void> => {
      await window.runCommand("Sluice: Choose Model…");
      await picks.step(modelStep);
    };

    it("C5 (finding 19): Enter takes the model that is the current one; so does a click", async () => {
      await choose();
      await picks.press("Enter");
      await picks.closed();
      await choose();
      await window.pick("demo-chat");
      await picks.closed();
      await choose();
      await picks.press("Escape");
      await picks.closed();
    });

    it("C5 (finding 19): an id that is typed and taken at once asks for its API; a second Enter does not answer that too", async () => {
      await choose();
      await picks.type("my-own-model");
      await picks.pressEnter(2);
      await picks.step("Which API does my-own-model use?");
      await picks.back();
      await choose();
      await picks.type("my-own-model");
      await picks.press("Enter");
      await picks.step("Which API does my-own-model use?");
      await picks.press("Enter");
      await picks.closed();
      await (await window.frameWith("textarea")).getByText("my-own-model").first().waitFor();
      await choose();
      await picks.type("demo-chat");
      await picks.press("Enter");
      await picks.closed();
    });
  });

  describe("Choose Gateway", () => {
    const choose = async (): Promise<void> => {
      await window.runCommand("Sluice: Choose Gateway…");
      await picks.step("Choose, or type an address");
    };

    it("C1 (finding 19): Enter takes the preselected gateway; so does a click", async () => {
      await choose();
      await picks.press("Enter");
      await picks.closed();
      await choose();
      await window.pick("Local gateway");
      await picks.closed();
    });

    it("C1 (finding 19): an address that can't be used stays, one that is pasted is taken with Enter at once", async () => {
      await choose();
      await picks.type("http://gateway.example/v1");
      await picks.pressEnter(2);
      await picks.step("Choose, or type an address");
      await picks.hasText("http://gateway.example/v1");
      await picks.press("ControlOrMeta+a");
      await picks.type("https://gateway.invalid/v1");
      await picks.press("Enter");
      await window.quickInput().locator("input[type=password]").waitFor();
      await picks.press("Escape");
      await picks.closed();
      await choose();
      // By its name, slowly: the list has followed what was typed.
      await picks.type("Local");
      await window.quickInput().getByText("gateway.invalid").waitFor({ state: "hidden" });
      await picks.press("Enter");
      await picks.closed();
    });
  });
});
