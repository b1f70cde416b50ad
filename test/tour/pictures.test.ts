/** The pictures of the README and the documents, in each theme: cropped to their matter, so that no path or title of a test is in them. */
import assert from "node:assert/strict";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import sharp from "sharp";
import { allow, showToEnd } from "../support/approvalBar";
import { askInChat } from "../support/askInChat";
import { eventually } from "../support/eventually";
import { modelStep, type Picks, picksOf, selectionStep, typeStep } from "../support/picks";
import { pressInRow } from "../support/rowMenu";
import { setSideBarWidth } from "../support/sideBar";
import { openWindow, type VsCodeWindow } from "../support/window";

const prompt = "A paper lantern on black water, seen from above, soft light.";
const folder = path.resolve("test-results/tour/pictures");

/** A picture of the animation and how long it is shown, in milliseconds. */
interface Shot {
  readonly png: Buffer;
  readonly delay: number;
}

const looks = [
  ["Default Dark Modern", "dark"],
  ["Default Light Modern", "light"],
] as const;

// That they can be drawn one look shows; `npm run pictures` draws both.
for (const [theme, look] of process.env["SLUICE_PICTURES"] === undefined ? looks.slice(0, 1) : looks) {
  describe(`pictures of the README, ${look}`, () => {
    let window: VsCodeWindow;
    let picks: Picks;
    let chat: Frame;
    const shots: Shot[] = [];
    before(async () => {
      await mkdir(folder, { recursive: true });
      window = await openWindow({
        speed: 4,
        settings: {
          "workbench.colorTheme": theme,
          "workbench.view.alwaysShowHeaderActions": false,
          "breadcrumbs.enabled": false,
          "editor.wordWrap": "on",
        },
        size: { width: 1100, height: 720 },
      });
      picks = picksOf(window);
      // It has the name of the folder and that it is a window of a test.
      await window.page.addStyleTag({ content: ".titlebar-container { visibility: hidden }" });
      await window.showContainer("Sluice");
      await setSideBarWidth(window, 430);
      chat = await window.frameWith("textarea");
      await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
    });
    after(() => window.close());

    /** Side bar and editors, and above them the line over which VS Code lays its quick picks. */
    const shoot = async (delay: number): Promise<void> => {
      await window.page.mouse.move(1, 1);
      shots.push({
        png: await clipOf(window, [".part.titlebar .command-center", ".part.sidebar", ".part.editor"]),
        delay,
      });
    };
    const keep = async (name: string, around: Locator): Promise<void> => {
      await sharp(await clipOf(window, [around]))
        .png({ palette: true })
        .toFile(path.join(folder, `${name}-${look}.png`));
    };

    it("V5, T2, T8: from a prompt to its picture", async () => {
      await window.openFile("hero.prompts.md");
      await window.selectText(prompt);
      await shoot(1800);
      window.begin("sluice.task.submitSelection");
      await picks.step(typeStep);
      await shoot(1200);
      await window.pick(/^Image/);
      await picks.step(modelStep);
      await window.quickInput().getByText("demo-image").first().waitFor();
      await shoot(1200);
      await picks.press("Enter");
      await picks.step(selectionStep);
      await shoot(1600);
      await picks.press("Enter");
      const row = await window.treeRow("Tasks", "A paper lantern");
      await shoot(1400);
      await window.treeRow("Tasks", "Finished today");
      await pressInRow(row, "Open Result");
      const picture = (await window.frameWith("img")).locator("img").first();
      await eventually("the picture", () =>
        picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth > 0),
      );
      await shoot(2400);
    });

    it("V5, A3: from a question to an approved change", async () => {
      await window.run("workbench.action.closeAllEditors");
      await window.openFile("src/greeting.ts");
      await shoot(800);
      await askInChat(chat, "Replace `hour > 18` with `hour >= 18` in src/greeting.ts");
      await showToEnd(chat);
      await shoot(2600);
      await keep("approval", await window.view("Chat"));
      await allow(chat);
      await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
      await window.page.locator(".view-line").getByText("hour >= 18").waitFor();
      await shoot(2600);
    });

    it("V5: both become one animation", async () => {
      assert.equal(shots.length, 9);
      const file = path.join(folder, `tour-${look}.gif`);
      await sharp(
        shots.map(({ png }) => png),
        { join: { animated: true } },
      )
        .gif({ loop: 0, delay: shots.map(({ delay }) => delay), effort: 10, dither: 0 })
        .toFile(file);
      const { pages, width } = await sharp(file, { animated: true }).metadata();
      assert.deepEqual([pages, width], [shots.length, (await sharp(shots[0]?.png).metadata()).width]);
      assert.ok((await stat(file)).size < 500_000);
    });
  });
}

/** The smallest picture that has all of them. */
async function clipOf({ page }: VsCodeWindow, around: readonly (Locator | string)[]): Promise<Buffer> {
  const boxes = await Promise.all(
    around.map((one) => (typeof one === "string" ? page.locator(one) : one).first().boundingBox()),
  );
  const found = boxes.filter((box) => box !== null);
  assert.equal(found.length, around.length);
  const x = Math.min(...found.map((box) => box.x));
  const y = Math.min(...found.map((box) => box.y));
  const width = Math.max(...found.map((box) => box.x + box.width)) - x;
  const height = Math.max(...found.map((box) => box.y + box.height)) - y;
  return page.screenshot({ animations: "disabled", clip: { x, y, width, height } });
}
