/** The thread that makes exact files, as it is shipped: the formats that gateways give, damaged pictures, and a stop. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp, { type Sharp } from "sharp";
import { runExact } from "../../../src/tasks/exact/runExact";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const program = resolve("dist/exact.mjs");
const never = new AbortController().signal;

describe("the thread that makes exact files", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.remove());

  const picture = (): Sharp =>
    sharp({ create: { width: 320, height: 200, channels: 4, background: { r: 30, g: 120, b: 200, alpha: 1 } } });
  const run = async (bytes: Uint8Array, signal = never): Promise<readonly (string | undefined)[]> => {
    const source = join(folder.path, "source");
    await writeFile(source, bytes);
    const targets = ["png", "webp", "jpg"].map((ending) => ({ file: `a.${ending}`, width: 64, height: 64 }));
    return runExact(program, { source, folder: folder.path, targets }, signal);
  };

  it("T20: PNG, JPEG and WebP become each other, in the colours that they had", async () => {
    for (const format of ["png", "jpeg", "webp"] as const) {
      const paths = await run(await picture().toFormat(format).toBuffer());
      for (const [index, expected] of ["png", "webp", "jpeg"].entries()) {
        const made = sharp(paths[index]);
        const { format: type, width, height } = await made.metadata();
        assert.deepEqual([type, width, height], [expected, 64, 64]);
        const { channels } = await made.stats();
        for (const [channel, value] of [30, 120, 200].entries())
          assert.ok(Math.abs((channels[channel]?.mean ?? 0) - value) < 6, `${format} to ${expected}`);
      }
      await folder.remove();
      folder = await createTemporaryFolder();
    }
  });

  it("T20, H1: a damaged picture is refused, and a stop ends it", async () => {
    const png = await picture().png().toBuffer();
    await assert.rejects(run(png.subarray(0, 60)));
    const stopped = new AbortController();
    const work = run(png, stopped.signal);
    stopped.abort();
    await assert.rejects(work, { name: "AbortError" });
  });
});
