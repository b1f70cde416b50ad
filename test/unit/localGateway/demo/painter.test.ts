/** L2: pictures that are really there. */
import assert from "node:assert/strict";
import { crc32, inflateSync } from "node:zlib";
import type { DrawnPixels } from "../../../../src/localGateway/demo/drawing/rasterize";
import { type SubjectName, subjectNames, subjectOf } from "../../../../src/localGateway/demo/drawing/subjects";
import { chineseWords } from "../../../../src/localGateway/demo/model/chineseWords";
import { englishWords } from "../../../../src/localGateway/demo/model/englishWords";
import { paintPicture, type Subject, encodePng } from "../../../../src/localGateway/demo/painter";

const paint = (prompt: string, seed = 7, type: Subject["type"] = "async_image"): Promise<DrawnPixels> =>
  paintPicture({ type, prompt, seed }, { width: 96, height: 64 });

function readChunks(png: Buffer): Map<string, Buffer> {
  assert.equal(png.subarray(0, 8).toString("hex"), "89504e470d0a1a0a");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body));
    chunks.set(body.toString("latin1", 0, 4), body.subarray(4));
    at += length + 12;
  }
  return chunks;
}

describe("local gateway: pictures", () => {
  it("L2: a picture is a valid PNG that gives back its pixels", async () => {
    const pixels = await paint("a lighthouse at dusk");
    const chunks = readChunks(await encodePng(pixels));
    assert.deepEqual([...chunks.keys()], ["IHDR", "IDAT", "IEND"]);
    const header = chunks.get("IHDR")!;
    assert.deepEqual([header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]], [96, 64, 8, 2]);
    const rows = inflateSync(chunks.get("IDAT")!);
    assert.equal(rows.length, (96 * 3 + 1) * 64);
    const stride = 96 * 3;
    const back = new Uint8Array(stride * 64);
    for (let y = 0; y < 64; y += 1) {
      assert.equal(rows[y * (stride + 1)], 2);
      for (let x = 0; x < stride; x += 1) {
        back[y * stride + x] = rows[y * (stride + 1) + 1 + x]! + (y === 0 ? 0 : back[(y - 1) * stride + x]!);
      }
    }
    assert.deepEqual(back, pixels.rgb);
  });

  it("L2: the same type, prompt and seed give the same picture; another type, prompt or seed another one", async () => {
    const first = await paint("three paper boats");
    assert.deepEqual((await paint("three paper boats")).rgb, first.rgb);
    for (const other of [
      await paint("a fox"),
      await paint("neon street"),
      await paint("three paper boats", 8),
      await paint("three paper boats", 7, "video"),
    ]) {
      const different = other.rgb.filter((byte, index) => Math.abs(byte - first.rgb[index]!) > 16).length;
      assert.ok(different > first.rgb.length / 4, `${different} of ${first.rgb.length}`);
    }
  });

  it("L2: a picture has many colours and is neither black nor white", async () => {
    for (const prompt of ["a lighthouse", "mountains", "city at night", "silk", "planets", "no known word"]) {
      const { rgb } = await paint(prompt);
      const mean = rgb.reduce((sum, byte) => sum + byte, 0) / rgb.length;
      assert.ok(mean > 12 && mean < 243, `${prompt}: mean ${mean}`);
      assert.ok(new Set(rgb).size > 60, prompt);
    }
  });

  it("L2 (newuser H3): each subject is drawn when it is named in either language, differently from the others and with each seed", async () => {
    const drawn = new Map<SubjectName, readonly Uint8Array[]>();
    for (const name of subjectNames) {
      for (const words of [englishWords, chineseWords]) {
        const called = words.subjects[name];
        assert.equal(subjectOf(called), name, called);
        assert.equal(subjectOf(`${called}, 1930`), name, called);
      }
      const prompt = englishWords.subjects[name];
      drawn.set(name, await Promise.all([1, 2, 3].map(async (seed) => (await paint(prompt, seed)).rgb)));
    }
    const differ = (one: Uint8Array, other: Uint8Array): number =>
      one.filter((byte, at) => Math.abs(byte - (other[at] ?? 0)) > 16).length / one.length;
    for (const [name, [first, second, third]] of drawn) {
      assert.ok(first && second && third);
      // Two seeds may choose the same form, not three.
      const most = Math.max(differ(first, second), differ(first, third), differ(second, third));
      assert.ok(most > 0.1, `${name}: of two seeds ${most} differs`);
      for (const [other, [its]] of drawn) {
        if (other !== name) assert.ok(differ(first, its!) > 0.1, `${name} and ${other}`);
      }
    }
  });

  it("L2 (newuser H3): a kind of picture comes before a thing, of two things the first one; words within words are none", () => {
    for (const [prompt, subject] of [
      ["an icon of a boat", "icon"],
      ["a boat before a lighthouse", "boat"],
      ["a lighthouse behind a boat", "lighthouse"],
      ["seamless pattern with lanterns", "pattern"],
      ["A lighthouse at dusk, slow aerial shot from the sea", "lighthouse"],
      ["The pier with fireworks above it as a woodcut", "fireworks"],
      ["灯塔的图标", "icon"],
      ["a fox", undefined],
      ["a manual for iconoclasts", undefined],
    ] as const)
      assert.equal(subjectOf(prompt), subject, prompt);
  });

  it("L2 (newuser H3): a picture has every size, and its small one shows the same drawing", async () => {
    const subject = { type: "async_image", prompt: "a lighthouse at dusk", seed: 4 } as const;
    for (const [width, height] of [
      [512, 512],
      [300, 900],
      [1000, 240],
      [33, 17],
    ] as const) {
      const large = await paintPicture(subject, { width, height });
      assert.deepEqual([large.width, large.height, large.rgb.length], [width, height, width * height * 3]);
      const scale = 1 / 4;
      const small = await paintPicture(
        subject,
        { width: Math.round(width * scale), height: Math.round(height * scale) },
        { width, height, scale },
      );
      let difference = 0;
      for (let y = 0; y < small.height; y += 1) {
        for (let x = 0; x < small.width; x += 1) {
          // The middle of the four by four pixels of the large one.
          const from = (Math.min(height - 1, y * 4 + 2) * width + Math.min(width - 1, x * 4 + 2)) * 3;
          difference += Math.abs((large.rgb[from] ?? 0) - (small.rgb[(y * small.width + x) * 3] ?? 0));
        }
      }
      assert.ok(difference / (small.width * small.height) < 14, `${width} × ${height}: ${difference}`);
    }
  });
});
