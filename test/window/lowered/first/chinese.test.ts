/** A VS Code in Simplified Chinese: the manifest's words, the host's and the page's. */
import assert from "node:assert/strict";
import { picksOf } from "../../../support/picks";
import { openWindow, type VsCodeWindow } from "../../../support/window";

describe("in Simplified Chinese", () => {
  let window: VsCodeWindow;
  before("open the window", async () => {
    window = await openWindow({ language: "zh-cn", settings: { "sluice.localGateway.speed": 100 } });
    await window.showContainer("Sluice");
  });
  after(async () => {
    await window.close();
  });

  it("P6: views, commands, picks, rows and the chat page speak it", async () => {
    const frame = await window.frameWith(".suggestion");
    await frame.getByText("演示模型：按规则工作。").waitFor();
    await frame.locator(".suggestion").nth(2).waitFor();
    assert.match((await frame.locator(".suggestion").allInnerTexts()).join("\n"), /解释[^]*概览[^]*图片/);
    assert.equal(await frame.locator("html").getAttribute("lang"), "zh-cn");
    await frame.locator(".suggestion").filter({ hasText: "解释" }).click();
    await frame
      .locator(".tool-title")
      .getByText(/读取.*app\.ts/)
      .waitFor();
    await window.runCommand("Sluice: 新建任务…");
    const picks = picksOf(window);
    await picks.step("要生成什么？");
    await window.pick("视频");
    await picks.through("选择模型，或输入其他 ID");
    await picks.step("输入提示词：描述要生成的内容");
    await picks.typePrompt("海边的灯塔");
    await picks.press("Enter");
    const row = await window.treeRow("任务", "海边的灯塔");
    assert.match((await row.getAttribute("aria-label")) ?? "", /^视频/);
    await window.screenshot("chinese");
  });
});
