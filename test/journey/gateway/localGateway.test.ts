/** The local gateway in a window: its page, Top Up where the balance is too low, and a task type that is switched off and on. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import type { LocalGatewayIntent, LocalGatewaySnapshot } from "../../../src/gateway/contract/localGatewayPageContract";
import { request } from "../../loopback/localGateway/support";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import type { TreeRow } from "../../support/fakeVscode/trees";
import { modelStep, promptStep, tasksView, typeStep } from "../../support/submitSteps";

const identity = z.object({ key: z.string(), port: z.number() });
const balance = z.object({ available: z.number() });
const format = (value: number): string => new Intl.NumberFormat("en").format(value);

describe("the local gateway in a window", () => {
  let opened: OpenedWindow;
  let gateway: { readonly url: string; readonly key: string };
  before("open the window, and spend what the gateway has", async () => {
    // Unhurried: a task that is stuck expires one day, and gives its hold back.
    opened = await openWindow({ speed: 1, gateway: "process" });
    const { window, inside, storage } = opened;
    await window.until("the gateway", () => inside.connections.current.current.state === "ready");
    const file = path.join(storage, "globalStorage", "localGateway", "gateway.json");
    const { key, port } = identity.parse(JSON.parse(await readFile(file, "utf8")));
    gateway = { url: `http://127.0.0.1:${port}`, key };
    const body = { task_type: "video", prompt: "[stuck]" };
    const spend = async (): Promise<number> => (await request(gateway, "POST", "/v1/tasks", body)).status;
    let status = await spend();
    while (status === 202) status = await spend();
    assert.equal(status, 402);
  });
  after(closeWindows);

  const available = async (): Promise<number> =>
    balance.parse((await request(gateway, "GET", "/_local/balance")).json).available;

  /** The gateway refuses it, and the message about it is closed. `steps`: those between type and prompt; the only model of a type is asked for once. */
  const submitVideo = async (prompt: string, refusal: RegExp, ...steps: readonly string[]): Promise<void> => {
    const { person } = opened;
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    await person.choose(/^Video/);
    for (const step of steps) await person.through(step);
    await person.step(promptStep);
    await person.type(prompt);
    await person.press("Enter");
    await person.answer(refusal);
    await asking.ended();
  };
  const rowThat = (prompt: string, says: RegExp): Promise<TreeRow> =>
    opened.window.until(`the row of ${prompt} says ${String(says)}`, async () => {
      const rows = await opened.window.rowsOf(tasksView);
      return rows.find(({ spoken }) => spoken.includes(prompt) && says.test(spoken));
    });
  const openPage = async (): Promise<TabPage<LocalGatewaySnapshot, LocalGatewaySnapshot, LocalGatewayIntent>> => {
    const showing = opened.person.palette("Sluice: Show Local Gateway");
    const page = await tabPage<LocalGatewaySnapshot, LocalGatewaySnapshot, LocalGatewayIntent>(
      opened.window,
      "sluice.localGateway",
      lastState,
    );
    await showing.ended();
    return page;
  };

  it("L3: where the balance is too low, a button tops it up and the task can be sent again", async () => {
    const { person } = opened;
    await submitVideo("a ship in the fog", /balance is too low/, modelStep);
    const row = await rowThat("a ship in the fog", /balance too low/i);
    const empty = await available();
    await person.inMenu(row, "Top Up Local Gateway").ended();
    assert.ok((await available()) > empty);
    await person.inMenu(row, "Send Again").ended();
    await rowThat("a ship in the fog", /^(?!.*balance too low)/i);
  });

  it("L6: the page shows where the gateway is and tops up; no key is in it; once more it is the same tab", async () => {
    const page = await openPage();
    const before = await page.until("the gateway", ({ gateway: shown }) => shown);
    assert.equal(before.address, gateway.url);
    const sum = await available();
    assert.equal(before.available, format(sum));
    page.send({ type: "top-up" });
    await page.until("more money", ({ gateway: shown }) => shown !== undefined && shown.available !== before.available);
    assert.ok((await available()) > sum);
    page.send({ type: "key-copy" });
    await opened.window.until("the key is in the clipboard", () => opened.window.clipboard === gateway.key);
    assert.ok(!JSON.stringify(page.page.messages).includes("sk-local-"));
    const again = await openPage();
    assert.equal(again.page, page.page);
    assert.equal(opened.window.editors.tabs.length, 1);
  });

  it("T3: a task type that is switched off there is not enabled, until it is on again", async () => {
    const { person } = opened;
    const turn = async (enabled: boolean): Promise<void> => {
      const { status } = await request(gateway, "POST", "/_local/task-types", { task_type: "video", enabled });
      assert.equal(status, 200);
    };
    await turn(false);
    await submitVideo("a second ship", /not enabled/);
    const row = await rowThat("a second ship", /not enabled/i);
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    const description = person.pick.rows.find(({ label }) => label.startsWith("Video"))?.description ?? "";
    assert.match(description, /^not enabled: Tasks of type video are not enabled/);
    await person.escape();
    await asking.ended();
    await turn(true);
    await person.inMenu(row, "Send Again").ended();
    await rowThat("a second ship", /^(?!.*not enabled)/i);
  });
});
