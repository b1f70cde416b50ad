/** The table of picture types: what each place takes, by first bytes and by ending. */
import assert from "node:assert/strict";
import {
  isPicturePath,
  pictureEndings,
  pictureTypeOf,
  pictureTypesFor,
} from "../../../../src/domain/media/pictureTypes";
import { mediaKindTable } from "../../../../src/domain/task/taskTypes";

const starts: Readonly<Record<string, string>> = {
  "image/png": "\x89PNG\r\n\x1a\n…",
  "image/jpeg": "\xff\xd8\xff\xe0",
  "image/gif": "GIF89a",
  "image/webp": "RIFF\n\r\0\0WEBPVP8 ",
  "image/avif": "\0\0\0\x20ftypavif",
  "image/svg+xml": "<svg/>",
  "image/bmp": "BM1234",
};

describe("picture types", () => {
  it("P1, T2: by the first bytes, a prompt takes four types, and a task as reference also AVIF and BMP; neither takes SVG", () => {
    const taken = (use: "prompt" | "reference"): (string | undefined)[] =>
      Object.values(starts).flatMap((start) => pictureTypeOf(Buffer.from(start, "latin1"), use) ?? []);
    const inPrompt = ["image/png", "image/jpeg", "image/gif", "image/webp"];
    assert.deepEqual(taken("prompt"), inPrompt);
    assert.deepEqual(taken("reference"), [...inPrompt, "image/avif", "image/bmp"]);
    for (const other of ["", "GIF80a", "RIFF1234WAVE", "\0\0\0\x20ftypmp42"])
      assert.equal(pictureTypeOf(Buffer.from(other, "latin1"), "reference"), undefined, other);
  });

  it("P1, T2: by the name, in any case, both spellings of JPEG", () => {
    assert.deepEqual(pictureEndings("prompt"), ["png", "jpg", "jpeg", "gif", "webp"]);
    assert.deepEqual(pictureEndings("reference"), ["png", "jpg", "jpeg", "gif", "webp", "avif", "bmp"]);
    assert.ok(isPicturePath("file:///a/B.JPEG", "prompt") && isPicturePath("a.bmp", "reference"));
    for (const none of ["a.bmp", "a.svg", "png", "a.png/b", "a.png.txt", ""])
      assert.ok(!isPicturePath(none, "prompt"), none);
  });

  it("T8: results are saved in every type but BMP, which is only shown; a model's answer is not shown as SVG", () => {
    const { formats, otherEndings } = mediaKindTable.image;
    assert.deepEqual(
      formats.map(({ ending }) => ending),
      [".png", ".jpg", ".gif", ".webp", ".avif", ".svg"],
    );
    assert.deepEqual(otherEndings, [".jpeg", ".bmp"]);
    assert.deepEqual(
      pictureTypesFor("answer"),
      pictureTypesFor("result").filter((type) => type !== "image/svg+xml"),
    );
  });
});
