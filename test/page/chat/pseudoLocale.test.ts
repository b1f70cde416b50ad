/** The pages in a language that marks its words and makes them longer: nothing stays in English, and nothing is wider than its place. */
import assert from "node:assert/strict";
import { config } from "@vscode/l10n";
import type { Page } from "playwright-core";
import { pseudoWords, withoutWords } from "../../support/pseudoWords";
import { panelScenes } from "./panelScenes";
import { takePicture } from "../support/pictures";
import { PanelPage } from "../support/panelPage";
import { convertScene, TabPage } from "../support/tabPage";

const words = pseudoWords();
const size = { width: 240, height: 720 };

/** In the page: each text but code that is shown or read aloud, and what sticks out of its place. */
const lookAtPage = `(() => {
  const texts = [];
  const wide = [];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  for (const element of document.body.querySelectorAll("*")) {
    if (element.localName === "script" || !isShown(element)) continue;
    for (const name of ["aria-label", "aria-description", "aria-roledescription", "title", "placeholder", "alt"]) {
      const text = element.getAttribute(name);
      if (text) texts.push(text);
    }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || element.closest("script, pre, code") !== null || !isShown(element)) continue;
    // The name in the line of a call, and the command in that of a question, are a part of its sentence.
    texts.push(element.closest(".tool-title, .approval-what")?.textContent ?? node.data);
    const range = document.createRange();
    range.selectNodeContents(node);
    const right = Math.max(...[...range.getClientRects()].map((box) => box.right), 0);
    for (let place = element; place; place = place.parentElement) {
      const { overflowX, textOverflow, position } = getComputedStyle(place);
      if (overflowX === "auto" || overflowX === "scroll" || textOverflow === "ellipsis") break;
      if (position === "absolute" && place.clientWidth <= 1) break;
      if (overflowX !== "visible" || place === document.body) {
        const end = place === document.body ? innerWidth : place.getBoundingClientRect().right;
        if (right > end + 1) wide.push([node.data, Math.round(right - end), place.className || place.localName]);
        break;
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) wide.push(["the page", document.documentElement.scrollWidth]);
  return { texts, wide };
})()`;

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

/** What the tasks of `tabScenes.ts` are made of. */
const tabData = new RegExp(
  `^(?:${[
    ...[
      "vendor/[\\w-]+",
      "claude-opus-5|gpt-6|model-x",
      "(?:hold|task|req)-\\w+",
      "image/png, \\d+ KB",
      "gateway\\.example",
    ],
    ...[
      "A lighthouse at dusk[^]*",
      "a lighthouse (?:at (?:noon|dusk)|in the fog|in the fog × 4)",
      "A poster .*",
      "(?:Very long prompt\\. ?)+[^]*",
      "[, ]*Poster [^]*",
      "[, ]*(?:\\d+, )?… lighthouse, variant \\d+[, ]*",
      "size: \\d+x\\d+",
      "people, text, watermarks",
      "(?:(?:assets|src|docs)/|index\\.html|README\\.md|pier)[^ ]*",
      "WebP|JPEG|PNG",
    ],
    ...["size", "duration", "seed", "negative_prompt", "image_url"],
    ...["vendor/a-\\d \\(PNG, \\)", "assets/poster-[\\w-]+"],
    ...["Task created, hold opened", "Waiting for a worker", "Rendering frames", "Result stored", "Frame \\d+ of \\d+"],
  ].join("|")})$`,
);
/** As `Intl` writes them in the browser's language. */
const times = new RegExp(
  [
    ...["\\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \\d+\\b", "\\b\\d+:\\d+(?::\\d+)? [AP]M\\b"],
    ...["^now$", "\\b\\d+ ?(?:m|min|minutes?) ago"],
  ].join("|"),
  "g",
);

describe("pages in the pseudo-locale", () => {
  before(() => {
    config({ contents: words });
  });
  after(() => {
    config({ contents: {} });
  });

  /** What is English or too wide. `isData`: whether the page got the text from elsewhere. */
  async function look(page: Page, name: string, isData: (text: string) => boolean): Promise<unknown[]> {
    await takePicture(page, `${name}-pseudo-240`);
    const { texts, wide } = await page.evaluate<{ texts: string[]; wide: unknown[] }>(lookAtPage);
    assert.ok(
      texts.some((text) => text.includes("⟦")),
      `${name} shows no text of the interface`,
    );
    const left = texts.flatMap((text) => withoutWords(text).replaceAll(times, "").split("·"));
    const raw = left.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text) && !isData(text));
    return [...new Set(raw), ...wide].map((found) => [name, found]);
  }

  it("P6: the chat page at 240 px: every text is translated, and none is cut off", async () => {
    const panel = await PanelPage.open({ words, size });
    try {
      const found: unknown[] = [];
      for (const [name, scene] of Object.entries(panelScenes)) {
        await panel.page.reload();
        await panel.show(scene.events, scene.status);
        for (const message of scene.posted ?? []) await panel.post(message);
        if (scene.opened) await panel.openAll();
        await scene.act?.(panel);
        const data = [...attached, ...dataIn([scene, panel.status])].map((text) => text.replaceAll(times, ""));
        const isData = (text: string): boolean => data.some((known) => known.includes(text.replace(/:\d+-\d+$/, "")));
        found.push(...(await look(panel.page, name, isData)));
      }
      assert.deepEqual(found, []);
    } finally {
      await panel.close();
    }
  });

  it("P6: the pages in tabs at 240 px: every text is translated, also the host's", async () => {
    // Their words are the host's, made when this is loaded.
    const { batchScenes, moneyScene, moneyTasks, taskScenes, usageScene, usageTasks } = await import("../tasks/tabScenes");
    const { galleryScene, galleryTasks } = await import("../tasks/galleryScenes");
    const { assetsScene, someAssets } = await import("../../support/projectAssets");
    const { mediaFormScenes } = await import("../tasks/mediaFormScenes");
    const scenes = {
      assets: {
        none: assetsScene([]),
        some: assetsScene(someAssets, { isIncomplete: true }),
        "no-picture": convertScene("", { picture: { state: "none" } }),
        converted: convertScene("moving.gif", { saved: { files: "assets/pier.webp", at: 1 } }),
      },
      gallery: { none: galleryScene([]), some: galleryScene(galleryTasks(16)) },
      mediaForm: mediaFormScenes,
      task: taskScenes,
      batch: { "none-left": batchScenes["none-left"], twelve: batchScenes["twelve"] },
      money: {
        empty: await moneyScene([], "reserved"),
        check: await moneyScene(Object.values(moneyTasks), "toCheck"),
        named: await moneyScene(Object.values(moneyTasks), "notNamed"),
      },
      usage: { empty: await usageScene([], 7), list: await usageScene(usageTasks(30), 30, -1) },
    };
    const found: unknown[] = [];
    for (const bundle of ["task", "batch", "money", "usage", "gallery", "assets", "mediaForm"] as const) {
      const tab = await TabPage.open(bundle, { words, size });
      try {
        for (const [name, snapshot] of Object.entries(scenes[bundle])) {
          await tab.page.reload();
          await tab.show(snapshot);
          found.push(...(await look(tab.page, `${bundle}-${name}`, (text) => tabData.test(text))));
        }
      } finally {
        await tab.close();
      }
    }
    assert.deepEqual(found, []);
  });
});
