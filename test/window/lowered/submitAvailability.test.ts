/** The first tasks at a gateway of another party: models that come late, the question about a type that was never used, and what its refusal leaves. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { eventually } from "../../support/eventually";
import { modelStep, type Picks, picksOf, promptStep, typeStep } from "../../support/picks";
import { pressInRow } from "../../support/rowMenu";
import type { VsCodeWindow } from "../../support/window";
import { answerAvailability, shareWindowOnGateway } from "../../support/windowOnGateway";

describe("availability in the window", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  let picks: Picks;
  let creates = 0;
  const models = Promise.withResolvers<undefined>();

  before("open VS Code on a gateway that lists its models late and has no video", async () => {
    gateway = await serve((response, { url, method }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) {
        const data = [{ id: "late-model", capabilities: { task_types: ["video"] } }];
        void models.promise.then(() => response.end(JSON.stringify({ data })));
      } else if (method === "POST") {
        creates += 1;
        const error = { code: "task_type_not_enabled", message: "Video is not part of your plan." };
        response.writeHead(403).end(JSON.stringify({ error }));
      } else response.writeHead(404).end("{}");
    });
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    ({ window } = await shareWindowOnGateway(target));
    picks = picksOf(window);
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });

  it("T2 (finding 39): the model step fills in while it is open", async () => {
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await window.quickInput().getByText("not confirmed yet").first().waitFor();
    await window.screenshot("availability-unknown");
    await picks.press("Enter");
    await picks.step(modelStep);
    await window.quickInput().getByText("The gateway lists no model for this.").waitFor();
    await window.screenshot("availability-models-pending");
    models.resolve(undefined);
    await window.quickInput().locator(".monaco-list-row").getByText("late-model").waitFor();
    await picks.press("Enter");
    await picks.step(promptStep);
  });

  it("T3: a type of which nothing is known is asked about once, nothing is sent before, and Cancel loses nothing", async () => {
    await picks.typePrompt("a tide in one minute");
    await picks.press("Enter");
    await window.page.locator(".monaco-dialog-box").filter({ hasText: "enabled for this account?" }).waitFor();
    await window.screenshot("availability-question");
    await answerAvailability(window, "Cancel");
    assert.equal(creates, 0);
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await window.quickInput().getByText("a tide in one minute").waitFor();
    await picks.press("Enter");
    await picks.through(promptStep);
    await answerAvailability(window, "Submit");
    await window.treeRow("Tasks", "a tide in one minute");
    await eventually("it was sent", () => creates > 0);
    assert.equal(creates, 1);
  });

  it("T3: the gateway's refusal is shown with the type from then on, and a person can set it", async () => {
    await window.page.keyboard.press("Escape");
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await window.quickInput().getByText("not enabled: Video is not part of your plan ·").waitFor();
    await window.screenshot("availability-not-enabled");
    const video = window.quickInput().locator(".monaco-list-row").filter({ hasText: "Video" }).first();
    await pressInRow(video, "Mark as Enabled");
    await window.quickInput().getByText("enabled, set by hand").waitFor();
    await picks.press("Escape");
    await picks.closed();
    assert.equal(creates, 1);
  });
});
