/** States of the page of assets. */
import type { AssetUse } from "../../src/domain/task/assetGroups";
import type { AssetsPageSnapshot } from "../../src/tasks/contract/assetsPageContract";
import { type FoundAsset, foundAssets } from "../../src/tasks/host/pages/foundAssets";
import { accepted, makeTask } from "./builders";

const at = new Date(2026, 10, 12, 14, 5, 0).getTime();

const useOf = (place: string): AssetUse => {
  const [document = "", line = "1", width] = place.split(":");
  return { document, line: Number(line), ...(width === undefined ? {} : { width: Number(width) }) };
};

/** `uses`: `document:line`, followed by the width at which it is shown. */
export function assetOf(file: string, now: FoundAsset["now"], uses: readonly string[], index = 0): FoundAsset {
  const isVideo = file.endsWith(".mp4");
  const task = makeTask({
    intent: {
      id: `77777777-7777-4777-8777-${String(index).padStart(12, "0")}`,
      type: isVideo ? "video" : "async-image",
      prompt: `Poster of a pier, number ${index + 1}`,
      createdAt: at,
    },
    submission: accepted(
      { state: "succeeded", rawStatus: "4", completedAt: at },
      {
        placement: { state: "placed", file, at },
        saved: {
          path: isVideo ? "/results/clip.mp4" : "/results/made.png",
          mimeType: isVideo ? "video/mp4" : "image/png",
          size: 9,
          at,
        },
      },
    ),
  });
  const picture = isVideo ? undefined : `/results/picture-${index}.svg`;
  return { file, task, now, uses: uses.map(useOf), picture };
}

const picture = (width: number, height: number, size: number): FoundAsset["now"] => ({
  isThere: true,
  width,
  height,
  size,
});

export const someAssets: readonly FoundAsset[] = [
  assetOf("assets/hero.png", picture(1024, 683, 812_000), ["index.html:12:320", "src/styles/main.css:40:300"], 0),
  assetOf("assets/pier.webp", picture(640, 427, 34_000), ["docs/pier.md:3"], 1),
  assetOf("assets/intro.mp4", { isThere: true, size: 9_000_000 }, ["src/App.vue:88"], 2),
  assetOf("assets/gone.png", { isThere: false }, ["README.md:5"], 3),
  assetOf(
    "assets/a-folder-with-a-very-long-name-that-has-to-break/an-asset-with-a-long-name-of-its-own.jpg",
    picture(2048, 2048, 410_000),
    [],
    4,
  ),
  assetOf(
    "assets/everywhere.png",
    picture(64, 64, 900),
    Array.from({ length: 30 }, (_, index) => `src/pages/page-${index}.html:${index + 1}`),
    5,
  ),
];

export function assetsScene(
  assets: readonly FoundAsset[],
  change: Partial<AssetsPageSnapshot> & { readonly isIncomplete?: boolean } = {},
): AssetsPageSnapshot {
  const { isIncomplete = false, ...others } = change;
  const found = foundAssets(assets, {
    ...{ lookedAt: at, locale: "en", documents: 1234, isIncomplete },
    nameOf: (file) => file,
    urlOf: (path) => path,
  });
  return { subject: "assets", found, ...others };
}
