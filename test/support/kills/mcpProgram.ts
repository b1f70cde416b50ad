/** A window with its MCP server as a process of its own, for runs that kill it. Its person says yes to each question after a moment. */
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import { createFastClock } from "../fastClock";
import { openMcpOverApp } from "../mcpOverProduct";
import { seeded } from "../seeded";
import { openProgramApp } from "./programApp";

export interface McpProgramOptions {
  readonly folder: string;
  readonly gateway: { readonly url: string; readonly key: string };
  readonly token: string;
  readonly seed: number;
  /** The epoch of the run, for the clock that its windows share. */
  readonly epoch: number;
}

/** A task of the board. The message `rows` asks for all; `reconcile` asks the gateway again what became of those that it has not answered. */
export interface McpRow {
  readonly prompt: string;
  readonly taskId?: string;
}

const { folder, gateway, token, seed, epoch } = JSON.parse(process.argv[2] ?? "{}") as McpProgramOptions;

async function main(): Promise<void> {
  // The pauses between reads are a twentieth, because most tasks wait for the last window, which reads them all.
  const app = await openProgramApp({ folder, gateway, clock: createFastClock(epoch, 20) });
  void app.poller.run();
  void app.fetcher.run();
  const random = seeded(seed);
  const { server } = await openMcpOverApp(app, {
    ...{ connections: app.poller.connections, root: join(folder, "work"), token },
    person: () => ({
      ...{ hasTrust: true, cap: 0 },
      onQuestion: ({ answer }) => void systemClock.delay(random(40)).then(() => answer(true)),
    }),
  });
  const { board } = app;
  const outbox = await app.openOutbox();
  process.on("message", (message) => {
    if (message === "reconcile") {
      const unknown = [...board.listed.values()].filter(({ submission }) => submission.state === "outcome-unknown");
      void outbox.sendAgain(board.see(...unknown.map(({ intent }) => intent.id)));
      return;
    }
    const rows = [...board.all.values()].map(({ intent: { prompt }, submission }) =>
      submission.state === "accepted" ? { prompt, taskId: submission.taskId } : { prompt },
    );
    process.send?.({ rows });
  });
  process.send?.({ url: server.url });
}

void main();
