/** Workspaces of each kind in a real window: one that is not trusted and then is, none, several folders, a folder that is on no disk, and VS Code in Chinese. */
import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { sampleWorkspace, temporaryFolder } from "../../scripts/workspace.mjs";
import { askInChat } from "../support/askInChat";
import { eventually } from "../support/eventually";
import { modelStep, picksOf, selectionStep, typeStep } from "../support/picks";
import { acceptSteps } from "../support/steps";
import { openWindow, type VsCodeWindow } from "../support/window";

const openChat = async (window: VsCodeWindow): Promise<Frame> => {
  await window.showContainer("Sluice");
  const chat = await window.frameWith("textarea");
  await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
  return chat;
};

/** A suggestion is asked, and answered without a tool: there are no files for one. */
const answersWithoutTools = async (chat: Frame): Promise<void> => {
  await chat.locator(".suggestion").first().click();
  await chat.locator(".row.answer .footer").first().waitFor();
  assert.equal(await chat.locator(".tool").count(), 0);
};

/** Submits the selected text with what is preselected. */
const submitSelection = async (window: VsCodeWindow, text: string): Promise<void> => {
  await window.selectText(text);
  const submitted = window.run("sluice.task.submitSelection");
  await acceptSteps(window, typeStep, modelStep, selectionStep);
  await submitted;
};

describe("a workspace that nobody has trusted, and none", () => {
  let window: VsCodeWindow;
  const settings = { "files.autoSave": "off" };
  before("open VS Code in Restricted Mode", async () => {
    window = await openWindow({ trusted: false, speed: 20, settings });
  });
  after(() => window.close());

  it("V4, V5, A4 (findings 22, N9): in Restricted Mode the chat answers without tools and a task can be submitted; once trusted it has them", async () => {
    const chat = await openChat(window);
    await chat
      .getByText(/Restricted Mode/)
      .first()
      .waitFor();
    await answersWithoutTools(chat);
    await window.openFile("hero.prompts.md");
    await submitSelection(window, "lighthouse");
    await window.treeRow("Tasks", "lighthouse");
    await window.run("sluice.chat.new");
    await chat.getByRole("button", { name: "Manage Trust" }).click();
    await window.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
    await chat
      .getByText(/Restricted Mode/)
      .first()
      .waitFor({ state: "hidden" });
    await chat.locator(".suggestion").filter({ hasText: "OVERVIEW.md" }).waitFor();
  });

  it("V4, T6 (findings 20, 22, N1): without a folder the sample is a new document, and the chat answers", async () => {
    const other = await window.openSecond("none");
    const chat = await openChat(other);
    await chat.getByText("No folder is open").waitFor();
    assert.equal(await chat.getByText(/Restricted Mode/).count(), 0);
    await answersWithoutTools(chat);
    const original = await readFile("media/sample/hero.prompts.md", "utf8");
    await other.run("sluice.task.openSample");
    const opened = (): Promise<readonly [name: string, scheme: string, isDirty: boolean]> =>
      other.host().evaluate(({ window: { activeTextEditor } }) => {
        const document = activeTextEditor?.document;
        return [document?.fileName ?? "", document?.uri.scheme ?? "", document?.isDirty ?? false] as const;
      }, undefined);
    const [name, scheme] = await opened();
    assert.match(name, /hero\.prompts\.md$/);
    assert.equal(scheme, "untitled");
    await submitSelection(other, "Lanterns drift across the harbour");
    await other.treeRow("Tasks", "Lanterns drift");
    assert.equal(await readFile("media/sample/hero.prompts.md", "utf8"), original);
  });
});

