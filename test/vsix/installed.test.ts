/** The packaged file: small, holding only what is listed, and working when a person installs it. */
import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { installExtension } from "../../scripts/vscodeServer.mjs";
import { temporaryFolder } from "../../scripts/workspace.mjs";
import { modelStep, type Picks, picksOf, promptStep, selectionStep, typeStep } from "../support/picks";
import { filesOf } from "../support/startChunks";
import { openWindow, type VsCodeWindow } from "../support/window";

describe("the VSIX", () => {
  // `npm test` makes both before it builds what the other suites run from.
  const vsix = path.resolve("test-results/package/sluice.vsix");
  const record = path.resolve("test-results/package/meta.json");

  it("V5: is under 600 KB", async () => {
    assert.ok((await stat(vsix)).size < 600 * 1024);
  });

  it("F5: at most 250 KB of JavaScript are evaluated before the first use of chat and network", () => {
    assert.ok(filesOf("extension", record).bytes < 15_000);
    assert.ok(filesOf("mountTasks", record).bytes < 250_000);
  });

  it("V5: holds the product and nothing of its making", async () => {
    const extensionsDir = await temporaryFolder();
    await installExtension(vsix, extensionsDir);
    const home = path.join(
      extensionsDir,
      (await readdir(extensionsDir)).find((name) => name.startsWith("sluice."))!,
    );
    const entries = await readdir(home, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));
    const programs = ["dist/extension.mjs", "dist/localGateway.mjs", "dist/search.mjs", "dist/storage.mjs"];
    const translations = ["package.nls.json", "package.nls.zh-cn.json", "l10n/bundle.l10n.zh-cn.json"];
    // The installer writes README.md and LICENSE under its own names.
    const documents = ["README.md", "LICENSE.txt", "dist/THIRD-PARTY-NOTICES.txt"];
    for (const wanted of ["package.json", ...translations, ...documents, ...programs]) {
      assert.ok(
        files.some((file) => file.toLowerCase() === wanted.toLowerCase()),
        `${wanted} is missing in\n${files.join("\n")}`,
      );
    }
    const strange = files.filter((file) => /\.map$|(^|\/)(src|test|scripts|node_modules)\//.test(file));
    assert.deepEqual(
      strange.filter((file) => !file.startsWith("media/sample/")),
      [],
    );
  });

  for (const { look, sideBar, floor, ...settings } of [
    {
      look: "high-contrast",
      floor: false,
      "workbench.colorTheme": "Default High Contrast",
      "window.autoDetectHighContrast": false,
    },
    { look: "light-narrow", floor: true, sideBar: 200, "workbench.colorTheme": "Default Light Modern" },
  ]) {
    describe(`in its first minute, ${look}, ${floor ? "the oldest VS Code" : "the newest VS Code"}`, () => {
      /** What a person has done since the window was open, beside typing the prompt. */
      let effort = { clicks: 0, keys: 0, since: 0 };
      const begin = (): void => void (effort = { clicks: 0, keys: 0, since: performance.now() });
      const click = async (what: { click(): Promise<void> }): Promise<void> => {
        effort.clicks += 1;
        await what.click();
      };
      const enter = async (): Promise<void> => {
        effort.keys += 1;
        await picks.press("Enter");
      };
      const took = (what: string): readonly [clicks: number, keys: number] => {
        const { clicks, keys, since } = effort;
        const seconds = ((performance.now() - since) / 1000).toFixed(1);
        console.log(`      ${what}, ${look}: ${clicks} clicks and ${keys} keys beside the prompt, ${seconds} s`);
        return [clicks, keys];
      };
      let window: VsCodeWindow;
      let picks: Picks;
      let pictures = 0;
      const picture = async (name: string): Promise<void> => {
        pictures += 1;
        await window.screenshot(`${look}-${pictures}-${name}`);
      };
      before("install and open", async () => {
        // Tasks take a minute or two in real time; toasts as a person has them.
        window = await openWindow({
          extension: { vsix },
          floor,
          toasts: true,
          settings: { ...settings, "sluice.localGateway.speed": 10 },
        });
        picks = picksOf(window);
      });
      after(async () => {
        await window.close();
      });

      it("V5 (finding 19): the first chat is one click", async () => {
        begin();
        await click(window.activityIcon("Sluice"));
        await window.showContainer("Sluice");
        if (sideBar !== undefined) await resizeSideBar(window, sideBar);
        const chat = await window.frameWith(".suggestion");
        await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
        const tasks = await window.view("Tasks");
        await tasks.getByText("Local gateway: free, nothing leaves this machine").waitFor();
        await tasks.getByRole("button", { name: "New Task" }).waitFor();
        await picture("open");
        await click(chat.locator(".suggestion").first());
        await chat.locator(".row.answer .footer").last().waitFor();
        assert.deepEqual(took("first chat"), [2, 0]);
        // Of what the workspace has, where this VS Code can search it.
        await chat
          .getByText(/greeting|app\.ts|TODO/)
          .first()
          .waitFor();
        await picture("chat");
      });

      it("V5: the first task is one click, three Enters and the prompt", async () => {
        begin();
        const tasks = await window.view("Tasks");
        await click(tasks.getByRole("button", { name: "New Task" }).first());
        for (const placeholder of [typeStep, modelStep]) {
          await picks.step(placeholder);
          await window
            .quickInput()
            .getByText(/made up|Demonstrator/)
            .first()
            .waitFor();
          await enter();
        }
        await picks.step(promptStep);
        await picks.type("a harbour in fog");
        await enter();
        const row = await window.treeRow("Tasks", "a harbour in fog");
        await row.locator(".codicon-device-camera-video").waitFor({ timeout: 60_000 });
        assert.deepEqual(took("first task"), [1, 3]);
      });

      it("V5 (finding 19): the first task is Enter, Enter, Enter", async () => {
        await window.runCommand("Sluice: Open Sample Prompts");
        await window.page.locator(".monaco-editor .view-line").getByText("Pictures for the harbour website").waitFor();
        await window.page.locator(".monaco-editor .view-line").first().click();
        await window.selectText("A lighthouse at dusk, slow aerial shot from the sea");
        await window.runCommand("Sluice: Submit Selection as Task…");
        for (const [name, placeholder] of [
          ["type", typeStep],
          ["model", modelStep],
          ["submit", selectionStep],
        ] as const) {
          await picks.step(placeholder);
          await window.quickInput().locator(".monaco-list-row").first().waitFor();
          await picture(name);
          await picks.press("Enter");
        }
        const row = await window.treeRow("Tasks", "A lighthouse at dusk");
        await picture("running");
        await row.locator(".codicon-device-camera-video").waitFor({ timeout: 60_000 });
        await picture("succeeded");
        await row.click();
        await window.page.getByRole("tab", { name: /lighthouse/ }).waitFor();
        const video = (await window.frameWith("video")).locator("video");
        while (!(await video.evaluate((element: { readyState: number }) => element.readyState >= 2)))
          await video.hover();
        await window.page.mouse.move(1, 1);
        await picture("result");
        assert.equal(await window.page.locator(".notifications-toasts .notification-list-item").count(), 0);
      });

      it("L6: the local gateway's page has all that it loads", async () => {
        await window.runCommand("Sluice: Show Local Gateway");
        await (await window.frameWith(".gateway-page .balance")).locator(".balance .amount").waitFor();
      });
    });
  }
});

/** Drags the border of the side bar until it has this width. */
async function resizeSideBar({ page }: VsCodeWindow, width: number): Promise<void> {
  const box = await page.locator(".part.sidebar").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width + 1, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + width, box.y + 200, { steps: 10 });
  await page.mouse.up();
  await page.mouse.move(800, 400);
}
