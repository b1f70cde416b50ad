/** The packaged file: small, and each of its parts works when a person installs it. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { sampleWorkspace, temporaryFolder } from "../../scripts/workspace.mjs";
import { agentToolNames } from "../../src/agents/tasks/agentToolNames";
import { imageSizeOf } from "../../src/domain/media/imageSize";
import { readMarks } from "../../src/domain/media/marks/readMarks";
import { askInChat } from "../support/askInChat";
import { assertConforms } from "../support/conformance";
import { type CopiedMcpServer, copyMcpServer } from "../support/copyMcpServer";
import { eventually } from "../support/eventually";
import { demoModels } from "../support/gatewayTap";
import { startMcpAgent } from "../support/mcpAgent";
import { beginChat, chooseModel } from "../support/newChat";
import { type Picks, picksOf, selectionStep, typeStep } from "../support/picks";
import { titleOf } from "../support/manifestTitles";
import { chooseEntry, openContextMenu } from "../support/nativeMenu";
import { setSideBarWidth } from "../support/sideBar";
import { acceptSteps } from "../support/steps";
import { filesOf } from "../support/startChunks";
import { openWindow, type VsCodeWindow } from "../support/window";

describe("the VSIX", () => {
  // `npm test` makes both before it builds what the other suites run from.
  const vsix = path.resolve("test-results/package/sluice.vsix");
  const record = path.resolve("test-results/package/meta.json");

  it("V5: is under 3 MB", async () => {
    assert.ok((await stat(vsix)).size < 3 * 1024 ** 2);
  });

  it("F5: at most 300 KB of JavaScript are evaluated before the first use of chat and network", () => {
    assert.ok(filesOf("extension", record).bytes < 20_000);
    assert.ok(filesOf("mountTasks", record).bytes < 300_000);
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
      const took = (what: string): readonly [clicks: number, keys: number] => {
        const { clicks, keys, since } = effort;
        const seconds = ((performance.now() - since) / 1000).toFixed(1);
        console.log(`      ${what}, ${look}: ${clicks} clicks and ${keys} keys beside the prompt, ${seconds} s`);
        return [clicks, keys];
      };
      let window: VsCodeWindow;
      let picks: Picks;
      let mcp: CopiedMcpServer | undefined;
      let pictures = 0;
      const picture = async (name: string): Promise<void> => {
        pictures += 1;
        await window.screenshot(`${look}-${pictures}-${name}`);
      };
      before("install and open", async () => {
        const extensionsDir = await temporaryFolder();
        // Before the other is installed, which makes the list of all that are there.
        await cp("test/fixtures/modelExtension", path.join(extensionsDir, "fixture.models-1.0.0"), { recursive: true });
        const workspace = await sampleWorkspace();
        // Before it is opened: not every VS Code notices a repository that is made later.
        for (const args of [
          ["-c", "init.defaultBranch=main", "init", "--quiet"],
          ["add", "README.md"],
        ])
          execFileSync("git", args, { cwd: workspace });
        // At its own pace a task takes a minute or two; toasts as a person has them.
        window = await openWindow({
          extension: { vsix },
          workspace,
          extensionsDir,
          floor,
          toasts: true,
          speed: 40,
          settings,
        });
        picks = picksOf(window);
      });
      after(async () => {
        await window.close();
      });

      it("V5 (finding 19): the first chat is one click", async () => {
        begin();
        const icon = window.activityIcon("Sluice");
        await click(icon);
        // A second click, of `showContainer`, would close it.
        await icon.and(window.page.locator("[aria-selected=true]")).waitFor();
        await window.showContainer("Sluice");
        if (sideBar !== undefined) await setSideBarWidth(window, sideBar);
        const chat = await window.frameWith(".suggestion");
        await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
        const tasks = await window.view("Tasks");
        await tasks.getByText("Local gateway: free, nothing leaves this machine").waitFor();
        await tasks.getByRole("button", { name: "New Media Task", exact: true }).waitFor();
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

      it("V5: the first task is one click, the prompt and Ctrl+Enter", async () => {
        begin();
        const tasks = await window.view("Tasks");
        await click(tasks.getByRole("button", { name: "New Media Task", exact: true }).first());
        const form = await window.frameWith("#prompt");
        await form
          .getByText(/on this machine|Demo model/)
          .first()
          .waitFor();
        await form.locator("#prompt").fill("a harbour in fog");
        await picture("form");
        await form.locator("#prompt").press("Control+Enter");
        effort.keys += 1;
        const row = await window.treeRow("Tasks", "a harbour in fog");
        await row.and(window.page.getByRole("treeitem", { name: /\bsucceeded\b/i })).waitFor({ timeout: 60_000 });
        assert.deepEqual(took("first task"), [1, 1]);
      });

      it("V5 (finding 19): the next task is Enter, Enter: its only model was chosen in the form", async () => {
        await window.run("sluice.task.openSample");
        await window.page.locator(".monaco-editor .view-line").getByText("Pictures for the harbour website").waitFor();
        await window.selectText("A lighthouse at dusk, slow aerial shot from the sea");
        const submitted = window.run("sluice.task.submitSelection");
        for (const [name, placeholder] of [
          ["type", typeStep],
          ["submit", selectionStep],
        ] as const) {
          await picks.step(placeholder);
          await window.quickInput().locator(".monaco-list-row").first().waitFor();
          await picture(name);
          await picks.press("Enter");
        }
        await submitted;
        const row = await window.treeRow("Tasks", "A lighthouse at dusk");
        await picture("running");
        await row.and(window.page.getByRole("treeitem", { name: /\bsucceeded\b/i })).waitFor({ timeout: 60_000 });
        await picture("succeeded");
        await row.click();
        await window.page.getByRole("tab", { name: /lighthouse/ }).waitFor();
        const video = (await window.frameWith("video")).locator("video");
        await eventually("the first frame of the video", () =>
          video.evaluate((element: { readyState: number }) => element.readyState >= 2),
        );
        await picture("result");
        assert.equal(await window.page.locator(".notifications-toasts .notification-list-item").count(), 0);
      });

      it("T13: the pages of a task, of a batch and of usage have all that they load", async () => {
        const chooseOf = async (row: Locator, command: string): Promise<void> => {
          await openContextMenu(row);
          await chooseEntry(window.page, titleOf(command));
        };
        await chooseOf(await window.treeRow("Tasks", "A lighthouse at dusk"), "sluice.task.open");
        await (await window.frameWith(".task-page")).getByText("A lighthouse at dusk").first().waitFor();
        await window.openFile("hero.prompts.md");
        await window.run("cursorBottom");
        const lens = window.page.locator(".editor-group-container.active .codelens-decoration a");
        await lens.filter({ hasText: "Submit All 3" }).first().click();
        // The models are in the one list: those chosen last.
        await acceptSteps(window, selectionStep);
        // A row that changes would close its menu.
        for (const prompt of ["A paper lantern", "An old ferry", "Fireworks mirrored"])
          await window.page.getByRole("treeitem", { name: new RegExp(`succeeded[^]*${prompt}`) }).waitFor();
        await window.run("sluice.task.view", "group-by-batch");
        await chooseOf(await window.treeRow("Tasks", /A paper lantern.*3 tasks/), "sluice.gallery.open");
        const batch = await window.frameWith(".results-page .cell");
        await eventually("the three pictures", async () => {
          const widths = await batch
            .locator(".cell img")
            .evaluateAll((all: { naturalWidth: number }[]) => all.map(({ naturalWidth }) => naturalWidth));
          return widths.length === 3 && widths.every((width) => width > 0);
        });
        await picture("batch");
        await window.run("sluice.task.view", "group-by-state");
        await window.run("sluice.task.showMoney");
        await (await window.frameWith(".money-page")).getByRole("button", { name: "Usage" }).click();
        await (await window.frameWith(".usage-page")).getByRole("button", { name: "7 days" }).click();
        await picture("usage");
        await window.run("workbench.action.closeAllEditors");
      });

      it("T20: a picture that is missing is rehearsed from its reference, in its exact size and format, and the check of the lock comes with it", async () => {
        const markup = '<img src="pictures/buoy.webp" width="160" height="90" alt="A red buoy in calm water">';
        await writeFile(path.join(window.workspace, "buoy.md"), `# Buoy\n\n${markup}\n`);
        await window.showContainer("Sluice");
        const editor = await window.openFile("buoy.md");
        await editor.locator(".squiggly-info").first().waitFor();
        await window.selectText("pictures/buoy.webp");
        await window.run("editor.action.quickFix");
        await window.page.locator(".action-widget").getByText("Make It…").waitFor();
        // The oldest VS Code lays something over its list that the pointer does not get through.
        await window.page.keyboard.press("Enter");
        const form = await window.frameWith("#prompt");
        await form.getByRole("button", { name: "Rehearse" }).click();
        const file = path.join(window.workspace, "pictures", "buoy.webp");
        await eventually("the placeholder", () => existsSync(file));
        const bytes = await readFile(file);
        assert.deepEqual(imageSizeOf(bytes, "image/webp"), { width: 160, height: 90 });
        assert.ok(readMarks(bytes).isRehearsed);
        await picture("rehearsed");

        await window.run("sluice.gallery.open");
        await (await window.frameWith(".gallery-page")).getByRole("button", { name: "In This Project" }).click();
        const page = await window.frameWith(".assets-page .asset");
        await page.getByText("A placeholder: it is not made real yet.").first().waitFor();
        await page.getByRole("button", { name: "Add Check for CI" }).click();
        const program = path.join(window.workspace, "sluice-lock-check.mjs");
        await eventually("the check", () => existsSync(program));
        const { status, stdout } = spawnSync(process.execPath, [program, window.workspace], { encoding: "utf8" });
        assert.equal(status, 1);
        assert.match(stdout, /^rehearsed: pictures\/buoy\.webp: /m);
        await picture("in-this-project");
        await window.run("workbench.action.closeAllEditors");
        await window.run("notifications.clearAll");
      });

      it("P1, R4: in the chat, code is highlighted, text is found, a model is chosen, an earlier chat is opened", async () => {
        const chat = await beginChat(window);
        await askInChat(chat, "Write a long answer with Markdown");
        await chat.locator(".row.answer pre [class*='hljs-']").first().waitFor();
        await chat.locator(".row.answer .footer").last().waitFor();
        // Longer than a busy machine takes to press the button.
        await askInChat(chat, "Write 400 paragraphs");
        await chat.getByRole("button", { name: "Stop" }).click();
        await chat.getByText(/^Stopped\./).waitFor();
        await window.run("sluice.chat.manage", "find");
        await chat.getByRole("textbox", { name: "Find in chat" }).fill("Markdown");
        await chat.getByText(/^\d+ of \d+$/).waitFor();
        await picture("found");
        await window.page.keyboard.press("Escape");
        await chooseModel(window, chat, "demo-messages");
        await beginChat(window);
        const opened = window.run("sluice.chat.history");
        await window.quickInput().locator("input").first().fill("long answer");
        await window.quickInput().locator(".monaco-list-row").filter({ hasText: "long answer" }).first().waitFor();
        await picks.press("Enter");
        await opened;
        // The new chat had none. How much of it is in view depends on where the long answer was stopped.
        await chat.locator(".row.answer").last().waitFor();
      });

      it("S1, A2: each family answers, and finds a text in the files, which is a thread's work", async () => {
        const chat = await window.frameWith("textarea");
        for (const model of Object.values(demoModels)) {
          await beginChat(window);
          await chooseModel(window, chat, model);
          await askInChat(chat, '```calls\nfind_text {"text": "Good morning"}\n```');
          await chat
            .locator(".row.answer pre")
            .getByText(/src\/greeting\.ts/)
            .filter({ visible: true })
            .first()
            .waitFor();
          await chat.locator(".row.answer .footer").last().waitFor();
        }
      });

      it("P3: a chat is exported, and imported from the file", async () => {
        const file = path.join(window.workspace, "exported.json");
        window.begin("sluice.chat.manage", "export");
        const name = window.quickInput().locator("input").first();
        // The dialog writes what it proposes over what was typed before.
        await eventually("the proposed name", async () => (await name.inputValue()).endsWith(".md"));
        await name.fill(file);
        await window.quickInput().getByRole("button", { name: "OK" }).click();
        await eventually("the exported chat", () => existsSync(file));
        const chat = await beginChat(window);
        window.begin("sluice.chat.manage", "import");
        await window.quickInput().locator(".monaco-list-row").first().waitFor();
        await window.quickInput().locator("input").first().fill(file);
        await window.quickInput().getByRole("button", { name: "OK" }).click();
        await chat.locator(".row.answer pre").filter({ visible: true }).first().waitFor();
      });

      it("L6: the local gateway's page has all that it loads", async () => {
        await window.run("sluice.gateway.showLocal");
        await (await window.frameWith(".gateway-page .balance")).locator(".balance .amount").waitFor();
      });

      it("V1, V2: another extension asks a model of the gateway, and calls VS Code's tool that lists the tasks", async () => {
        window.begin("fixture.useSluice");
        let used = "";
        await eventually("what the other extension was given", async () => {
          used = await readFile(path.join(window.workspace, "used.json"), "utf8").catch(() => "");
          return used.endsWith("}");
        });
        const { failure, text, tasks } = JSON.parse(used) as Readonly<Record<"failure" | "text" | "tasks", unknown>>;
        assert.equal(failure, undefined);
        assert.match(String(text), /I am the demo model/);
        assert.match(String(tasks), /A lighthouse at dusk/);
      });

      it("V7: the model writes a commit message", async () => {
        await window.showContainer("Source Control");
        const scm = window.page.locator(".scm-view");
        await scm.getByText("Staged Changes").first().waitFor();
        await window.run("sluice.commit.generateMessage");
        await scm
          .locator(".scm-editor .view-lines")
          .first()
          .getByText(/Change\sREADME\.md/)
          .waitFor();
        await window.showContainer("Sluice");
      });

      it("V6: a program reaches the tasks over MCP, once it is switched on", async () => {
        mcp = await copyMcpServer(window);
        const agent = await startMcpAgent(mcp.url, mcp.headers);
        try {
          assert.match(agent.connected.text ?? agent.connected.error ?? "", /"name":"sluice"/i);
          const tools = (await agent.tools()).map(({ name }) => name);
          assert.deepEqual(tools.toSorted(), Object.values(agentToolNames).toSorted());
          const { text = "", error, isError } = await agent.call(agentToolNames.list);
          assert.deepEqual([error, isError], [undefined, false], text);
          assert.match(text, /A lighthouse at dusk|no tasks/i);
        } finally {
          await agent.close();
        }
      });

      it("V6: each scenario of the conformance suite passes that applies, and no other one", async () => {
        assert.ok(mcp, "the test before has switched it on");
        await assertConforms(mcp.url, mcp.headers);
      });
    });
  }
});
