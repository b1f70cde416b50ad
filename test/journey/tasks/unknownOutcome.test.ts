/** A submission whose answer was lost: what the notification, the row and its menu say until the gateway proves what became of it. */
import assert from "node:assert/strict";
import { openWindowOnGateway, submitImage } from "../../support/fakeVscode/onGateway";
import { closeWindows } from "../../support/fakeVscode/openWindow";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";

const tasksView = "sluice.tasks";

describe("an unknown outcome in the window", () => {
  let gateway: TestServer;
  /** How the next create requests are answered, in order. */
  const answers: ("lost" | "rate-limited" | "accepted")[] = ["lost", "rate-limited", "accepted"];
  const bodies: string[] = [];

  before(async () => {
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
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  it("T1 (finding 1): a lost answer, then a Reconcile that is rate-limited: unknown stays unknown, until the gateway names the task", async () => {
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    const opened = await openWindowOnGateway(target, { files: { "notes.md": "A lighthouse at dusk\n" } });
    const { window, person } = opened;
    await window.openFile("notes.md");
    const submitting = await submitImage(opened, "lighthouse");
    const again = "Ask Again What Became of It";
    await person.answer("The task may exist. Nothing is paid twice if you ask again.", again);
    const limited = await person.message("This does not show whether the task exists.");
    assert.doesNotMatch(limited.text, /nothing is paid\.|not charged|no task|no hold/i);
    const row = await person.row(tasksView, /lighthouse/);
    assert.match(row.description, /outcome unknown/);
    assert.match(row.spoken, /not known whether charged/);
    assert.match(row.contextValue, /\breconcilable\b/);
    await person.answer("This does not show whether the task exists.", again);
    await person.row(tasksView, /reserved.*lighthouse/);
    await submitting.ended();
    assert.equal(new Set(bodies).size, 1, "the same bytes each time");
    assert.equal(bodies.length, 3);
  });
});
