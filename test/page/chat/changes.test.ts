/** The line under a turn about changed files, and Rewind to Here: what the page shows and asks for; nothing is decided there. */
import assert from "node:assert/strict";
import type { AnswerChanges } from "../../../src/chat/contract/chatPageContract";
import { themesOfRun } from "../support/pageServer";
import { usePanel } from "../support/panelSuite";
import { takePicture } from "../support/pictures";
import { answered, finished, prompt, started, text } from "./scenes";

const changed = (state: AnswerChanges["state"]): readonly AnswerChanges[] => [
  { answer: "a1", files: ["src/app.ts", "src/\u202eevil.ts"], state },
  { answer: "a2", files: ["src/app.ts", "README.md"], state },
];

describe("chat panel, changed files", () => {
  const { open, button } = usePanel();

  it("A5: the turn says how many files its tools changed; Undo, Keep and Redo name the turn by its last answer", async () => {
    const panel = await open();
    await panel.events(...answered, ...prompt("p2", "Thanks"), started("a3"), text("a3", 0, "Bye."), ...finished("a3"));
    const line = panel.page.locator(".changes");
    assert.equal(await line.count(), 0);
    await panel.post({ type: "status", status: { ...panel.status, changes: changed("made") } });
    assert.deepEqual(await line.allInnerTexts(), ["3 files changed\nUndo\nKeep"]);
    const link = button("3 files changed");
    assert.doesNotMatch((await link.getAttribute("title")) ?? "", /\u202e/);
    await link.click();
    assert.deepEqual(await panel.intent("changes-show"), { type: "changes-show", answer: "a2" });
    await line.getByRole("button", { name: "Undo" }).press("Enter");
    assert.deepEqual(await panel.intent("changes-undo"), { type: "changes-undo", answer: "a2" });
    await line.getByRole("button", { name: "Keep" }).press("Enter");
    assert.deepEqual(await panel.intent("changes-keep"), { type: "changes-keep", answer: "a2" });
    await panel.post({ type: "status", status: { ...panel.status, changes: changed("undone") } });
    assert.deepEqual(await line.allInnerTexts(), ["3 files changed, undone\nRedo"]);
    const kept = changed("undone").map((one) => ({ ...one, leavesKept: true as const }));
    await panel.post({ type: "status", status: { ...panel.status, changes: kept } });
    assert.deepEqual(await line.allInnerTexts(), ["3 files changed, undone except what you kept\nRedo"]);
    await line.getByRole("button", { name: "Redo" }).press("Enter");
    assert.deepEqual(await panel.intent("changes-redo"), { type: "changes-redo", answer: "a2" });
    await panel.post({ type: "status", status: panel.status });
    assert.equal(await line.count(), 0);
  });

  it("A5: Rewind to Here names its message, and leaves the question to the host", async () => {
    const panel = await open();
    await panel.events(...answered);
    await button("Rewind to Here").press("Enter");
    assert.deepEqual(await panel.intent("chat-rewind"), { type: "chat-rewind", entry: "p1" });
    assert.deepEqual(await panel.page.locator(".message").count(), 1);
  });

  it("A5: after a rewind the notice says how many files it restored, and what its undo did", async () => {
    const panel = await open();
    const notices = panel.page.locator(".notices");
    const rewind = async (files: number): Promise<void> => {
      await panel.show(answered, {});
      await panel.events({ type: "entries-replaced", from: "p1", rewound: { operation: "o", files } });
    };
    await rewind(2);
    assert.match(await notices.innerText(), /Rewound\. 2 files restored\./);
    await button("Undo").click();
    await panel.intent("branch-switch");
    await panel.events({ type: "branch-switched" });
    assert.match(await notices.innerText(), /The rewind was undone\./);
    await rewind(0);
    assert.match(await notices.innerText(), /Rewound\.\s*Undo/);
  });

  it("A5: looks right in every theme, and where the panel is narrow", async () => {
    const panel = await open();
    await panel.show(answered, { changes: changed("made") });
    for (const theme of themesOfRun(1)) {
      await panel.setTheme(theme);
      for (const width of [240, 420]) {
        await panel.setSize({ width, height: 520 });
        assert.ok(await panel.page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
        await takePicture(panel.page, `changes-${theme}-${width}`);
      }
    }
  });
});
