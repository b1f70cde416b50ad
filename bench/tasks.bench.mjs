// F4: 1,000 live tasks against a naive `setInterval` with full refresh: requests a second, staleness, change events, CPU.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSubject, measureSubject } from "./subject.mjs";

const tasks = 1000;
const seconds = 20;
/** Requests a second of an account, CPU over that of the peer, and rows drawn for each change event. */
const limits = { budget: 4, cpu: 0.4, rows: 1 };

/** @typedef {{ events: number, rows: number, cpu: number }} Live */

/** A gateway whose tasks are processing for ever; counts its requests. */
async function startGateway() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const id = request.url?.split("/").at(-1);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ task_id: id, task_type: 2, status: 3, created_at: "2026-01-01T00:00:00Z" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    take() {
      const taken = requests;
      requests = 0;
      return taken;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whether the request budget is held, and reads that change nothing fire nothing. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-tasks-"));
  const subject = await buildSubject("tasks", folder);
  const gateway = await startGateway();
  try {
    /** @param {string} what */
    const live = async (what) => {
      gateway.take();
      const args = [subject, what, path.join(folder, what), gateway.url, String(tasks), String(seconds)];
      /** @type {Live} */
      const figures = await measureSubject(args);
      return { ...figures, requests: gateway.take() / seconds };
    };
    const own = await live("sluice");
    const naive = await live("naive");
    /** @type {{ requests: number, most: number, longest: number, events: number }} */
    const hour = await measureSubject([subject, "hour", path.join(folder, "hour"), gateway.url, String(tasks)]);
    console.log(`polling: ${tasks} live tasks for ${seconds} s, Node ${process.version}`);
    console.log(`${"".padEnd(46)}${"Sluice".padStart(12)}${"setInterval".padStart(14)}`);
    const rows = /** @type {const} */ ([
      ["requests a second", own.requests, naive.requests],
      ["change events", own.events, naive.events],
      ["rows drawn", own.rows, naive.rows],
      ["CPU, % of one core", own.cpu, naive.cpu],
    ]);
    for (const [name, mine, other] of rows)
      console.log(`${name.padEnd(46)}${mine.toFixed(1).padStart(12)}${other.toFixed(1).padStart(14)}`);
    console.log(
      `an hour on a moved clock: ${hour.requests.toFixed(2)} requests a second (at most ${hour.most} in any), the oldest row ${hour.longest.toFixed(0)} s old, ${hour.events} change events by reads that change nothing`,
    );
    return [
      { what: "requests a second of 1,000 live tasks", today: own.requests, limit: limits.budget + 0.5, unit: "" },
      { what: "requests in any second of an hour", today: hour.most, limit: limits.budget, unit: "" },
      { what: "change events of reads without news in an hour", today: hour.events, limit: 0, unit: "" },
      { what: "CPU over that of setInterval", today: own.cpu / naive.cpu, limit: limits.cpu, unit: "×" },
      { what: "rows drawn for a change event", today: own.rows / own.events, limit: limits.rows, unit: "" },
    ];
  } finally {
    gateway.close();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await run();
