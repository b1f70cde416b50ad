/** Which pictures on disk are shown beside a document: by size and header alone. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { open, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { maxPictureBytes } from "../../../../src/domain/media/pictureBounds";
import { lookAtPicture } from "../../../../src/tasks/results/pictureState";
import { avifOf, pngOf, wholeGif, wholeJpeg, withDeclaredSize } from "../../../support/testImages";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

/** Of every POSIX system. */
const makePipe = "mkfifo";

describe("a picture on disk", () => {
  it("T17: is looked at without decoding it, and one that can't be shown is known before", async () => {
    const temporary = await createTemporaryFolder();
    try {
      const png = await pngOf(64, 64);
      const files: readonly (readonly [name: string, Uint8Array, Awaited<ReturnType<typeof lookAtPicture>>])[] = [
        ["whole.png", png, "fits"],
        ["whole.jpg", wholeJpeg, "fits"],
        ["animated.gif", wholeGif, "fits"],
        ["8k.png", withDeclaredSize(png, 7680, 4320), "fits"],
        ["large.png", withDeclaredSize(png, 10_000, 10_000), "too-large"],
        ["large.avif", avifOf([20_000, 20_000]), "too-large"],
        ["broken.png", Buffer.from("no picture"), "unreadable"],
        ["drawing.svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "unreadable"],
        ["empty.png", Buffer.alloc(0), "unreadable"],
      ];
      for (const [name, bytes, state] of files) {
        const path = join(temporary.path, name);
        await writeFile(path, bytes);
        assert.equal(await lookAtPicture(path), state, name);
      }
      const long = join(temporary.path, "whole.png");
      await truncate(long, maxPictureBytes + 1);
      assert.equal(await lookAtPicture(long), "too-large");
      assert.equal(await lookAtPicture(join(temporary.path, "gone.png")), "unreadable");
      assert.equal(await lookAtPicture(temporary.path), "unreadable");
    } finally {
      await temporary.remove();
    }
  });

  it("T17, R6: a pipe and a link are not opened: nothing waits for a writer, and no file of elsewhere is shown", async () => {
    const temporary = await createTemporaryFolder();
    const outside = await createTemporaryFolder();
    try {
      const pipe = join(temporary.path, "pipe.png");
      execFileSync(makePipe, [pipe]);
      const look = lookAtPicture(pipe);
      // Whoever waits for a writer gets one, so that a failure hangs nothing.
      const writing = open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      assert.equal(await look, "unreadable");
      await (await writing).close();
      await writeFile(join(outside.path, "secret.png"), await pngOf(8, 8));
      await symlink(join(outside.path, "secret.png"), join(temporary.path, "link.png"));
      assert.equal(await lookAtPicture(join(temporary.path, "link.png")), "unreadable");
    } finally {
      await temporary.remove();
      await outside.remove();
    }
  });
});
