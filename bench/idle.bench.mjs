// T11, F4: what five running tasks cost a window without input, beside the same window without them: CPU of the browser and of the extension host, what is written to the disk, and how often a window has notice of a change by the other.
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { run as runProgram } from "../scripts/processes.mjs";
import { cpuOf, writtenBy } from "./idle/spent.mjs";
import { openWindows, setFocus } from "./idle/windows.mjs";
import { buildSubject, measureSubject } from "./subject.mjs";

/** What the tasks add at most. Of the extension hosts one reads the tasks, whichever was first, so both are counted together. */
const limits = /** @type {const} */ ({
  browserFocused: { what: "CPU of Chromium, both windows, the first focused", limit: 15, unit: "ms/s" },
  browserUnfocused: { what: "CPU of Chromium, both windows, none focused", limit: 15, unit: "ms/s" },
  hostsFocused: {
    ...{ what: "CPU of both extension hosts, the first focused", limit: 15, unit: "ms/s" },
    missed: {
      goal: 5,
      why: "5 to 7 for a read a second, the pace that the service asks for; up to 13 where what VS Code itself does, 50 to 60, differs between the rounds",
    },
  },
  hostsUnfocused: {
    ...{ what: "CPU of both extension hosts, none focused", limit: 15, unit: "ms/s" },
    missed: { goal: 5, why: "2 to 12 from run to run: what VS Code itself does, 40 to 70, differs by as much" },
  },
  written: {
    ...{ what: "written to the disk by both extension hosts", limit: 45, unit: "KB/min" },
    missed: {
      goal: 20,
      why: "two blocks of 4 KB, the lease and its journal, which the system flushes three times a minute",
    },
  },
  notices: { what: "notices of a change in a window", limit: 0, unit: "/min" },
});
/** Seconds. */
const [starting, settling, measuring] = [30, 10, 30];
/** VS Code has things to do for minutes after its start: the first round begins when what the hosts use falls no more, or after this many looks. */
const looksAtMost = 10;
/** What VS Code itself does in such a time differs by as much as the tasks add: each round is compared with the times around it. */
const rounds = 3;
const key = "sk-idle";
const prompts = ["pier", "lantern", "ferry", "lamp", "harbour"].map((what) => `a ${what} in the fog`);

/** @typedef {Record<keyof typeof limits, number>} Figures */

/** A gateway whose tasks are processing for ever. */
async function startGateway() {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const id = request.url?.split("/").at(-1);
    if (id === "models") response.end(JSON.stringify({ data: [{ id: "any-model" }] }));
    else response.end(JSON.stringify({ task_id: id, task_type: 2, status: 3, created_at: "2026-01-01T00:00:00Z" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
}

/** What the tasks add, with the focus and without. */
export async function run() {
  const { code, output } = await runProgram(process.execPath, ["esbuild.mjs", "--production"], { quiet: true });
  if (code !== 0) throw new Error(output);
  const folder = await mkdtemp(path.join(tmpdir(), "bench-idle-"));
  const gateway = await startGateway();
  const windows = await openWindows({ baseUrl: gateway.baseUrl, key, prompts });
  try {
    const subject = await buildSubject("idle", folder);
    const { page } = windows.measured;
    const rows = page.locator(".pane .monaco-list-row").filter({ hasText: "in the fog" });
    await delay(starting * 1000);
    await untilSteady(windows);
    const without = [await measure(windows)];
    const tasks = [];
    for (let round = 0; round < rounds; round += 1) {
      await measureSubject([subject, "place", windows.tasks, gateway.baseUrl, key, ...prompts]);
      await rows.nth(prompts.length - 1).waitFor();
      tasks.push(await measure(windows));
      await measureSubject([subject, "end", windows.tasks]);
      await rows.first().waitFor({ state: "detached" });
      without.push(await measure(windows));
    }
    return verdicts(without, tasks);
  } finally {
    await windows.close();
    gateway.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Until what the hosts use in a look is not a tenth below the look before. @param {Awaited<ReturnType<typeof openWindows>>} windows */
async function untilSteady({ measured, other }) {
  const hosts = [measured.host, other.host];
  await setFocus(measured.page, true);
  let before = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looksAtMost; look += 1) {
    const begun = cpuOf(hosts);
    await delay(measuring * 1000);
    const spent = cpuOf(hosts) - begun;
    if (spent > before * 0.9) return;
    before = spent;
  }
}

/** @param {Awaited<ReturnType<typeof openWindows>>} windows @returns {Promise<Figures>} */
async function measure({ measured, other, browser }) {
  const hosts = [measured.host, other.host];
  const take = async () => ({
    seconds: performance.now() / 1000,
    browser: cpuOf(browser()),
    hosts: cpuOf(hosts),
    written: hosts.reduce((sum, pid) => sum + writtenBy(pid), 0) / 1000,
    notices: (await readFile(measured.notices)).length + (await readFile(other.notices)).length,
  });
  const settle = async (/** @type {boolean} */ isFocused) => {
    await setFocus(measured.page, isFocused);
    await delay(settling * 1000);
  };
  const during = async () => {
    const begun = await take();
    await delay(measuring * 1000);
    return { begun, ended: await take() };
  };
  await settle(true);
  const focused = await during();
  await settle(false);
  const unfocused = await during();
  // Blocks reach the disk twice a minute, so what is written is counted over all of the time.
  const all = { begun: focused.begun, ended: unfocused.ended };
  const perSecond = (
    /** @type {Awaited<ReturnType<typeof during>>} */ { begun, ended },
    /** @type {keyof typeof begun} */ what,
  ) => (ended[what] - begun[what]) / (ended.seconds - begun.seconds);
  return {
    browserFocused: perSecond(focused, "browser"),
    browserUnfocused: perSecond(unfocused, "browser"),
    hostsFocused: perSecond(focused, "hosts"),
    hostsUnfocused: perSecond(unfocused, "hosts"),
    written: perSecond(all, "written") * 60,
    notices: perSecond(all, "notices") * 60,
  };
}

/** @param {readonly Figures[]} without one before each of `tasks`, and one after the last @param {readonly Figures[]} tasks */
function verdicts(without, tasks) {
  console.log(`${prompts.length} running tasks: without them, and with them in between`);
  return /** @type {(keyof Figures)[]} */ (Object.keys(limits)).map((name) => {
    const { what, unit, ...rest } = limits[name];
    const plain = without.map((figures) => figures[name]);
    const added = tasks.map((figures, at) => figures[name] - ((plain[at] ?? 0) + (plain[at + 1] ?? 0)) / 2);
    const all = plain.flatMap((value, at) => [value, ...tasks.slice(at, at + 1).map((figures) => figures[name])]);
    console.log(`  ${what}: ${all.map((value) => value.toFixed(1)).join(" / ")} ${unit}`);
    return { what, today: median(added), unit, ...rest };
  });
}

/** @param {readonly number[]} values an odd number of them */
const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
