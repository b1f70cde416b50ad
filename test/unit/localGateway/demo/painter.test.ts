/** L2: pictures that are really there. */
import assert from "node:assert/strict";
import { crc32, inflateSync } from "node:zlib";
import { paintPicture, type Pixels, type Subject } from "../../../../src/localGateway/demo/painter";
import { encodePng } from "../../../../src/localGateway/demo/png";

const paint = (prompt: string, seed = 7, type: Subject["type"] = "async_image"): Promise<Pixels> =>
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
});
