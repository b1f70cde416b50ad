/** A task type is a line in each table. Two that do not exist, with names that none can get, are added to the tables' text here, and everything else is compiled and bundled as it is. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { mediaFacts, mediaKinds } from "../../../src/domain/task/taskTypes";
import { type BundledProbe, bundleProbe } from "../../support/bundledProbe";
import { assertCompiles, longerTables, type TableAdditions } from "../../support/longerTables";
import { isFullRun } from "../../support/runs";
import type * as Probe from "../../support/taskTypeProbe";

const additions: TableAdditions = {
  "src/domain/task/taskTypes.ts": [
    [
      "export const mediaKindTable",
      `zz1: { icon: "unmute", formats: [{ mimeType: "zz1/zz1", ending: ".zz1", signatures: [[[0, "ZZ1"]]] }],
         otherEndings: [".zzv"], mimeClass: "zz1", preview: "player", element: "audio" },
       zz3: { icon: "package", formats: [{ mimeType: "zz3/zz3", ending: ".zz3", signatures: [[[0, "ZZ3"]]] }],
         otherEndings: [], mimeClass: "zz3", preview: "name" },`,
    ],
    [
      "const taskTypeTable",
      `zz1: { media: "zz1", wire: { word: "zz1", number: 90 }, hasVendorWord: false, options: { sizes: [], durations: [30], references: false } },
       zz2: { media: "zz3", wire: { word: "zz_2", number: 91 }, hasVendorWord: false, options: { sizes: [], durations: [], references: true } },`,
    ],
  ],
  "src/domain/words/taskTypeWords.ts": [
    [
      "const words",
      `zz1: { name: () => t("sound"), about: () => t("A sound"), submission: (model) => t("Submit a task: a sound by {0}", model) },
       zz2: { name: () => t("3D scene"), about: () => t("A scene"), submission: (model) => t("Submit a task: a 3D scene by {0}", model) },`,
    ],
    ["const notShown", `zz1: () => t("VS Code can't play this sound."), zz3: () => t("No scene."),`],
    [
      "const submitted",
      `zz1: (count) => plural(count, { one: "Submit 1 sound", other: "Submit {0} sounds" }),
       zz3: (count) => plural(count, { one: "Submit 1 scene", other: "Submit {0} scenes" }),`,
    ],
    ["const improved", `zz1: () => t("Rewrite it for sounds."), zz3: () => t("Rewrite it for scenes."),`],
  ],
  "src/localGateway/demo/taskKinds.ts": [
    [
      "export const taskKinds",
      `zz1: { number: 90, estimate: 100, seconds: [5, 10], result: { field: "zz1_url", format: "zz1" } },
       zz_2: { number: 91, estimate: 900, seconds: [5, 10], result: { field: "zz3_url", format: "zz3" } },`,
    ],
  ],
  "src/localGateway/tasks/resultFiles.ts": [
    [
      "const resultFormats",
      `zz1: { name: "sound.zz1", type: "zz1/zz1", draw: () => Promise.resolve(Buffer.from("ZZ1")) },
       zz3: { name: "scene.zz3", type: "zz3/zz3", draw: () => Promise.resolve(Buffer.from("ZZ3")) },`,
    ],
  ],
};

describe("a task type of a later version", () => {
  let bundled: BundledProbe<typeof Probe>;
  let folder: string;
  let probe: typeof Probe;

  before(async () => {
    bundled = await bundleProbe<typeof Probe>("test/support/taskTypeProbe.ts", longerTables(additions));
    ({ module: probe, folder } = bundled);
  });
  after(() => bundled.remove());

  /** It takes long: the compiler reads the whole product again, twice. */
  const inFull = isFullRun ? it : () => undefined;

  inFull("V5: with these lines host and pages compile, so the compiler names no other place", async () => {
    await assertCompiles(additions, folder);
  });

  it("V5: the texts by which models and people find what makes media name each kind", async () => {
    const tool = z.looseObject({ name: z.string(), modelDescription: z.string() });
    const manifest = z
      .object({ keywords: z.array(z.string()), contributes: z.object({ languageModelTools: z.array(tool) }) })
      .parse(JSON.parse(await readFile("package.json", "utf8")));
    const told = manifest.contributes.languageModelTools
      .filter(({ name }) => ["sluice_submitTask", "sluice_listModels"].includes(name))
      .map(({ modelDescription }) => modelDescription);
    assert.equal(told.length, 2);
    for (const kind of mediaKinds)
      for (const text of [...told, manifest.keywords.join()])
        assert.ok(text.includes(mediaFacts(kind).synonyms?.[0] ?? kind), `${kind}: ${text}`);
  });

  it("V5, T15: the form and the quick picks ask for what the type takes", () => {
    const sound = probe.formOf("zz1" as never);
    assert.deepEqual([sound.hasSize, sound.hasDuration, sound.problems], [false, true, {}]);
    assert.deepEqual(sound.options, { duration: 30, seed: 7 });
    assert.equal(sound.button, "Submit 2 sounds");
    const scene = probe.formOf("zz2" as never);
    assert.deepEqual([scene.hasSize, scene.hasDuration, scene.button], [false, false, "Submit 2 scenes"]);
    const video = probe.formOf("video");
    assert.deepEqual(video.options, { size: "1280x720", duration: 30, seed: 7 });
  });

  it("V5, T8: of a result with files of several kinds, the file is that which the type makes", () => {
    const assets = { kind: "assets", imageUrl: "https://x/cover.png", zz1Url: "https://x/sound.zz1" } as never;
    assert.equal(probe.resultUrlOf(assets, "zz1"), "https://x/sound.zz1");
    assert.equal(probe.resultUrlOf(assets, "async-image"), "https://x/cover.png");
    assert.equal(probe.resultUrlOf(assets, "video"), "https://x/cover.png");
  });

  it("V5, T6, T7: a line in each table is all that sound needs: tree, page, batch, card, lens, approval and markup", () => {
    const { row, group, page, batch, variant, variantHtml, smallHtml, card, lens, question, dragged, inserted } =
      probe.probe("zz1", "/w/pier.zz1");
    assert.equal(row.icon.id, "unmute");
    assert.match(row.spoken, /^Sound, /);
    assert.equal(group, "Sound");
    assert.equal(page?.facts[0]?.value, "sound");
    const file = { kind: "zz1", url: "page:/w/pier.zz1" };
    assert.deepEqual(page.result, { state: "here", file });
    assert.match(batch, /^sound · /);
    assert.deepEqual([variant.kind, variant.file], ["zz1", "pier.zz1"]);
    assert.match(variantHtml, /<audio\s[^]*controls/);
    assert.doesNotMatch(variantHtml + smallHtml, /<video/);
    assert.match(smallHtml, /cell-tile/);
    assert.equal(card.facts[0], "sound");
    assert.deepEqual(card.file, file);
    assert.equal(lens.action, "open-result");
    assert.equal(question, "Submit a task: a sound by m");
    assert.equal(dragged, '<audio controls src="pier.zz1" title="A pier"></audio>');
    assert.equal(inserted, '<audio controls src="/w/pier.zz1" title="A pier"></audio>');
  });

  it("V5, T8: the destination of a sound is its path without the ending, so that reference and file have the same name", async () => {
    for (const typed of ["music/pier.zz1", "music/pier.ZZV", "music/pier"])
      assert.equal(await probe.destinationOf("zz1", typed), "music/pier", typed);
    assert.deepEqual(probe.corrected("music/pier.zzv", "music/pier-2.zz1"), [
      { start: 12, end: 26, text: "music/pier-2.zz1" },
    ]);
    assert.deepEqual(probe.corrected("music/pier.zz1", "music/pier.zz1"), []);
  });

  it("V5, T6, T7: a scene that no page can show is named, and documents link to it", () => {
    const { row, group, page, variant, card, question, dragged } = probe.probe("zz2", "/w/pier.zz3");
    assert.equal(row.icon.id, "package");
    assert.equal(group, "3D scene");
    const file = { kind: "other", name: "pier.zz3" };
    assert.deepEqual(page?.result, { state: "here", file });
    assert.deepEqual([variant.kind, variant.file], ["other", "pier.zz3"]);
    assert.deepEqual(card.file, file);
    assert.equal(question, "Submit a task: a 3D scene by m");
    assert.equal(dragged, "[A pier](pier.zz3)");
  });

  it("V5, T8, L2: requests, responses, results, prompt files and the local gateway have the new types too", async () => {
    assert.deepEqual(probe.overTheWire("zz1" as never), { word: "zz1", type: "zz1", url: "https://x/sound.zz1" });
    assert.deepEqual(probe.overTheWire("zz2" as never), { word: "zz_2", type: "zz2", url: "https://x/scene.zz3" });
    assert.equal((await probe.localFile("zz1" as never, "sound.zz1")).bytes.toString(), "ZZ1");
    await assert.rejects(probe.localFile("zz1" as never, "video.mp4"), /There is no video\.mp4/);
    assert.deepEqual(probe.sniff("ZZ1\x04", "text/plain"), { mimeType: "zz1/zz1", ending: ".zz1", kind: "zz1" });
    assert.deepEqual(probe.sniff("\x00\x01", "zz1/x"), { mimeType: "zz1/x", ending: ".bin", kind: "zz1" });
    assert.equal(probe.sniff("\x00\x01", "application/x")?.kind, undefined);
    assert.equal(probe.answerEnding("ZZ1\x04"), ".zz1");
    assert.equal(probe.directiveType("zz2"), "zz2");
    assert.match(probe.typeProblem(), /video, stylized-image, async-image, zz1, zz2/);
    assert.deepEqual(probe.groupsOf("zz9", "zz1", "video"), ["video", "zz1", "zz9"]);
  });

  it("V5, T6, T7: a type that is in no table is named as it is, never shown as a video or image", () => {
    const { row, group, page, batch, card, question, dragged } = probe.probe("zz9", "/w/pier.bin");
    assert.equal(row.icon.id, "file");
    assert.match(row.spoken, /^“zz9”/);
    assert.equal(group, "“zz9”");
    assert.equal(page?.facts[0]?.value, "“zz9”");
    assert.match(batch, /^“zz9” · /);
    assert.equal(card.facts[0], "“zz9”");
    assert.equal(question, "Submit a task of type “zz9” by m");
    assert.equal(dragged, "[A pier](pier.bin)");
  });
});
