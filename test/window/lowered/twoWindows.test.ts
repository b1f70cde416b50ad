/** Two real windows on one profile: both have the key, what one submits the other shows, and when the one that reads the tasks is killed the other goes on (T5). */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { eventually } from "../../support/eventually";
import type { VsCodeWindow } from "../../support/window";
import { keepAsToastWindow, shareWindowOnGateway, submitLighthouse } from "../../support/windowOnGateway";

describe("two windows on one profile", () => {
  let gateway: TestServer;
  let first: VsCodeWindow;
  let second: VsCodeWindow;
  let status = 3;
  let creates = 0;
  let reads = 0;
  /** The keys with which the models were asked for since the windows were loaded. */
  const keys: (string | undefined)[] = [];

  before("load one window again, and open another", async function () {
    // Alone, these are three loads of VS Code.
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
    ({ window: first } = await shareWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" }));
    const usable = async (window: VsCodeWindow): Promise<void> => {
      await window.showContainer("Sluice");
      await (await window.view("Tasks")).getByRole("button", { name: "New Task", exact: true }).waitFor();
    };
    keys.length = 0;
    await first.reload();
    await usable(first);
    second = await first.openSecond();
    await usable(second);
    await eventually("the window before the reload is gone", async () => {
      return (await extensionHosts(first.server.pid)).length === 2;
    });
  });
  after(async () => {
    // One of them may be gone.
    if (!first.page.isClosed()) await first.page.close();
    await keepAsToastWindow(second).close();
    await gateway.close();
  });

  it("C2: a key outlives a reload and is known to a second window", async () => {
    for (const each of [first, second]) {
      const tasks = await each.view("Tasks");
      await tasks.getByRole("button", { name: "New Task", exact: true }).waitFor();
      assert.equal(await tasks.getByRole("button", { name: "Set API Key" }).count(), 0);
    }
    await eventually("each window has asked for the models", () => keys.length >= 2);
    assert.deepEqual([...new Set(keys)], ["Bearer sk-canary-window"]);
  });

  it("T5: a task that one window submits is shown by the other", async () => {
    await submitLighthouse(first);
    const shown = async (window: VsCodeWindow): Promise<number> => {
      await window.treeRow("Tasks", /lighthouse/);
      return performance.now();
    };
    const [here, there] = await Promise.all([shown(first), shown(second)]);
    // To be read by a person: a busy machine is no failure of the product.
    await writeFile(
      "test-results/ui/two-windows.txt",
      `shown by the other window ${Math.round(there - here)} ms later\n`,
    );
    await second.page
      .getByRole("treeitem", { name: /lighthouse/ })
      .and(second.page.getByRole("treeitem", { name: /reserved/ }))
      .waitFor();
    assert.equal(creates, 1);
  });

  it("T5, R8: when the window that reads the tasks is killed, the other reads them and shows the end", async () => {
    const [reading] = await extensionHosts(first.server.pid);
    assert.ok(reading, "the first extension host");
    process.kill(reading, "SIGKILL");
    await first.page.close();
    const before = reads;
    status = 4;
    await second.treeRow("Tasks", "Finished today");
    assert.ok(reads > before && creates === 1);
    await second.screenshot("two-windows-taken-over");
  });
});

/** Process ids of a server's extension hosts, the oldest first. Process ids wrap around, so their order is not that of the starts. */
async function extensionHosts(server: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "pid=,ppid=,etime=,args="]);
  return stdout
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)?.slice(1) ?? [])
    .filter(([, parent, , args]) => Number(parent) === server && args?.includes("--type=extensionHost"))
    .sort(([, , one = ""], [, , other = ""]) => secondsOf(other) - secondsOf(one))
    .map(([pid]) => Number(pid));
}

/** Of `ps`: `[[days-]hours:]minutes:seconds`. */
function secondsOf(elapsed: string): number {
  return elapsed.split(/[-:]/).reduceRight((sum, part, at, { length }) => {
    return sum + Number(part) * ([1, 60, 3600, 86_400][length - 1 - at] ?? 0);
  }, 0);
}
