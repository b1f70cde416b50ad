/** Two real windows on one profile: both have the key, what one submits the other shows, and when the one that reads the tasks is killed the other goes on (T5). */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../loopback/gateway/rawServer";
import { eventually } from "../support/eventually";
import type { VsCodeWindow } from "../support/window";
import { openWindowOnGateway, submitLighthouse } from "../support/windowOnGateway";

describe("two windows on one profile", () => {
  let gateway: TestServer;
  let first: VsCodeWindow;
  let status = 3;
  let creates = 0;
  let reads = 0;
  /** The keys with which the models were asked for since the first window was loaded again. */
  const keys: (string | undefined)[] = [];

  before("open a window on a gateway", async () => {
    gateway = await serve((response, { url, method, headers }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) {
        keys.push(headers.authorization);
        response.end(JSON.stringify({ data: [{ id: "any-model" }] }));
      } else if (method === "POST") {
        creates += 1;
        response.writeHead(202).end(JSON.stringify({ task_id: "task-1", status: 1, hold_id: "hold-1" }));
      } else {
        reads += 1;
        response.end(JSON.stringify({ task_id: "task-1", task_type: 3, status, public_model: "any-model" }));
      }
    });
    ({ window: first } = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" }));
  });
  after(async () => {
    await first.close();
    await gateway.close();
  });

  it("C2, T5, R8: the key outlives a reload and is known to a second window; a task is shown by both; the other window goes on when one is killed", async () => {
    const usable = async (window: VsCodeWindow): Promise<void> => {
      await window.showContainer("Sluice");
      const tasks = await window.view("Tasks");
      await tasks.getByRole("button", { name: "New Media Task", exact: true }).first().waitFor();
      assert.equal(await tasks.getByRole("button", { name: "Set API Key" }).count(), 0);
    };
    keys.length = 0;
    const before = first.host().pid;
    await first.reload();
    await usable(first);
    const second = await first.openSecond();
    await usable(second);
    await eventually("each window has asked for the models", () => keys.length >= 2);
    assert.deepEqual([...new Set(keys)], ["Bearer sk-canary-window"]);

    await submitLighthouse(first);
    await first.treeRow("Tasks", /lighthouse/);
    await second.treeRow("Tasks", /lighthouse/);
    await second.page.getByRole("treeitem", { name: /reserved[^]*lighthouse/ }).waitFor();
    assert.equal(creates, 1);

    // VS Code keeps the host of the page before the reload for as long as it likes; whichever reads the tasks, it is gone now.
    for (const pid of [before, first.host().pid]) kill(pid);
    await first.page.close();
    const readBefore = reads;
    status = 4;
    await second.treeRow("Tasks", "Finished today");
    assert.ok(reads > readBefore);
  });
});

/** Where it still runs. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}
