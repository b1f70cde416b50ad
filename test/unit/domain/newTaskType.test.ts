/** A task type is a line in each table. Two that do not exist are added to the tables' text here, and everything else is compiled and bundled as it is. */
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
      `audio: { icon: "unmute", formats: [{ mimeType: "audio/mpeg", ending: ".mp3", signatures: [[[0, "ID3"]]] }],
         otherEndings: [".wav"], mimeClass: "audio", preview: "player", element: "audio" },
       scene: { icon: "package", formats: [{ mimeType: "model/gltf-binary", ending: ".glb", signatures: [[[0, "glTF"]]] }],
         otherEndings: [], mimeClass: "model", preview: "name" },`,
    ],
    [
      "const taskTypeTable",
      `audio: { media: "audio", wire: { word: "audio", number: 4 }, hasVendorWord: false, options: { sizes: [], durations: [30], references: false } },
       "3d": { media: "scene", wire: { word: "three_d", number: 5 }, hasVendorWord: false, options: { sizes: [], durations: [], references: true } },`,
    ],
  ],
  "src/domain/words/taskTypeWords.ts": [
    [
      "const words",
      `audio: { name: () => t("sound"), about: () => t("A sound"), submission: (model) => t("Submit a task: a sound by {0}", model) },
       "3d": { name: () => t("3D scene"), about: () => t("A scene"), submission: (model) => t("Submit a task: a 3D scene by {0}", model) },`,
    ],
    ["const notShown", `audio: () => t("VS Code can't play this sound."), scene: () => t("No scene."),`],
    [
      "const submitted",
      `audio: (count) => plural(count, { one: "Submit 1 sound", other: "Submit {0} sounds" }),
       scene: (count) => plural(count, { one: "Submit 1 scene", other: "Submit {0} scenes" }),`,
    ],
    ["const improved", `audio: () => t("Rewrite it for sounds."), scene: () => t("Rewrite it for scenes."),`],
  ],
  "src/localGateway/demo/taskKinds.ts": [
    [
      "export const taskKinds",
      `audio: { number: 4, estimate: 100, seconds: [5, 10], result: { field: "audio_url", format: "mp3" } },
       three_d: { number: 5, estimate: 900, seconds: [5, 10], result: { field: "scene_url", format: "glb" } },`,
    ],
  ],
  "src/localGateway/tasks/resultFiles.ts": [
    [
      "const resultFormats",
      `mp3: { name: "sound.mp3", type: "audio/mpeg", draw: () => Promise.resolve(Buffer.from("ID3")) },
       glb: { name: "scene.glb", type: "model/gltf-binary", draw: () => Promise.resolve(Buffer.from("glTF")) },`,
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
    const sound = probe.formOf("audio" as never);
    assert.deepEqual([sound.hasSize, sound.hasDuration, sound.problems], [false, true, {}]);
    assert.deepEqual(sound.options, { duration: 30, seed: 7 });
    assert.equal(sound.button, "Submit 2 sounds");
    const scene = probe.formOf("3d" as never);
    assert.deepEqual([scene.hasSize, scene.hasDuration, scene.button], [false, false, "Submit 2 scenes"]);
    const video = probe.formOf("video");
    assert.deepEqual(video.options, { size: "1280x720", duration: 30, seed: 7 });
  });

  it("V5, T8: of a result with files of several kinds, the file is that which the type makes", () => {
    const assets = { kind: "assets", imageUrl: "https://x/cover.png", audioUrl: "https://x/sound.mp3" } as never;
    assert.equal(probe.resultUrlOf(assets, "audio"), "https://x/sound.mp3");
    assert.equal(probe.resultUrlOf(assets, "async-image"), "https://x/cover.png");
    assert.equal(probe.resultUrlOf(assets, "video"), "https://x/cover.png");
  });

  it("V5, T6, T7: a line in each table is all that sound needs: tree, page, batch, card, lens, approval and markup", () => {
    const { row, group, page, batch, variant, variantHtml, smallHtml, card, lens, question, dragged, inserted } =
      probe.probe("audio", "/w/pier.mp3");
    assert.equal(row.icon.id, "unmute");
    assert.match(row.spoken, /^Sound, /);
    assert.equal(group, "Sound");
    assert.equal(page?.facts[0]?.value, "sound");
    const file = { kind: "audio", url: "page:/w/pier.mp3" };
    assert.deepEqual(page.result, { state: "here", file });
    assert.match(batch, /^sound · /);
    assert.deepEqual([variant.kind, variant.file], ["audio", "pier.mp3"]);
    assert.match(variantHtml, /<audio\s[^]*controls/);
    assert.doesNotMatch(variantHtml + smallHtml, /<video/);
    assert.match(smallHtml, /cell-tile/);
    assert.equal(card.facts[0], "sound");
    assert.deepEqual(card.file, file);
    assert.equal(lens.action, "open-result");
    assert.equal(question, "Submit a task: a sound by m");
    assert.equal(dragged, '<audio controls src="pier.mp3" title="A pier"></audio>');
    assert.equal(inserted, '<audio controls src="/w/pier.mp3" title="A pier"></audio>');
  });

  it("V5, T8: the destination of a sound is its path without the ending, so that reference and file have the same name", async () => {
    for (const typed of ["music/pier.mp3", "music/pier.WAV", "music/pier"])
      assert.equal(await probe.destinationOf("audio", typed), "music/pier", typed);
    assert.deepEqual(probe.corrected("music/pier.wav", "music/pier-2.mp3"), [
      { start: 1, end: 15, text: "music/pier-2.mp3" },
    ]);
    assert.deepEqual(probe.corrected("music/pier.mp3", "music/pier.mp3"), []);
  });

  it("V5, T6, T7: a scene that no page can show is named, and documents link to it", () => {
    const { row, group, page, variant, card, question, dragged } = probe.probe("3d", "/w/pier.glb");
    assert.equal(row.icon.id, "package");
    assert.equal(group, "3D scene");
    const file = { kind: "other", name: "pier.glb" };
    assert.deepEqual(page?.result, { state: "here", file });
    assert.deepEqual([variant.kind, variant.file], ["other", "pier.glb"]);
    assert.deepEqual(card.file, file);
    assert.equal(question, "Submit a task: a 3D scene by m");
    assert.equal(dragged, "[A pier](pier.glb)");
  });

  it("V5, T8, L2: requests, responses, results, prompt files and the local gateway have the new types too", async () => {
    assert.deepEqual(probe.overTheWire("audio" as never), { word: "audio", type: "audio", url: "https://x/sound.mp3" });
    assert.deepEqual(probe.overTheWire("3d" as never), { word: "three_d", type: "3d", url: "https://x/scene.glb" });
    assert.equal((await probe.localFile("audio" as never, "sound.mp3")).bytes.toString(), "ID3");
    await assert.rejects(probe.localFile("audio" as never, "video.mp4"), /There is no video\.mp4/);
    assert.deepEqual(probe.sniff("ID3\x04", "text/plain"), { mimeType: "audio/mpeg", ending: ".mp3", kind: "audio" });
    assert.deepEqual(probe.sniff("\x00\x01", "audio/x"), { mimeType: "audio/x", ending: ".bin", kind: "audio" });
    assert.equal(probe.sniff("\x00\x01", "application/x")?.kind, undefined);
    assert.equal(probe.answerEnding("ID3\x04"), ".mp3");
    assert.equal(probe.directiveType("3d"), "3d");
    assert.match(probe.typeProblem(), /video, stylized-image, async-image, audio, 3d/);
    assert.deepEqual(probe.groupsOf("hologram", "audio", "video"), ["video", "audio", "hologram"]);
  });

  it("V5, T6, T7: a type that is in no table is named as it is, never shown as a video or image", () => {
    const { row, group, page, batch, card, question, dragged } = probe.probe("hologram", "/w/pier.bin");
    assert.equal(row.icon.id, "file");
    assert.match(row.spoken, /^“hologram”/);
    assert.equal(group, "“hologram”");
    assert.equal(page?.facts[0]?.value, "“hologram”");
    assert.match(batch, /^“hologram” · /);
    assert.equal(card.facts[0], "“hologram”");
    assert.equal(question, "Submit a task of type “hologram” by m");
    assert.equal(dragged, "[A pier](pier.bin)");
  });
});
