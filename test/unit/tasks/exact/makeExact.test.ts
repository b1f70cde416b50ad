/** Exact files of a result: each in the format of its ending and in its size, the very bytes where nothing has to change. */
import assert from "node:assert/strict";
import sharp from "sharp";
import { sizeToAskFor } from "../../../../src/domain/task/exactFiles";
import { emptyMediaFields, exactOf } from "../../../../src/domain/task/mediaFields";
import { type Codecs, makeExact } from "../../../../src/tasks/exact/makeExact";
import { coverPixels, maskablePixels, type Pixels } from "../../../../src/tasks/exact/pixels";
import { pngOf, withDeclaredSize } from "../../../support/testImages";

/** Another implementation of them than that of the product, which needs its own bundle. */
const codecs: Codecs = {
  async decode(bytes) {
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
  },
  async encode({ data, width, height }, type) {
    const format = type.replace("image/", "") as "png" | "jpeg" | "webp";
    return sharp(data, { raw: { width, height, channels: 4 } })
      .toFormat(format)
      .toBuffer();
  },
};

const plain = (width: number, height: number, colour: readonly [number, number, number, number]): Pixels => {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set(colour, at);
  return { width, height, data };
};

describe("exact files of a result", () => {
  it("T20: each has its format and size; what needs no change keeps its bytes", async () => {
    const png = await pngOf(600, 400);
    const targets = [
      { file: "a.png" },
      { file: "a.webp" },
      { file: "a.jpg", width: 300, height: 300 },
      { file: "a.jpeg", width: 300 },
      { file: "a.ico", width: 48 },
      { file: "a.icns", width: 256 },
      { file: "a.png", width: 600, height: 400 },
      { file: "m.png", width: 100, height: 100, isMaskable: true },
      { file: "a.avif" },
      { file: "a.mp4" },
    ] as const;
    const made = await makeExact(png, targets, codecs);
    assert.ok(made[0] === png && made[6] === png);
    assert.deepEqual([made[8], made[9]], [undefined, undefined]);
    for (const [index, expected] of [
      [1, ["webp", 600, 400]],
      [2, ["jpeg", 300, 300]],
      [3, ["jpeg", 300, 200]],
      [7, ["png", 100, 100]],
    ] as const) {
      const { format, width, height } = await sharp(made[index]).metadata();
      assert.deepEqual([format, width, height], expected);
    }
    const ico = Buffer.from(made[4] ?? []);
    assert.deepEqual([ico.readUInt16LE(2), ico.readUInt16LE(4), ico.readUInt8(6 + 32)], [1, 3, 48]);
    const last = ico.subarray(ico.readUInt32LE(6 + 32 + 12));
    assert.equal((await sharp(last).metadata()).width, 48);
    const icns = Buffer.from(made[5] ?? []);
    assert.equal(icns.toString("latin1", 0, 4), "icns");
    assert.equal(icns.readUInt32BE(4), icns.length);
    assert.equal(icns.toString("latin1", 8, 12), "ic07");
  });

  it("T20: what is transparent is white in a JPEG, whose codec ignores the transparency, and stays in other formats", async () => {
    const encoded: (readonly number[])[] = [];
    const plainCodecs: Codecs = {
      decode: () => Promise.resolve(plain(4, 4, [200, 0, 0, 51])),
      encode: ({ data }) => {
        encoded.push([...data.subarray(0, 4)]);
        return Promise.resolve(new Uint8Array());
      },
    };
    const side = { width: 2, height: 2 };
    await makeExact(
      await pngOf(4, 4),
      [{ file: "a.jpg" }, { file: "a.jpg", ...side }, { file: "a.webp", ...side }],
      plainCodecs,
    );
    const onWhite = [244, 204, 204, 255];
    assert.deepEqual(encoded, [onWhite, onWhite, [200, 0, 0, 51]]);
  });

  it("T20: the same result gives the same bytes, so that a second time changes nothing", async () => {
    const targets = [{ file: "a.webp", width: 50, height: 70 }];
    const png = await pngOf(64, 64);
    const [[one], [other]] = await Promise.all([makeExact(png, targets, codecs), makeExact(png, targets, codecs)]);
    assert.ok(one && other && Buffer.compare(one, other) === 0);
  });

  it("T20, H1: a picture that declares too many pixels, and another kind of file, are not decoded", async () => {
    const never: Codecs = { ...codecs, decode: () => assert.fail("it is decoded") };
    const bomb = withDeclaredSize(await pngOf(2, 2), 60_000, 60_000);
    assert.deepEqual(await makeExact(bomb, [{ file: "a.webp" }], never), [undefined]);
    const text = new TextEncoder().encode("<svg/>");
    assert.deepEqual(await makeExact(text, [{ file: "a.png" }], never), [undefined]);
  });

  it("T20: colours stay when a picture is scaled, nothing invisible colours an edge, and a maskable icon has a margin", () => {
    const small = coverPixels(plain(100, 50, [200, 100, 50, 255]), 13, 13);
    for (let at = 0; at < small.data.length; at += 4)
      assert.deepEqual([...small.data.subarray(at, at + 4)], [200, 100, 50, 255]);
    const half = plain(2, 2, [255, 0, 0, 255]);
    half.data.set([0, 255, 0, 0], 0);
    const [red = 0, green = 1] = coverPixels(half, 1, 1).data;
    assert.ok(red === 255 && green === 0, "the green is invisible");
    const large = coverPixels(plain(3, 3, [1, 2, 3, 255]), 30, 20);
    assert.deepEqual([large.width, large.height, ...large.data.subarray(0, 4)], [30, 20, 1, 2, 3, 255]);
    const icon = maskablePixels(plain(40, 40, [9, 9, 9, 0]), 20, 20);
    assert.deepEqual([...icon.data.subarray(0, 4)], [255, 255, 255, 255]);
  });

  it("T20: the size that is asked for is the listed one of the nearest shape that is large enough", () => {
    const sizes = ["1024x1024", "1536x1024", "1024x1536", "512x512"];
    assert.equal(sizeToAskFor({ width: 180, height: 180 }, sizes), "512x512");
    assert.equal(sizeToAskFor({ width: 600, height: 600 }, sizes), "1024x1024");
    assert.equal(sizeToAskFor({ width: 4000, height: 4000 }, sizes), "1024x1024");
    assert.equal(sizeToAskFor({ width: 1200, height: 630 }, sizes), "1536x1024");
    assert.equal(sizeToAskFor({ width: 600 }, sizes), undefined);
    assert.equal(sizeToAskFor({ width: 600, height: 600 }, ["auto"]), undefined);
  });

  it("T20, R4: they count for one result at their own path, and none may lead out of the folder", () => {
    const exact = { root: "file:///w", files: [{ file: "img/a.png" }, { file: "b.png" }] };
    const fields = { ...emptyMediaFields("async-image"), isPlaced: true, destination: "img/a.png", exact };
    assert.equal(exactOf(fields), exact);
    assert.equal(exactOf({ ...fields, destination: "img/other" }), undefined);
    assert.equal(exactOf({ ...fields, count: 2 }), undefined);
    assert.equal(exactOf({ ...fields, isPlaced: false }), undefined);
    for (const file of ["../b.png", "/b.png", "a/../../b.png", ".git/b.png", "con.png"])
      assert.equal(exactOf({ ...fields, exact: { ...exact, files: [{ file: "img/a.png" }, { file }] } }), undefined);
  });
});
