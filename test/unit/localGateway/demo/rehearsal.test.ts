/** What the local gateway makes of the options of a request, by the names of many services, and of a rehearsal. */
import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { pictureSizeOf } from "../../../../src/domain/media/pictureBounds";
import { defaultOptions, readResultOptions, readSeed } from "../../../../src/localGateway/demo/resultOptions";
import { readResultFile } from "../../../../src/localGateway/tasks/resultFiles";
import { type GatewayTask, planTask } from "../../../../src/localGateway/tasks/gatewayTask";
import { marksIn } from "../../../../src/tasks/lock/fileMarks";

let count = 0;
function taskOf(
  type: GatewayTask["type"],
  metadata: Readonly<Record<string, unknown>>,
  more: Partial<GatewayTask> = {},
): GatewayTask {
  const prompt = "A lighthouse at dusk";
  count += 1;
  return {
    ...{
      taskId: `rehearsal-${count}`,
      account: 1,
      holdId: "h",
      requestId: "r",
      type,
      model: "m",
      prompt,
      seed: 3,
      fingerprint: "f",
      createdAt: 0,
    },
    options: readResultOptions(type, metadata),
    plan: planTask({ type, prompt, seed: 3, now: 0, speed: 1, isRehearsal: true }),
    ...more,
  };
}

describe("the options of a request to the local gateway", () => {
  it("T20, L2: size, ratio, duration, format, seed and transparency are read by the names of many services", () => {
    const size = (metadata: object): string => {
      const { width, height } = readResultOptions("async_image", { ...metadata });
      return `${width}x${height}`;
    };
    for (const [metadata, expected] of [
      [{ size: "64x48" }, "64x48"],
      [{ width: 64, height: "48" }, "64x48"],
      [{ image_size: { width: 64, height: 48 } }, "64x48"],
      [{ imageSize: "landscape_16_9" }, "1024x576"],
      [{ parameters: { output_size: "64×48" } }, "64x48"],
      [{ imageConfig: { aspectRatio: "1:1", imageSize: "1K" } }, "1024x1024"],
      [{ resolution: "720p", aspect_ratio: "16:9" }, "1280x720"],
      [{ resolution: "high" }, "768x512"],
    ] as const)
      assert.equal(size(metadata), expected, JSON.stringify(metadata));
    const seconds = (metadata: object): number => readResultOptions("video", { ...metadata }).seconds;
    for (const [metadata, expected] of [
      [{ duration: "5s" }, 5],
      [{ duration_seconds: 3 }, 3],
      [{ input: { videoLength: 2 } }, 2],
      [{ num_frames: 48, fps: 12 }, 4],
      [{}, defaultOptions("video").seconds],
    ] as const)
      assert.equal(seconds(metadata), expected, JSON.stringify(metadata));
    for (const name of ["format", "output_format", "mimeType"])
      assert.equal(readResultOptions("async_image", { [name]: "image/webp" }).format, "webp", name);
    for (const metadata of [
      { background: "transparent" },
      { transparent: true },
      { options: { transparent_background: true } },
    ])
      assert.equal(readResultOptions("async_image", metadata).isTransparent, true, JSON.stringify(metadata));
    assert.throws(() => readResultOptions("async_image", { background: "transparent", format: "jpeg" }), /transparent/);
    assert.deepEqual(
      [readSeed({ seed: 4 }), readSeed({ randomSeed: "5" }), readSeed({ seed: 1.5 })],
      [4, 5, undefined],
    );
  });

  it("T20: a placeholder has the very size and format, and says what it is in its pixels and in its file", async () => {
    for (const format of ["png", "jpeg", "webp"]) {
      const asked = { size: "200x120", format };
      const [plain, rehearsed] = [
        await readResultFile(taskOf("async_image", asked), `image.${format.replace("e", "")}`.replace("wbp", "webp")),
        await readResultFile(
          taskOf("async_image", asked, { isRehearsal: true }),
          `image.${format.replace("e", "")}`.replace("wbp", "webp"),
        ),
      ];
      assert.deepEqual(pictureSizeOf(rehearsed.bytes), { width: 200, height: 120 });
      assert.deepEqual([marksIn(plain.bytes), marksIn(rehearsed.bytes)], [[], ["rehearsed", "prompt", "seed"]]);
      assert.notDeepEqual(plain.bytes.subarray(0, 2000), rehearsed.bytes.subarray(0, 2000));
    }
    const film = await readResultFile(
      taskOf("video", { size: "64x64", duration: 1 }, { isRehearsal: true }),
      "video.mp4",
    );
    assert.ok(film.bytes.includes("sluice:rehearsed"));
    const tiny = await readResultFile(taskOf("async_image", { size: "16x16" }, { isRehearsal: true }), "image.png");
    assert.deepEqual(pictureSizeOf(tiny.bytes), { width: 16, height: 16 });
  });

  it("T20: a transparent picture is opaque where something is drawn, and nowhere else", async () => {
    for (const prompt of ["An icon of a cat", "A forest"]) {
      const { bytes } = await readResultFile(
        taskOf("async_image", { size: "64x64", background: "transparent" }, { prompt }),
        "image.png",
      );
      assert.equal(bytes[25], 6, "RGBA");
      const at = bytes.indexOf("IDAT");
      const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
      // Each row holds the difference from the one above.
      const alpha = new Uint8Array(64);
      let opaque = 0;
      for (let y = 0; y < 64; y += 1)
        for (let x = 0; x < 64; x += 1) {
          alpha[x] = (alpha[x] ?? 0) + (rows[y * 257 + 1 + x * 4 + 3] ?? 0);
          if (alpha[x] === 255) opaque += 1;
        }
      assert.ok(opaque > 200 && opaque < 3900, `${prompt}: ${opaque}`);
    }
  });
});
