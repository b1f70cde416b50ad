/** The page of the local gateway in every theme. */
import assert from "node:assert/strict";
import { faultsOfScenes } from "../support/tabLooks";
import type { TabScene } from "../support/tabPage";
import { localGatewayScenes } from "./localGatewayScenes";

describe("the page of the local gateway", () => {
  it("P6: in every theme and width: nothing keeps anyone out, nothing scrolls sideways", async () => {
    const scenes = Object.entries(localGatewayScenes).map(([name, snapshot]): TabScene => {
      const open: Pick<TabScene, "act"> = { act: async ({ page }) => page.locator("summary").click() };
      return { name, snapshot, ...("gateway" in snapshot ? open : {}) };
    });
    assert.deepEqual(await faultsOfScenes("localGateway", scenes, new Set(["accounts and faults"])), []);
  });
});
