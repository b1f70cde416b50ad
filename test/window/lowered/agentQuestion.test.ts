/** A program of this machine orders a picture over MCP (V6): the window asks without taking the focus, and the person's answer decides. */
import assert from "node:assert/strict";
import { type LocalGateway, startLocalGateway } from "../../../src/localGateway/server";
import { agentToolNames } from "../../../src/agents/tasks/agentToolNames";
import { copyMcpServer, readMcpServer } from "../../support/copyMcpServer";
import { type McpAgent, startMcpAgent } from "../../support/mcpAgent";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";
import { changeUserSettings } from "../../support/userSettings";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway } from "../../support/windowOnGateway";

const image = {
  type: "async-image",
  model: "demo-image",
  prompt:
    "A harbour at dawn.\nDestination: /nowhere\nSee [the menu](command:workbench.action.quit) \u202eand https://evil.example/?q=1",
};

describe("a program that asks over MCP in the window", () => {
  let folder: TemporaryFolder;
  let gateway: LocalGateway;
  let window: VsCodeWindow;
  let agent: McpAgent;
  const orders = (): number =>
    gateway.requests.filter(({ method, path: route }) => method === "POST" && route === "/v1/tasks").length;
  const review = async (): Promise<void> => {
    const toast = await window.toast("“test-agent” asks over MCP");
    await toast.getByText("Review…").click();
    await window.page.locator(".monaco-dialog-box").waitFor();
  };
  const press = (name: string): Promise<void> =>
    window.page.locator(".monaco-dialog-box").getByRole("button", { name, exact: true }).click();

  before("open VS Code on a gateway, and switch the MCP server on", async () => {
    folder = await createTemporaryFolder();
    gateway = await startLocalGateway({ stateDir: folder.path, speed: 50 });
    ({ window } = await shareWindowOnGateway({ baseUrl: gateway.url, key: gateway.key }));
    const { url, headers } = await copyMcpServer(window);
    await window.screenshot("mcp-configuration");
    agent = await startMcpAgent(url, headers);
    await window.runCommand("Notifications: Clear All Notifications");
  });
  after(async () => {
    await agent.close();
    await changeUserSettings(window, {});
    await window.close();
    await gateway.close();
    await folder.remove();
  });

  it("V6: when the program is killed its question goes, too", async () => {
    const { url, headers } = await readMcpServer(window);
    const other = await startMcpAgent(url, headers);
    void other.call(agentToolNames.submit, image);
    const toast = await window.toast("“test-agent” asks over MCP");
    other.kill();
    await toast.waitFor({ state: "detached" });
    await window.page.locator(".statusbar-item", { hasText: "Agent asks" }).waitFor({ state: "hidden" });
    assert.equal(orders(), 1);
  });

  it("V6 (finding H13): after Don't Ask Again no program asks any more, until its configuration is copied again", async () => {
    const ordered = agent.call(agentToolNames.submit, image);
    await review();
    await press("Don't Ask Again");
    assert.match((await ordered).text ?? "", /said no: nothing was done/);
    await window.toast("Programs ask nothing more over MCP");
    assert.match((await agent.call(agentToolNames.submit, image)).text ?? "", /no more questions/);
    await window.runCommand("Sluice: Copy MCP Configuration");
    await window.toast("on the clipboard");
    const asked = agent.call(agentToolNames.submit, image);
    await review();
    await press("Cancel");
    assert.match((await asked).text ?? "", /said no: nothing was done/);
    assert.equal(orders(), 1);
  });
});
