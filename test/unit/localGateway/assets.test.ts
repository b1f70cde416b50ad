/** L2: pictures and videos that are really there. */
import assert from "node:assert/strict";
import { crc32, inflateSync } from "node:zlib";
import { encodeFrame, parameterSets } from "../../../src/localGateway/demo/h264";
import { AssetLinks } from "../../../src/localGateway/tasks/assetLinks";
import { paintPicture, type Pixels } from "../../../src/localGateway/demo/paint";
import { encodePng } from "../../../src/localGateway/demo/png";
import { drawVideo } from "../../../src/localGateway/demo/video";
import { HttpError } from "../../../src/localGateway/http/errors";
import { createMovedClock } from "../../support/movedClock";

const paint = (prompt: string, seed = 7): Promise<Pixels> =>
  paintPicture({ prompt, seed, stylized: false }, { width: 96, height: 64 });

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

describe("local gateway: assets", () => {
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

  it("L2: the same prompt and seed give the same picture; another prompt or seed another one", async () => {
    const first = await paint("three paper boats");
    assert.deepEqual((await paint("three paper boats")).rgb, first.rgb);
    for (const other of [await paint("a fox"), await paint("neon street"), await paint("three paper boats", 8)]) {
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

  it("L2: a video is an MP4 whose index points at its frames", async () => {
    const mp4 = await drawVideo({ prompt: "a lighthouse at dusk", seed: 7, stylized: false });
    const boxes: string[] = [];
    for (let at = 0; at < mp4.length; at += mp4.readUInt32BE(at)) boxes.push(mp4.toString("latin1", at + 4, at + 8));
    assert.deepEqual(boxes, ["ftyp", "moov", "mdat"]);
    const sizes = mp4.indexOf("stsz") + 4;
    const count = mp4.readUInt32BE(sizes + 8);
    assert.equal(count, 36);
    let offset = mp4.readUInt32BE(mp4.indexOf("stco") + 12);
    assert.equal(offset, mp4.indexOf("mdat") + 4);
    for (let frame = 0; frame < count; frame += 1) {
      const size = mp4.readUInt32BE(sizes + 12 + frame * 4);
      assert.equal(mp4.readUInt32BE(offset), size - 4, "each sample is one unit with its length");
      assert.equal(mp4[offset + 4], 0x65, "and stands alone");
      offset += size;
    }
    assert.equal(offset, mp4.length);
  });

  it("L2: no start code appears inside a unit, whatever the pixels are", () => {
    const rgb = new Uint8Array(32 * 16 * 3).map((_, index) => (index * 7919) % 256);
    const { sequence, picture } = parameterSets({ width: 32, height: 16 });
    for (const unit of [sequence, picture, encodeFrame({ width: 32, height: 16, rgb }, 0)]) {
      for (const code of ["000000", "000001", "000002"]) {
        assert.equal(unit.indexOf(Buffer.from(code, "hex")), -1);
      }
    }
  });

  it("L2: a link is good for its own file until its time, and for no other", async () => {
    const clock = createMovedClock();
    const links = new AssetLinks({ secret: "s", clock, origin: () => "http://127.0.0.1:1" });
    const { searchParams } = new URL(links.link("task", "image.png"));
    links.check("task", "image.png", searchParams);
    const refused = (status: number) => (error: unknown) => error instanceof HttpError && error.status === status;
    assert.throws(() => links.check("task", "video.mp4", searchParams), refused(403));
    assert.throws(() => links.check("other", "image.png", searchParams), refused(403));
    const longer = new URLSearchParams({ ...Object.fromEntries(searchParams), expires: "9999999999999" });
    assert.throws(() => links.check("task", "image.png", longer), refused(403));
    await clock.advance(3_600_000 - 1);
    links.check("task", "image.png", searchParams);
    await clock.advance(3_600_001);
    assert.throws(() => links.check("task", "image.png", searchParams), refused(410));
  });
});
