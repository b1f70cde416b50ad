/** Which thumbnails are kept: those that the window can show by the dozen. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { fetchThumbnail } from "../../../../src/tasks/results/thumbnail";
import { keptLog, makeGateway } from "../../../support/builders";
import { piece } from "../../../support/pictureBytes";
import { avifOf, pngOf, wholeJpeg, wholeWebp, withDeclaredSize } from "../../../support/testImages";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("the thumbnail of a result", () => {
  let temporary: TemporaryFolder;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
  });
  afterEach(() => temporary.remove());

  const keep = async (bytes: Uint8Array, mimeType: string): Promise<string | undefined> => {
    const gateway = makeGateway({ downloadAsset: () => Promise.resolve({ mimeType, offset: 0, body: piece(bytes) }) });
    const assets = { kind: "assets", thumbnailUrl: "https://x/small" } as const;
    const options = { clock: systemClock, log: keptLog(), folder: temporary.path };
    const of = { stem: "a", url: "https://x/whole", assets };
    const path = await fetchThumbnail(options, gateway, of, new AbortController().signal);
    return path && basename(path);
  };

  it("T8, T15: a picture of a size that can be read and shown is kept; what asks for gigabytes, is damaged or may take for ever is not", async () => {
    const png = await pngOf(64, 64);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>');
    const files: readonly (readonly [what: string, Uint8Array, string, string | undefined])[] = [
      ["PNG", png, "image/png", "a.thumbnail.png"],
      ["JPEG", wholeJpeg, "image/jpeg", "a.thumbnail.jpg"],
      ["WebP", wholeWebp, "image/webp", "a.thumbnail.webp"],
      ["AVIF", avifOf([64, 64]), "image/avif", "a.thumbnail.avif"],
      ["8K", withDeclaredSize(png, 7680, 4320), "image/png", undefined],
      ["60,000 by 60,000", withDeclaredSize(png, 60_000, 60_000), "image/png", undefined],
      ["AVIF of 12,000 by 12,000", avifOf([12_000, 12_000]), "image/avif", undefined],
      ["cut within its header", png.subarray(0, 20), "image/png", undefined],
      ["SVG", svg, "image/svg+xml", undefined],
      ["a page", Buffer.from("<!doctype html>"), "text/html", undefined],
      ["more than 1 MB", Buffer.concat([png, Buffer.alloc(1024 * 1024)]), "image/png", undefined],
    ];
    for (const [what, bytes, type, name] of files) assert.equal(await keep(bytes, type), name, what);
    assert.equal((await readdir(temporary.path)).length, 4);
  });
});
