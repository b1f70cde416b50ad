/** The page of the local gateway alone in a real browser. */
import assert from "node:assert/strict";
import type { LocalGatewayIntent } from "../../../src/gateway/contract/localGatewayPageContract";
import { faultsOfScenes } from "../support/tabLooks";
import { TabPage } from "../support/tabPage";
import { localGatewayScenes } from "./localGatewayScenes";

describe("the page of the local gateway", () => {
  it("P6: in every theme and width: nothing keeps anyone out, nothing scrolls sideways", async () => {
    const scenes = Object.entries(localGatewayScenes).map(([name, snapshot]) => ({ name, snapshot }));
    assert.deepEqual(await faultsOfScenes("localGateway", scenes, new Set(["empty"])), []);
  });

  it("L6: it shows the address, the money and the words that choose an outcome; a double click on Top Up adds once", async () => {
    const tab = await TabPage.open("localGateway");
    const { calm } = localGatewayScenes;
    await tab.show(calm);
    for (const shown of [calm.gateway.address, "997.00 available", "[slow]", "[fail]", "[stuck]"])
      await tab.page.getByText(shown).first().waitFor();
    await tab.page.getByRole("button", { name: "Top Up", exact: true }).dblclick();
    await tab.page.getByRole("button", { name: "Copy Key" }).click();
    assert.deepEqual((await tab.intents<LocalGatewayIntent>()).slice(1), [{ type: "top-up" }, { type: "key-copy" }]);
  });
});
