/** The page of the local gateway alone in a real browser: it shows what the gateway has. */
import assert from "node:assert/strict";
import type { LocalGatewayIntent } from "../../../src/gateway/contract/localGatewayPageContract";
import { localGatewayScenes } from "./localGatewayScenes";
import { TabPage } from "../support/tabPage";

describe("the switches of the local gateway", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open("localGateway");
  });
  const sent = async (type: LocalGatewayIntent["type"]): Promise<LocalGatewayIntent[]> =>
    (await tab.intents<LocalGatewayIntent>()).filter((intent) => intent.type === type);

  it("L3: a switch shows what the gateway has, by mouse and by key, until the gateway has the other", async () => {
    const { gateway } = localGatewayScenes.calm;
    assert.ok(gateway);
    await tab.show({ gateway });
    const video = tab.page.getByRole("checkbox", { name: "video, account main" });
    await video.click();
    await video.press("Space");
    assert.equal(await video.isChecked(), true, "nothing has been answered");
    assert.deepEqual(
      await sent("type-switch"),
      [1, 2].map(() => ({ type: "type-switch", account: "main", taskType: "video", on: false })),
    );
    const accounts = gateway.accounts.map((account) => ({
      ...account,
      types: account.types.map((type) => ({ ...type, on: type.taskType !== "video" })),
    }));
    await tab.event({ gateway: { ...gateway, accounts } });
    assert.equal(await video.isChecked(), false);
    await video.click();
    assert.equal(await video.isChecked(), false);
    assert.deepEqual((await sent("type-switch")).at(-1), {
      type: "type-switch",
      account: "main",
      taskType: "video",
      on: true,
    });
  });

  it("L3: a double click on Top Up adds once", async () => {
    await tab.show(localGatewayScenes.calm);
    await tab.page.getByRole("button", { name: "Top Up", exact: true }).dblclick();
    assert.equal((await sent("top-up")).length, 1);
  });

  it("L6: it shows the address, the money of each account and the words that choose an outcome; New Account asks for one", async () => {
    await tab.show(localGatewayScenes["accounts and faults"]);
    const { gateway } = localGatewayScenes["accounts and faults"];
    for (const shown of [gateway.address, "0.00 available", "12.50 available", "[slow]", "[fail]", "[stuck]"])
      await tab.page.getByText(shown).first().waitFor();
    await tab.page.getByRole("button", { name: "New Account" }).click();
    assert.deepEqual(await sent("account-add"), [{ type: "account-add" }]);
  });
});
