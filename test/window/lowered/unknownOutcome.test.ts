/** A submission whose answer was lost, in the real window: what the notification, the row and its menu say until the gateway proves what became of it. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway, submitLighthouse } from "../../support/windowOnGateway";

describe("an unknown outcome in the window", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  /** How the next create requests are answered, in order. */
  const answers: ("lost" | "rate-limited" | "accepted")[] = ["lost", "rate-limited", "accepted"];
  const bodies: string[] = [];

  before("open VS Code on a gateway that loses its first answer", async () => {
    gateway = await serve((response, { url, body, method }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) response.end(JSON.stringify({ data: [{ id: "any-model" }] }));
      else if (method === "POST" && url.endsWith("/tasks")) {
        bodies.push(body);
        const answer = answers.shift();
        if (answer === "lost") response.destroy();
        else if (answer === "rate-limited") {
          response.writeHead(429, { "retry-after": "7" }).end(JSON.stringify({ error: { message: "slow down" } }));
        } else {
          const created = { task_id: "task-1", status: 1, request_id: "request-1", hold_id: "hold-1" };
          response.writeHead(202, { "idempotent-replayed": "true" }).end(JSON.stringify(created));
        }
      } else response.end(JSON.stringify({ task_id: "task-1", task_type: 3, status: 3, public_model: "any-model" }));
    });
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    ({ window } = await shareWindowOnGateway(target));
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });

  it("T1 (finding 1): a lost answer, then a Reconcile that is rate-limited: unknown stays unknown, until the gateway names the task", async () => {
    await submitLighthouse(window);
    const lost = await window.toast("The task may exist. Nothing is paid twice if you ask again.");
    await window.screenshot("unknown-outcome-lost");
    await lost.getByRole("button", { name: "Ask Again What Became of It" }).click();
    const limited = await window.toast("This does not show whether the task exists.");
    await window.screenshot("unknown-outcome-rate-limited");
    assert.doesNotMatch(await limited.innerText(), /nothing is paid\.|not charged|no task|no hold/i);
    const row = await window.treeRow("Tasks", /lighthouse[^]*outcome unknown/);
    assert.match((await row.getAttribute("aria-label")) ?? "", /not known whether charged/);
    await limited.getByRole("button", { name: "Ask Again What Became of It" }).click();
    await window.page
      .getByRole("treeitem", { name: /lighthouse/ })
      .and(window.page.getByRole("treeitem", { name: /reserved/ }))
      .waitFor();
    await window.screenshot("unknown-outcome-found");
    assert.equal(new Set(bodies).size, 1, "the same bytes each time");
    assert.equal(bodies.length, 3);
  });
});
