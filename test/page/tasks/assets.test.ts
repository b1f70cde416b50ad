/** The page of assets alone in a real browser: places and actions send what is meant, and it is calm while the project is looked through. */
import assert from "node:assert/strict";
import type { AssetsPageIntent } from "../../../src/tasks/contract/assetsPageContract";
import type { FoundAsset } from "../../../src/tasks/host/pages/foundAssets";
import type { CheckedFile } from "../../../src/tasks/lock/lockStates";
import { assetsScene, someAssets } from "../../support/projectAssets";
import { TabPage } from "../support/tabPage";

describe("the page of assets", () => {
  let tab: TabPage;
  beforeEach(async () => {
    tab = await TabPage.open("assets");
  });
  afterEach(async () => {
    const violations = await tab.violations();
    assert.deepEqual(violations, []);
  });
  const sent = async (): Promise<readonly AssetsPageIntent[]> =>
    (await tab.intents<AssetsPageIntent | { type: "view-ready" }>()).filter(
      (intent): intent is AssetsPageIntent => intent.type !== "view-ready",
    );

  it("T17: a place opens, a title leads to its task, and each group offers what helps there", async () => {
    await tab.show(assetsScene(someAssets));
    const large = tab.page.getByRole("region", { name: "Larger than needed" });
    await large.getByRole("button", { name: "src/styles/main.css:40" }).click();
    await large.getByRole("button", { name: "Poster of a pier, number 1" }).click();
    await large.getByRole("button", { name: "Convert and Save…" }).click();
    await tab.page.getByRole("region", { name: "Not used" }).getByRole("button", { name: "a-folder" }).click();
    const [hero, unused] = [someAssets[0]?.file, someAssets[4]?.file];
    assert.deepEqual(await sent(), [
      { type: "use-open", file: hero, use: 1 },
      { type: "asset-act", action: "open-task", file: hero },
      { type: "asset-act", action: "convert", file: hero },
      { type: "asset-act", action: "show", file: unused },
    ]);
  });

  it("T20: a file that is stale, changed or a placeholder has the buttons that help there", async () => {
    const entry = { path: "a.png", sha256: "0".repeat(64), prompt: "a.prompts.md#A" };
    const here = { isThere: true };
    const rowOf = (file: string, state: CheckedFile["state"], more: Partial<FoundAsset> = {}): FoundAsset => ({
      ...{ file, now: here, uses: [], locked: { state, entry } },
      ...more,
    });
    await tab.show(
      assetsScene([
        rowOf("a.png", "stale"),
        rowOf("b.png", "rehearsed"),
        rowOf("c.png", "foreign", { isRestorable: true }),
      ]),
    );
    for (const name of ["Make Again…", "Make It…", "Restore…", "Keep As It Is"])
      await tab.page.getByRole("button", { name, exact: true }).click();
    assert.deepEqual(await sent(), [
      { type: "asset-act", action: "make-again", file: "a.png" },
      { type: "asset-act", action: "make", file: "b.png" },
      { type: "asset-act", action: "restore", file: "c.png" },
      { type: "asset-act", action: "keep", file: "c.png" },
    ]);
  });

  it("T17: while the project is looked through, what was found stays, the number of documents is shown, and it can be stopped", async () => {
    await tab.show({ subject: "assets", looking: 0 });
    await tab.page.getByText("Looking through the project…").waitFor();
    await tab.page.getByRole("button", { name: "Stop" }).click();
    await tab.event(assetsScene(someAssets, { looking: 1200 }));
    await tab.page.getByText("Looking through the project: 1,200 documents so far…").waitFor();
    await tab.page.getByText("assets/pier.webp").waitFor();
    await tab.event(assetsScene(someAssets));
    await tab.page.getByText(/1,234 documents were read\./).waitFor();
    await tab.page.locator("[aria-live]").getByText("The project was looked through.").waitFor({ state: "attached" });
    await tab.page.getByRole("button", { name: "Look Again" }).click();
    assert.deepEqual(await sent(), [{ type: "assets-stop" }, { type: "assets-look" }]);
    await tab.show(assetsScene([]));
    await tab.page.getByText("Nothing of this project was made here yet.").waitFor();
  });

  it("T20: the check of the lock is offered where the project lacks it", async () => {
    await tab.show(assetsScene(someAssets));
    const button = tab.page.getByRole("button", { name: "Add Check for CI" });
    assert.equal(await button.count(), 0);
    await tab.show(assetsScene(someAssets, { lacksCheck: true }));
    await button.click();
    assert.deepEqual(await sent(), [{ type: "check-add" }]);
  });

  it("T17: without a folder it says so, and offers to open one", async () => {
    await tab.show(assetsScene([], { noFolder: true }));
    await tab.page.getByText("No folder is open.").waitFor();
    await tab.page.getByRole("button", { name: "Open Folder" }).click();
    assert.deepEqual(await sent(), [{ type: "folder-open" }]);
    assert.equal(await tab.page.getByText("Nothing of this project").count(), 0);
  });
});