describe("several folders, and one that is on no disk", () => {
  let window: VsCodeWindow;
  let site: string;
  let shop: string;
  before("open a workspace of several folders", async () => {
    site = await sampleWorkspace();
    shop = path.join(path.dirname(site), "shop");
    await mkdir(shop, { recursive: true });
    await writeFile(path.join(shop, "teapot.md"), "# Teapot\n\nA blue teapot on linen\n");
    await mkdir(path.join(path.dirname(site), "old", "shop"), { recursive: true });
    await writeFile(path.join(path.dirname(site), "old", "shop", "lamp.md"), "# An old lamp\n");
    const workspace = path.join(path.dirname(site), "town.code-workspace");
    const folders = [{ path: "sample", name: "site" }, { path: "shop" }, { path: "old/shop" }];
    await writeFile(workspace, JSON.stringify({ folders }));
    const extensionsDir = await temporaryFolder();
    await cp("test/fixtures/virtualFolder", path.join(extensionsDir, "fixture.virtual-folder-1.0.0"), {
      recursive: true,
    });
    const settings = { "sluice.notifications": "none", "files.autoSave": "off" };
    window = await openWindow({ workspace, speed: 20, settings, extensionsDir });
  });
  after(() => window.close());

  it("V4, A2, T2: the chat lists the files of all folders, and the result of a prompt in the second one lands there", async () => {
    const chat = await openChat(window);
    await askInChat(chat, "List the files");
    const all = /site\/hero\.prompts\.md[^]*shop\/teapot\.md[^]*shop \(2\)\/lamp\.md/;
    // The last of a long answer is drawn after its footer.
    await eventually("the files of all", async () => all.test(await chat.locator(".transcript").innerText()));
    await window.openFile("teapot.md");
    await window.selectText("A blue teapot on linen");
    const submitted = window.run("sluice.task.submitSelection");
    await picksOf(window).step(typeStep);
    await window.pick(/^Image/);
    await acceptSteps(window, modelStep);
    await picksOf(window).step(selectionStep);
    await window.pick("Destination");
    await acceptSteps(window, "Path in the workspace", selectionStep);
    await submitted;
    const filesIn = async (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
    await eventually(
      "the result alone",
      async () => (await filesIn(path.join(shop, "assets"))).join() === "a-blue-teapot-on-linen.png",
    );
    assert.deepEqual(await filesIn(path.join(site, "assets")), []);
  });

  it("V4, A2, T2: in a folder on no disk the chat says why it gets no tools, and a task's result lands beside its prompt", async () => {
    const other = await window.openSecond("memory:/harbour");
    const chat = await openChat(other);
    await chat.getByText("It gets no tools for the files of this workspace").waitFor();
    await answersWithoutTools(chat);
    await other.host().evaluate(async ({ Uri, window: { showTextDocument } }) => {
      await showTextDocument(Uri.parse("memory:/harbour/notes.md"), { preview: false });
    }, undefined);
    await other.selectText("A red buoy in grey water");
    const submitted = other.run("sluice.task.submitSelection");
    await picksOf(other).step(typeStep);
    await other.pick(/^Image/);
    await acceptSteps(other, modelStep);
    await picksOf(other).step(selectionStep);
    await other.pick("Destination");
    await acceptSteps(other, "Path in the workspace", selectionStep);
    await submitted;
    await eventually("the result", () =>
      other.host().evaluate(async ({ Uri, workspace: { fs } }) => {
        const names = await fs.readDirectory(Uri.parse("memory:/harbour/assets")).then(
          (found) => found.map(([name]) => name),
          () => [],
        );
        return names.join() === "a-red-buoy-in-grey-water.png";
      }, undefined),
    );
  });
});

describe("VS Code in Simplified Chinese", () => {
  let window: VsCodeWindow;
  before("open the window", async () => {
    window = await openWindow({ language: "zh-cn", speed: 100 });
  });
  after(() => window.close());

  it("P6: views, picks, rows and the chat page speak it", async () => {
    await window.showContainer("Sluice");
    const frame = await window.frameWith(".suggestion");
    await frame.getByText("演示模型：按规则工作。").waitFor();
    assert.equal(await frame.locator("html").getAttribute("lang"), "zh-cn");
    await frame.locator(".suggestion").filter({ hasText: "解释" }).click();
    await frame
      .locator(".tool-title")
      .getByText(/读取.*app\.ts/)
      .waitFor();
    const begun = window.run("sluice.task.submitSelection");
    await acceptSteps(window, "要生成什么？", "选择模型，或输入其他 ID");
    const picks = picksOf(window);
    await picks.step("输入提示词：描述要生成的内容");
    await picks.typePrompt("海边的灯塔");
    await picks.press("Enter");
    await begun;
    const row = await window.treeRow("任务", "海边的灯塔");
    assert.match((await row.getAttribute("aria-label")) ?? "", /^视频/);
  });
});
