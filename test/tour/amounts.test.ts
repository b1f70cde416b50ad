/** What a gateway states, in the real window: the chat with what it cost and what is left, the list of models, the money page; dark, light and narrow. */
import type { Frame } from "playwright-core";
import { startFaultyGateway, type FaultyGateway } from "../faults/faultyGateway";
import { askInChat } from "../support/askInChat";
import { picksOf } from "../support/picks";
import { setKey } from "../support/setKey";
import { setSideBarWidth } from "../support/sideBar";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";
import { openWindow, type VsCodeWindow } from "../support/window";

const looks = [
  { dialect: "vercel", theme: "Default Dark Modern", width: 410 },
  { dialect: "litellm", theme: "Default Light Modern", width: 410 },
  { dialect: "openrouter", theme: "Default Dark Modern", width: 300 },
] as const;

describe("amounts in the window", () => {
  for (const { dialect, theme, width } of looks) {
    describe(`${dialect}, ${theme}, ${width} px`, () => {
      let folder: TemporaryFolder;
      let gateway: FaultyGateway;
      let window: VsCodeWindow;
      let chat: Frame;
      before(async () => {
        folder = await createTemporaryFolder();
        gateway = await startFaultyGateway({ stateDir: folder.path, dialect, speed: 20, tokensPerSecond: 500 });
        const settings = { "sluice.baseUrl": `${gateway.url}/v1`, "workbench.colorTheme": theme };
        window = await openWindow({ settings });
        await window.showContainer("Sluice");
        await setSideBarWidth(window, width);
        chat = await window.frameWith("textarea");
        await setKey(window, gateway.key);
      });
      after(async () => {
        await window.close();
        await gateway.close();
        await folder.remove();
      });

      const shot = (name: string): Promise<unknown> => window.screenshot(`amounts-${dialect}-${name}`);

      it("T18: an answer, what the chat cost and what is left", async () => {
        await askInChat(chat, "write 2 paragraphs");
        await chat.locator(".footer span[title]").first().waitFor();
        await chat.locator(".gateway").first().waitFor();
        if (dialect !== "openrouter") await chat.locator(".gateway-left").waitFor();
        await chat.locator(".footer span[title]").first().hover();
        await shot("chat");
      });

      it("T18: the prices in the list of models", async () => {
        window.begin("sluice.chat.chooseModel");
        await window.quickInput().getByText("demo-messages").first().waitFor();
        await shot("models");
        await picksOf(window).press("Escape");
      });

      it("T18: a task before the yes, and the money page", async () => {
        await window.openFile("hero.prompts.md");
        await window.selectText("lighthouse");
        window.begin("sluice.task.submitSelection");
        await window.pick(/^Image/);
        await window.quickInput().getByText("demo-image").first().waitFor();
        await shot("task-model");
        await picksOf(window).press("Enter");
        await window.quickInput().getByText("Edit Prompt").waitFor();
        await shot("task-confirm");
        await picksOf(window).press("Enter");
        await window.treeRow("Tasks", "Finished today");
        window.begin("sluice.task.showMoney");
        const page = await window.frameWith(".money-page");
        await page.getByText("Charged").first().click();
        await page.getByText("lighthouse").first().waitFor();
        await shot("money");
      });
    });
  }
});
