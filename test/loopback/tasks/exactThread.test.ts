/** The thread that makes exact files, as it is shipped: the formats that gateways give, damaged pictures, and a stop. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp, { type Sharp } from "sharp";
import { readMarks } from "../../../src/domain/media/marks/readMarks";
import { writeMarks } from "../../../src/domain/media/marks/writeMarks";
import { runExact } from "../../../src/tasks/exact/runExact";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const program = resolve("dist/exact.mjs");
const marks = { isGenerated: true, model: "paint-1", task: "task-1", prompt: "a pier", seed: 7 } as const;
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
    return runExact(program, { source, folder: folder.path, targets, marks }, signal);
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

  it("T20: what is encoded anew has the marks of its task; a placeholder stays one", async () => {
    const png = await picture().png().toBuffer();
    for (const path of await run(png)) assert.deepEqual(readMarks(await readFile(path ?? "")), marks);
    await folder.remove();
    folder = await createTemporaryFolder();
    const placeholder = writeMarks(png, { isRehearsed: true, prompt: "a pier" });
    for (const path of await run(placeholder))
      assert.deepEqual(readMarks(await readFile(path ?? "")), { isRehearsed: true, model: "paint-1", task: "task-1" });
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
