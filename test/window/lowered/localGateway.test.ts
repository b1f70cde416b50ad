/** The local gateway in the window: its page, Top Up where the balance is too low, and a task type that is switched off and on. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import { eventually } from "../../support/eventually";
import { type Picks, modelStep, picksOf, promptStep, typeStep } from "../../support/picks";
import { pressInRow } from "../../support/rowMenu";
import { request } from "../../loopback/localGateway/support";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";

const identity = z.object({ key: z.string(), port: z.number() });
const balance = z.object({ available: z.number() });
const accounts = z.object({
  accounts: z.array(z.object({ task_types: z.array(z.object({ type: z.string(), enabled: z.boolean() })) })),
});

describe("local gateway in the window", () => {
  let window: VsCodeWindow;
  let picks: Picks;
  let gateway: { readonly url: string; readonly key: string };
  /** What the tests before have left, for those that come after. */
  let atFirst: number;
  const available = async (): Promise<number> =>
    balance.parse((await request(gateway, "GET", "/_local/balance")).json).available;

  before("open the window, and spend what the gateway has", async () => {
    window = await shareLocalWindow();
    picks = picksOf(window);
    const folder = path.join(window.server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "localGateway");
    const { key, port } = identity.parse(JSON.parse(await readFile(path.join(folder, "gateway.json"), "utf8")));
    gateway = { url: `http://127.0.0.1:${port}`, key };
    atFirst = await available();
    const body = { task_type: "video", prompt: "[stuck]" };
    const spend = (): Promise<{ status: number }> => request(gateway, "POST", "/v1/tasks", body);
    for (let status = 202; status === 202;) ({ status } = await spend());
  });
  after(async () => {
    await request(gateway, "POST", "/_local/task-types", { task_type: "video", enabled: true });
    await request(gateway, "POST", "/_local/deposit", { amount: atFirst });
    await window.close();
  });

  async function submitVideo(prompt: string): Promise<void> {
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await window.pick(/^Video/);
    await picks.through(modelStep);
    await picks.step(promptStep);
    await picks.typePrompt(prompt);
    await picks.press("Enter");
  }
  /** The page shows a switch as it was clicked before the gateway has it. */
  const videoIs = (enabled: boolean): Promise<void> =>
    eventually(`video tasks enabled: ${enabled}`, async () => {
      const { json } = await request(gateway, "GET", "/_local/accounts");
      const types = accounts.parse(json).accounts[0]?.task_types;
      return types?.find(({ type }) => type === "video")?.enabled === enabled;
    });

  it("L3: where the balance is too low, a button tops it up and the task can be sent again", async () => {
    await submitVideo("a ship in the fog");
    const row = await window.treeRow("Tasks", "a ship in the fog");
    await row.filter({ hasText: "balance too low" }).waitFor();
    const empty = await available();
    await pressInRow(row, "Top Up Local Gateway");
    await eventually("topped up", async () => (await available()) > empty);
    await pressInRow(row, "Send Again");
    await row.filter({ hasText: "balance too low" }).waitFor({ state: "detached" });
  });

  it("L6: the page shows what the gateway is, tops up, and makes a second account; no key is in it", async () => {
    await window.runCommand("Sluice: Show Local Gateway");
    const page = await window.frameWith(".gateway-page .balance");
    const before = await page.locator(".balance .amount").innerText();
    await page.getByRole("button", { name: "Top Up" }).first().click();
    await page.getByText(before, { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New Account" }).click();
    await page.locator(".account").filter({ hasText: "account 2" }).waitFor();
    for (const word of ["[slow]", "[fail]", "[stuck]"]) await page.getByText(word, { exact: true }).waitFor();
    assert.ok(!(await page.content()).includes("sk-local-"));
    assert.ok((await page.getByText(gateway.url).count()) > 0);
    await window.screenshot("local-gateway");
  });

  it("T3: a task type that is switched off there is not enabled, until it is on again", async () => {
    const page = await window.frameWith(".gateway-page .balance");
    const video = page.getByRole("checkbox", { name: "Video, account main" });
    await video.uncheck();
    await videoIs(false);
    await submitVideo("a second ship");
    const row = await window.treeRow("Tasks", "a second ship");
    await row.filter({ hasText: "not enabled" }).waitFor();
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await window.quickInput().getByText("not enabled: Tasks of type video are not enabled").waitFor();
    await picks.press("Escape");
    await window.runCommand("Sluice: Show Local Gateway");
    await (
      await window.frameWith(".gateway-page .balance")
    )
      .getByRole("checkbox", { name: "Video, account main" })
      .check();
    await videoIs(true);
    await pressInRow(row, "Send Again");
    await row.filter({ hasText: "not enabled" }).waitFor({ state: "detached" });
  });
});
