/** `npm run tour -- -g review`: what a model has changed, in the real window, in each theme: five hunks, unsaved text of the person, the list, the line at the composer, a streamed selection. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { allow } from "../support/approvalBar";
import { askInChat } from "../support/askInChat";
import { setSideBarWidth } from "../support/sideBar";
import { openWindow, type VsCodeWindow } from "../support/window";

const lines = Array.from({ length: 40 }, (_, at) => `export const value${at} = ${at};`);
const edit = (file: string, from: string, to: string): string =>
  `edit_file ${JSON.stringify({ path: file, old_text: from, new_text: to })}`;
const five = [
  edit("src/values.ts", `${lines[2]}\n`, "export const value2 = 20;\n"),
  edit("src/values.ts", `${lines[6]}\n`, `${lines[6]}\n// Between.\nexport const between = true;\n`),
  edit("src/values.ts", `${lines[10]}\n${lines[11]}\n`, ""),
  edit("src/values.ts", `${lines[15]}\n`, "export const value15 = 150;\nexport const more = 1;\n"),
  edit("src/values.ts", `${lines[20]}\n`, "export const value20 = 200;\n"),
  edit("src/greeting.ts", "hour > 18", "hour >= 18"),
];

const looks = [
  ["Default Dark Modern", "dark", ".vs-dark", 420],
  ["Default Light Modern", "light", ".vs:not(.vs-dark)", 300],
  ["Default High Contrast", "contrast", ".hc-black", 300],
] as const;

for (const [theme, look, mark, width] of looks) {
  describe(`pictures of a review, ${look}`, () => {
    let window: VsCodeWindow;
    let chat: Frame;
    before(async () => {
      window = await openWindow({
        settings: { "window.autoDetectHighContrast": false },
        size: { width: width + 800, height: 760 },
      });
      await writeFile(path.join(window.workspace, "src/values.ts"), `${lines.join("\n")}\n`);
      await window.configure({ "workbench.colorTheme": theme });
      await window.page.locator(`.monaco-workbench${mark}`).waitFor();
      await window.showContainer("Sluice");
      await setSideBarWidth(window, width);
      chat = await window.frameWith("textarea");
      await chat.getByText("demo-chat").filter({ visible: true }).first().waitFor();
    });
    after(() => window.close());

    it("A16: a file with five hunks, then with unsaved text, the list, and one hunk taken back", async () => {
      await askInChat(chat, `\`\`\`calls\n${five.join("\n")}\n\`\`\``);
      await allow(chat);
      await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
      await chat.locator(".review-line").waitFor();
      await window.openFile("src/values.ts");
      const lens = window.page.locator(".codelens-decoration").getByText("1 of 5");
      await lens.waitFor();
      await window.screenshot(`review-${look}-1-five`);
      await window.page.keyboard.type("// mine ");
      await window.page.locator(".view-line").getByText("// mine").waitFor();
      await window.screenshot(`review-${look}-2-dirty`);
      await window.run("sluice.changes.next");
      await window.page.getByText("Ln 3, Col 1").waitFor();
      await window.run("editor.action.showHover");
      await window.page.locator(".monaco-hover").getByText("Keep").first().waitFor();
      await window.screenshot(`review-${look}-3-hover`);
      window.begin("sluice.changes.show");
      await window.quickInput().getByText("greeting.ts").first().waitFor();
      await window.screenshot(`review-${look}-4-list`);
      await window.page.keyboard.press("Escape");
      await window.openFile("src/greeting.ts");
      await window.page.locator(".codelens-decoration").getByText("1 of 1").waitFor();
      await window.screenshot(`review-${look}-5-closed`);
    });

    it("A16, P6: with the keyboard alone from change to change, kept and undone, and the focus stays in the editor", async () => {
      const { page } = window;
      const lens = (text: string) => page.locator(".codelens-decoration").getByText(text).first().waitFor();
      const isInEditor = (): Promise<unknown> =>
        page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
      await window.openFile("src/values.ts");
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("Shift+Alt+N");
      await page.getByText("Ln 3, Col 1").waitFor();
      await page.keyboard.press("Shift+Alt+N");
      await page.getByText("Ln 8, Col 1").waitFor();
      await window.screenshot(`review-${look}-6-keys-next`);
      await page.keyboard.press("Shift+Alt+K");
      await lens("1 of 4");
      await isInEditor();
      await page.keyboard.press("Shift+Alt+P");
      await page.getByText("Ln 3, Col 1").waitFor();
      await page.keyboard.press("Shift+Alt+U");
      await lens("1 of 3");
      await isInEditor();
      await window.screenshot(`review-${look}-7-keys-decided`);
      for (const line of [13, 16, 22]) {
        await page.keyboard.press("Shift+Alt+N");
        await page.getByText(`Ln ${line}, Col 1`).waitFor();
        await page.keyboard.press("Shift+Alt+K");
        await isInEditor();
      }
      await page.keyboard.press("Shift+Alt+N");
      await page.locator(".tab.active").getByText("greeting.ts").waitFor();
      await isInEditor();
      await window.screenshot(`review-${look}-8-keys-next-file`);
      await page.keyboard.press("Shift+Alt+U");
      await page.locator(".codelens-decoration").getByText("1 of 1").waitFor({ state: "hidden" });
      await isInEditor();
      await chat.locator(".review-line").waitFor({ state: "detached" });
      await window.screenshot(`review-${look}-9-keys-done`);
    });

    it("A16: a selection is edited: while its lines arrive, and after", async () => {
      const { page } = window;
      await window.openFile("src/values.ts");
      await page.locator(".codelens-decoration").first().waitFor({ state: "detached" });
      await window.selectText(lines.slice(25, 38).join("\n"));
      window.begin("sluice.chat.editSelection");
      const input = window.quickInput().locator("input");
      await input.waitFor();
      await input.fill("Write it in capitals");
      await page.keyboard.press("Enter");
      await page
        .locator(".view-line")
        .getByText(/VALUE27/)
        .waitFor();
      await window.screenshot(`review-${look}-a-streaming`);
      await page.locator(".codelens-decoration").getByText("Say More…").waitFor();
      await window.screenshot(`review-${look}-b-streamed`);
      await page.keyboard.press("Shift+Alt+U");
      await page
        .locator(".view-line")
        .getByText(/value27/)
        .waitFor();
    });
  });
}
