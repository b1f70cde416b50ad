/** Getting a result that does not arrive: the progress can be cancelled, and nothing of the result stays on this machine. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { eventually } from "../../support/eventually";
import { clickRow } from "../../support/rowMenu";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway, submitLighthouse } from "../../support/windowOnGateway";

describe("a result that stalls", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  /** Settles when the client gives the download up. */
  let givenUp: Promise<void>;

  before("open VS Code on a gateway whose picture never ends", async () => {
    let giveUp = (): void => undefined;
    givenUp = new Promise((resolve) => (giveUp = resolve));
    const accepted = { task_id: "task-1", status: 1, request_id: "request-1", hold_id: "hold-1" };
    gateway = await serve((response, { url, method }) => {
      if (url === "/picture.png") {
        response.on("close", giveUp);
        response.writeHead(200, { "content-type": "image/png", "content-length": 1_000_000 }).write("picture");
        return;
      }
      const assets = JSON.stringify({ image_url: `${gateway.url}/picture.png` });
      const succeeded = { task_id: "task-1", task_type: 3, status: 4, result_assets_json: assets };
      const answer = method === "POST" ? accepted : url.endsWith("/models") ? { data: [] } : succeeded;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    });
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    ({ window } = await shareWindowOnGateway(target));
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });

  it("T8 (finding 36): Cancel ends the download, says nothing more and leaves no file", async () => {
    const results = path.join(window.server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "results");
    const before = (await readdir(results).catch(() => [])).length;
    await submitLighthouse(window);
    await window.treeRow("Tasks", "Finished today");
    await clickRow(await window.treeRow("Tasks", "lighthouse"));
    const progress = await window.toast("Getting the result");
    await window.screenshot("open-result-progress");
    await progress.getByRole("button", { name: "Cancel" }).click();
    await givenUp;
    await progress.waitFor({ state: "detached" });
    // The toast closes with the click; the extension host removes the file a moment later.
    await eventually("nothing of it is left", async () => (await readdir(results)).length === before);
    assert.equal(await window.page.locator(".notifications-toasts .notification-list-item").count(), 0);
  });
});
