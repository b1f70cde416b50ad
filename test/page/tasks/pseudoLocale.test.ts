/** The pages in editor tabs in the pseudo-locale. */
import assert from "node:assert/strict";
import { lookAtWords, pseudoLocale, usePseudoLocale } from "../support/pseudoLocale";
import { convertScene, TabPage } from "../support/tabPage";

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

describe("pages in tabs in the pseudo-locale", () => {
  usePseudoLocale();

  it("P6: the pages in tabs at 240 px: every text is translated, also the host's", async () => {
    // Their words are the host's, made when this is loaded.
    const { batchScenes, moneyFindings, moneyScene, moneyTasks, taskScenes, usageScene, usageTasks } =
      await import("./tabScenes");
    const { galleryScene, galleryTasks } = await import("./galleryScenes");
    const { assetsScene, someAssets } = await import("../../support/projectAssets");
    const { mediaFormScenes } = await import("./mediaFormScenes");
    const scenes = {
      assets: {
        none: assetsScene([]),
        some: assetsScene(someAssets, { isIncomplete: true }),
        "no-picture": convertScene("", { picture: { state: "none" } }),
        converted: convertScene("moving.gif", { saved: { files: "assets/pier.webp", at: 1 } }),
      },
      gallery: { none: galleryScene([]), some: galleryScene(galleryTasks(16)) },
      mediaForm: mediaFormScenes(),
      task: taskScenes(),
      batch: { "none-left": batchScenes()["none-left"], twelve: batchScenes()["twelve"] },
      money: {
        empty: await moneyScene([], "reserved"),
        check: await moneyScene(Object.values(moneyTasks), "toCheck"),
        named: await moneyScene(Object.values(moneyTasks), "notNamed"),
        findings: { ...(await moneyScene([], "reserved")), findings: moneyFindings() },
      },
      usage: { empty: await usageScene([], 7), list: await usageScene(usageTasks(30), 30, -1) },
    };
    const found: unknown[] = [];
    for (const bundle of ["task", "batch", "money", "usage", "gallery", "assets", "mediaForm"] as const) {
      const tab = await TabPage.open(bundle, pseudoLocale);
      for (const [name, snapshot] of Object.entries(scenes[bundle])) {
        await tab.showScene({ name, snapshot });
        found.push(...(await lookAtWords(tab.page, `${bundle}-${name}`, (text) => tabData.test(text))));
      }
      await tab.close();
    }
    assert.deepEqual(found, []);
  });
});
