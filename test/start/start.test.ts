/** `npm start -- --headless` as another program uses it: one line of JSON, an address that answers, and nothing left when it is ended. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import * as z from "zod/mini";
import { launchBrowser } from "../../scripts/browser.mjs";
import { descendants, isAlive, projectNode } from "../../scripts/processes.mjs";

const hello = z.object({ url: z.url(), pid: z.int() });

describe("npm start -- --headless", () => {
  let start: ChildProcess;
  let browser: Browser;
  let said = "";
  before(async () => {
    browser = await launchBrowser();
    start = spawn(projectNode(), ["scripts/start.mjs", "--headless"], { stdio: ["ignore", "pipe", "inherit"] });
    start.stdout?.setEncoding("utf8").on("data", (text: string) => (said += text));
    await Promise.race([once(start.stdout!, "data"), once(start, "exit")]);
  });
  after(async () => {
    start.kill("SIGKILL");
    await browser.close();
  });

  it("V4: says where it is in one line and answers there; Ctrl+C ends the window's processes too", async () => {
    assert.equal(said.trimEnd().split("\n").length, 1, said);
    const { url, pid } = hello.parse(JSON.parse(said));
    assert.equal(pid, start.pid);
    assert.equal((await fetch(url)).status, 200);

    // With a window open there is an extension host, and with the Chat view its local gateway.
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    await page.locator(".part.activitybar").getByRole("tab", { name: "Sluice" }).click();
    await page.locator("iframe.webview").first().waitFor();
    await until(() => descendants(pid).some((one) => commandLine(one).includes("localGateway.mjs")));
    const family = [pid, ...descendants(pid)];

    const ended = once(start, "exit");
    start.kill("SIGINT");
    const [code] = (await ended) as [number | null];
    assert.equal(code, 130);
    assert.deepEqual(
      family.filter(isAlive).map((one) => commandLine(one)),
      [],
    );
    await assert.rejects(fetch(url));
    assert.equal(said.trimEnd().split("\n").length, 1, said);
  });
});

/** Where there is no /proc any child will do. */
function commandLine(pid: number): string {
  if (process.platform !== "linux") return "localGateway.mjs";
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((next) => setTimeout(next, 50));
}
