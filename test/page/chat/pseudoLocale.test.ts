/** The chat page in the pseudo-locale. */
import assert from "node:assert/strict";
import { PanelPage } from "../support/panelPage";
import { lookAtWords, pseudoLocale, times, usePseudoLocale } from "../support/pseudoLocale";
import { panelScenes } from "./panelScenes";

/** Fields of a chat and of its state that hold what people, models, tools and files say. */
const dataFields = new Set([
  ...["text", "path", "folder", "name", "result", "note", "title", "reason", "message", "label", "lines", "command"],
  ...["gateway", "model", "modelFacts", "suggestions"],
  // The host's words about a task, which the scene makes up.
  ...["prompt", "facts", "money", "problem", "spoken"],
]);

/** What `attachingScenes.ts` attaches, finds and types. */
const attached = [
  ...["Pasted image", "Selection", "Problems", "What does this diagram say?", "Compare #a"],
  ...[
    "src/app.ts",
    "src/a/folder/with/a/long/name/app.ts",
    "src/a/long/path/app.ts",
    "src/api/",
    "a.png",
    "docs",
    "338 kB",
  ],
  ...[
    "aclass",
    "amethod",
    "avariable",
    "/explain",
    "/fix",
    "/tests",
    "/doc",
    "/new",
    "/model",
    "/history",
    "/export",
    "/find",
    "/summarize",
    "/rewind",
    "/clear",
    "/compact",
    "/resume",
  ],
];

/** The strings in those fields. */
function dataIn(value: unknown, isData = false): string[] {
  if (typeof value === "string") return isData ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, part]) => dataIn(part, isData || dataFields.has(field)));
}

describe("chat panel in the pseudo-locale", () => {
  usePseudoLocale();

  it("P6: the chat page at 240 px: every text is translated, and none is cut off", async () => {
    const panel = await PanelPage.open(pseudoLocale);
    const found: unknown[] = [];
    for (const [name, scene] of Object.entries(panelScenes)) {
      await panel.showScene(scene);
      const data = [...attached, ...dataIn([scene, panel.status])].map((text) => text.replaceAll(times, ""));
      const isData = (text: string): boolean => data.some((known) => known.includes(text.replace(/:\d+-\d+$/, "")));
      found.push(...(await lookAtWords(panel.page, name, isData)));
    }
    assert.deepEqual(found, []);
  });
});
