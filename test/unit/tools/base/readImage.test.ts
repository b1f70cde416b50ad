/** Images that `read_file` shows: recognised by their bytes, within bounds, through the gate of every read; and files that only look like some. */
import assert from "node:assert/strict";
import { link, symlink } from "node:fs/promises";
import { imageSizeCap, scaledSide } from "../../../../src/domain/chat/imageTypes";
import type { ScaleImage, ShownImage } from "../../../../src/domain/tools/toolPorts";
import { orientationOf } from "../../../../src/domain/media/imageSize";
import { gateFile } from "../../../../src/tools/gate/fileGate";
import { readWorkspaceImage } from "../../../../src/tools/base/fitImage";
import { pngOf, wholeGif, wholeJpeg, wholeWebp, withDeclaredSize } from "../../../support/testImages";
import { createToolFolder, reasonsOf, type ToolFolder } from "../../../support/toolFolder";

const signal = new AbortController().signal;

describe("images that read_file shows", () => {
  let folder: ToolFolder;
  const asked: number[] = [];
  let scaled: Uint8Array | undefined;
  beforeEach(async () => {
    asked.length = 0;
    scaled = undefined;
    const scaleImage: ScaleImage = (_bytes, side) => {
      asked.push(side);
      return Promise.resolve(scaled);
    };
    folder = await createToolFolder({ scaleImage });
  });
  afterEach(() => folder.remove());

  const read = async (
    path: string,
  ): Promise<{
    readonly text: string;
    readonly images: readonly ShownImage[];
    readonly untrusted: readonly string[];
  }> => {
    const images: ShownImage[] = [];
    const untrusted: string[] = [];
    const nothing = (): void => undefined;
    const call = await folder.prepare("read_file", { path });
    const text = await call.run(signal, {
      ...{ activity: nothing, output: nothing, submitted: nothing },
      image: (image) => void images.push(image),
      untrusted: (what) => void untrusted.push(what),
    });
    assert.ok(typeof text === "string");
    return { text, images, untrusted };
  };

  it("A12: an image is shown with its type and size, whatever its name says", async () => {
    const png = await pngOf(64, 32);
    const files = [
      ["logo.png", png, "(PNG image, 64 × 32 pixels, "],
      ["logo.txt", png, "(PNG image, 64 × 32 pixels, "],
      ["a.gif", wholeGif, "(GIF image, 16 × 9 pixels, "],
      ["a.jpg", wholeJpeg, "(JPEG image, 512 × 256 pixels, "],
      ["a.webp", wholeWebp, "(WebP image, 640 × 480 pixels, "],
    ] as const;
    for (const [name, bytes, words] of files) {
      await folder.put(name, bytes);
      const { text, images } = await read(name);
      assert.equal(text, `${words}${bytes.length} bytes)`);
      assert.deepEqual(
        images.map((image) => [image.name, Buffer.from(image.bytes).equals(bytes)]),
        [[name, true]],
      );
    }
  });

  it("A12, R4: an SVG or a page that is named as an image is text, and no image", async () => {
    const svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    await folder.put("logo.png", svg);
    const { text, images } = await read("logo.png");
    assert.ok(text.startsWith(svg), text);
    assert.deepEqual(images, []);
    await folder.put("photo.jpg", "<html></html>");
    assert.deepEqual((await read("photo.jpg")).images, []);
  });

  it("A12, R4: a header that declares more pixels than memory has is refused without being decoded", async () => {
    await folder.put("bomb.png", withDeclaredSize(await pngOf(20, 10), 60_000, 60_000));
    const refusal = await folder.refusal("read_file", { path: "bomb.png" });
    assert.match(refusal, /bomb\.png can't be shown\. It has 60000 × 60000 pixels .* Make a smaller copy/);
    assert.deepEqual(asked, []);
  });

  it("A12, R4: a file that was cut is refused: with it in the history no request would be taken any more", async () => {
    await folder.put("cut.png", (await pngOf(64, 32)).subarray(0, -20));
    assert.match(await folder.refusal("read_file", { path: "cut.png" }), /It is a damaged PNG image\./);
  });

  it("A12 (field 20): a picture that its EXIF data turns has the size that a person sees, and is turned upright for the model", async () => {
    for (const isLittle of [false, true]) {
      await folder.put("turned.jpg", turned(6, isLittle));
      const plain = await read("turned.jpg");
      assert.match(
        plain.text,
        /^\(JPEG image, 256 × 512 pixels\. A viewer turns it by its EXIF orientation 6; you see it as it is stored, /,
      );
      scaled = await pngOf(256, 512);
      const upright = await read("turned.jpg");
      assert.match(upright.text, /^\(JPEG image, 256 × 512 pixels, turned upright for you, /);
      assert.deepEqual([upright.images[0]?.width, upright.images[0]?.height], [256, 512]);
      scaled = undefined;
      await folder.put("turned.jpg", turned(1, isLittle));
      assert.match((await read("turned.jpg")).text, /^\(JPEG image, 512 × 256 pixels, \d/);
      await folder.put("turned.jpg", turned(3, isLittle));
      assert.match((await read("turned.jpg")).text, /512 × 256 pixels\. A viewer turns it/);
    }
    const tiff = turned(8, true).subarray(12, 38);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(tiff.length);
    const png = Buffer.from(await pngOf(64, 32));
    const chunk = Buffer.concat([length, Buffer.from("eXIf"), tiff, Buffer.alloc(4)]);
    assert.equal(orientationOf(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]), "image/png"), 8);
    length.writeUInt32LE(tiff.length);
    assert.equal(orientationOf(Buffer.concat([wholeWebp, Buffer.from("EXIF"), length, tiff]), "image/webp"), 8);
    assert.deepEqual([orientationOf(png, "image/png"), orientationOf(wholeWebp, "image/webp")], [1, 1]);
    for (const broken of [turned(9, true), turned(6, true).subarray(0, 30)])
      assert.equal(orientationOf(broken, "image/jpeg"), 1);
  });

  it("A12: a larger image is scaled, and what comes back is judged again; without a scaler it is refused with the remedy", async () => {
    await folder.put("large.png", await pngOf(2400, 10));
    assert.match(
      await folder.refusal("read_file", { path: "large.png" }),
      /At most 2000 pixels a side .* could not be scaled here\. Make a smaller copy/,
    );
    scaled = await pngOf(scaledSide, 7);
    const { text, images } = await read("large.png");
    assert.match(text, /^\(PNG image, 2400 × 10 pixels, scaled to 1568 × 7 for you, /);
    assert.deepEqual([images[0]?.width, images[0]?.height], [scaledSide, 7]);
    assert.deepEqual(asked, [scaledSide, scaledSide]);
    const small = await pngOf(20, 10);
    const heavy = Buffer.concat([small, Buffer.alloc(imageSizeCap)]);
    for (const wrong of [Buffer.from("<svg/>"), await pngOf(2400, 10), small.subarray(0, 40), heavy]) {
      scaled = wrong;
      assert.match(await folder.refusal("read_file", { path: "large.png" }), /could not be scaled/);
    }
  });

  it("A12: an image of many bytes and few pixels is scaled as well, and one that is too large to be read is refused", async () => {
    await folder.put("heavy.png", Buffer.concat([await pngOf(20, 10), Buffer.alloc(imageSizeCap)]));
    scaled = await pngOf(20, 10);
    assert.match((await read("heavy.png")).text, /scaled to 20 × 10/);
    await folder.put("huge.png", Buffer.concat([await pngOf(20, 10), Buffer.alloc(20 * 1024 * 1024)]));
    assert.match(await folder.refusal("read_file", { path: "huge.png" }), /more than 20 MB.* smaller copy/);
  });

  it("A12, A4: an image passes the gate of every read: secret, ignored and linked ones ask or are refused", async () => {
    const png = await pngOf(4, 4);
    for (const name of ["id_rsa.png", ".ssh/shot.png", "token.png", "build/a.png", "logo.png"])
      await folder.put(name, png);
    await folder.put(".gitignore", "build/\n");
    const reasons = async (path: string): Promise<string | undefined> =>
      reasonsOf(await folder.prepare("read_file", { path }));
    assert.equal(await reasons("id_rsa.png"), "may hold a secret");
    assert.equal(await reasons(".ssh/shot.png"), "may hold a secret");
    assert.equal(await reasons("build/a.png"), "git ignores it");
    assert.equal(await reasons("logo.png"), undefined);
    await symlink("/etc/hostname", folder.at("out.png"));
    assert.match(await folder.refusal("read_file", { path: "out.png" }), /outside|leads/);
    await symlink(folder.at(".ssh/shot.png"), folder.at("harmless.png"));
    assert.equal(await reasons("harmless.png"), "may hold a secret");
  });

  it("A12, A4: an image that has got another name on the disk since it was judged is not read", async () => {
    await folder.put("logo.png", await pngOf(4, 4));
    const file = await gateFile(folder.workspace, "logo.png", signal);
    await link(folder.at("logo.png"), folder.at("other.png"));
    await assert.rejects(readWorkspaceImage(folder.workspace, file), /another name/);
  });

  it("A12, A4: an image that git does not have may show the words of others, so it is untrusted as its text would be", async () => {
    await folder.command("git", "init", "-q");
    await folder.put("own.png", await pngOf(4, 4));
    await folder.command("git", "add", "own.png");
    await folder.put("found.png", await pngOf(4, 5));
    assert.deepEqual((await read("own.png")).untrusted, []);
    assert.deepEqual((await read("found.png")).untrusted, ["found.png"]);
  });
});

/** The photo of the tests with EXIF data in front of it. */
function turned(orientation: number, isLittle: boolean): Uint8Array {
  const exif = new DataView(new ArrayBuffer(36));
  const put = (at: number, text: string): void =>
    Array.from(text).forEach((one, index) => exif.setUint8(at + index, one.charCodeAt(0)));
  exif.setUint16(0, 0xffe1);
  exif.setUint16(2, 34);
  put(4, "Exif");
  put(10, isLittle ? "II" : "MM");
  exif.setUint16(12, 42, isLittle);
  exif.setUint32(14, 8, isLittle);
  exif.setUint16(18, 1, isLittle);
  exif.setUint16(20, 0x0112, isLittle);
  exif.setUint16(22, 3, isLittle);
  exif.setUint32(24, 1, isLittle);
  exif.setUint16(28, orientation, isLittle);
  return Buffer.concat([wholeJpeg.subarray(0, 2), new Uint8Array(exif.buffer), wholeJpeg.subarray(2)]);
}
