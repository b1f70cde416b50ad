/** A window in a process of its own, with its store on the thread that is shipped: polls or sends; started by the tests, which kill it. */
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import { Emitter } from "../../../src/base/event";
import { Store } from "../../../src/base/store";
import { GatewayConnections } from "../../../src/gateway/connections";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { TaskBoard } from "../../../src/tasks/board/board";
import { Outbox } from "../../../src/tasks/submit/outbox";
import { TaskPoller } from "../../../src/tasks/polling/poller";
import { openWorkerTaskStore } from "../../../src/tasks/store/workerTaskStore";
import { keptAccounts, keptLog } from "../../support/builders";
import { plainBoardOptions, plainEndpoint, plainOutboxOptions } from "../../support/plainOptions";

const [path = "", url = "", key = "", what = ""] = process.argv.slice(2);

async function run(): Promise<void> {
  const log = keptLog();
  const program = join(import.meta.dirname, "..", "..", "..", "storage.mjs");
  const board = await TaskBoard.open({
    ...plainBoardOptions,
    openStore: () => openWorkerTaskStore(program, path),
    clock: systemClock,
  });
  const connections = new GatewayConnections({
    baseUrl: new Store(url),
    accounts: keptAccounts(),
    keys: { read: () => Promise.resolve(key), onDidChange: new Emitter<string>().event },
    local: { start: () => Promise.reject(new Error("not here")), onDidExit: new Emitter<void>().event },
    connect: (endpoint) =>
      createHttpGateway({
        ...plainEndpoint,
        ...endpoint,
        log,
        limits: () => ({ connect: 20_000, firstByte: 60_000, silence: 60_000 }),
      }),
    log,
  });
  await connections.refresh();
  const attention = { focused: true, onDidChange: new Emitter<boolean>().event };
  const poller = new TaskPoller({
    board,
    connections,
    attention,
    clock: systemClock,
    random: Math.random,
    log,
  });
  poller.checks.onDidChange(({ now }) => process.stdout.write(`${JSON.stringify(now)}\n`));
  if (what === "sends") {
    board.onDidChange(() => {
      for (const task of board.listed.values()) process.stdout.write(`${JSON.stringify(task.submission.state)}\n`);
    });
    const outbox = new Outbox({
      ...plainOutboxOptions,
      board,
      connections: poller.connections,
      clock: systemClock,
      log,
    });
    await outbox.submit([{ type: "async-image", model: "demo-image", prompt: "a hill" }]);
  } else await poller.run();
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
