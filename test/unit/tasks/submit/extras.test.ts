/** What a task takes besides its prompt: reference images, metadata and a destination. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { destinationProblem, freeNames, nameFromPrompt } from "../../../../src/domain/task/destination";
import {
  describeMetadata,
  readMetadata,
  withCommon,
  writeMetadata,
  readSentBody,
} from "../../../../src/tasks/submit/requestBody";
import {
  imageReference,
  addressReference,
  readInputAssets,
  type Reference,
  writeInputAssets,
} from "../../../../src/tasks/submit/references";
import { describeImageReference } from "../../../../src/tasks/view/requestWords";
import { pngOf, withDeclaredSize } from "../../../support/testImages";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]);
const image = (bytes = png): Reference => {
  const read = imageReference("a.png", bytes, 1000);
  assert.ok(typeof read === "object");
  return read;
};

describe("extras of a task", () => {
  it("T2: a picture is known by its bytes, not by its name, and is not larger than the limit; its pixels are shown", async () => {
    assert.deepEqual(image(), {
      name: "a.png",
      url: "data:image/png;base64,iVBORw0KGgoBAg==",
      bytes: 10,
      mimeType: "image/png",
    });
    assert.equal(imageReference("a.png", new TextEncoder().encode("<html>"), 1000), "no-image");
    assert.equal(imageReference("a.png", new Uint8Array(), 1000), "empty");
    assert.equal(imageReference("a.png", png, 9), "too-large");
    const huge = image(Uint8Array.from(withDeclaredSize(await pngOf(2, 2), 10_000, 10_000)));
    assert.match(describeImageReference(huge), /^a\.png \(PNG, 10,000 × 10,000, \d+ bytes\)$/);
  });

  it("T2: only an address that the gateway can read is a reference", () => {
    assert.deepEqual(addressReference(" https://a.example/b.png "), {
      name: "https://a.example/b.png",
      url: "https://a.example/b.png",
    });
    for (const bad of ["a.png", "file:///etc/passwd", "javascript:x", ""])
      assert.equal(addressReference(bad), "bad-url");
  });

  it("T2: one image is `image`, several are `images`, and a field that the person named stays as it is", () => {
    const other = { name: "u", url: "https://a.example/b.png" };
    assert.equal(writeInputAssets([]), undefined);
    assert.deepEqual(JSON.parse(writeInputAssets([other]) ?? ""), { image: other.url });
    assert.deepEqual(JSON.parse(writeInputAssets([other, image()]) ?? ""), { images: [other.url, image().url] });
    assert.deepEqual(JSON.parse(writeInputAssets([other], "start_frame", { mask: 1 }) ?? ""), {
      mask: 1,
      start_frame: other.url,
    });
  });

  it("T2: a duplicate has the assets and metadata of the request that was sent", () => {
    const url = "https://a.example/b.png";
    const body = JSON.stringify({
      input_assets_json: { mask: 1, images: [url, image().url] },
      metadata_json: { seed: 7, style: { tone: "blue" } },
    });
    const { inputAssets, metadata } = readSentBody(body);
    const assets = readInputAssets(inputAssets);
    assert.deepEqual(
      [assets.field, assets.others, metadata],
      ["image", { mask: 1 }, { seed: 7, style: { tone: "blue" } }],
    );
    assert.deepEqual(
      assets.references.map(({ name, bytes }) => [name, bytes]),
      [
        [url, undefined],
        ["image-2", 10],
      ],
    );
    assert.deepEqual(
      JSON.parse(writeInputAssets(assets.references, assets.field, assets.others) ?? ""),
      (JSON.parse(body) as { input_assets_json: unknown }).input_assets_json,
    );
    for (const none of [undefined, "", "7", "{"])
      assert.deepEqual(readSentBody(none), { metadata: {}, inputAssets: {} });
    assert.deepEqual(readSentBody('{"metadata_json":"{\\"seed\\":7}","input_assets_json":[]}'), {
      metadata: { seed: 7 },
      inputAssets: {},
    });
  });

  it("T2: metadata is a JSON object or it is not taken; the form changes its own fields only", () => {
    assert.deepEqual(readMetadata(" "), { object: {} });
    assert.deepEqual(readMetadata("[1]"), { problem: "array" });
    assert.deepEqual(readMetadata("null"), { problem: "null" });
    assert.ok("problem" in readMetadata("{"));
    const object = withCommon({ style: "x", seed: 1 }, { seed: undefined, size: "1x1" });
    assert.deepEqual(object, { style: "x", size: "1x1" });
    assert.equal(describeMetadata(object), "style x · size 1x1");
    assert.equal(writeMetadata({}), undefined);
  });

  it("T2: a taken name gets the next number, one that it was given before is counted up, and its own number stays", () => {
    const free = (names: readonly string[], ...taken: readonly string[]): string =>
      freeNames(names, (name) => taken.includes(name)).join(", ");
    assert.equal(free(["a"]), "a");
    assert.equal(free(["a"], "a", "a-2"), "a-3");
    assert.equal(free(["a-2"], "a", "a-2"), "a-3");
    assert.equal(free(["a-3"], "a", "a-2", "a-3", "a-4"), "a-5");
    // These numbers are the names' own: nothing has the names without them.
    assert.equal(free(["icon-32"], "icon", "icon-32"), "icon-32-2");
    assert.equal(free(["level-2"], "level-1", "level-2"), "level-2-2");
    assert.equal(free(["a-1"], "a", "a-1"), "a-1-2");
    // Files of one result get the same number.
    assert.equal(free(["icon-192", "icon-512"], "icon-512"), "icon-192-2, icon-512-2");
    assert.equal(free(["a-2", "b-2"], "a", "b-2"), "a-3, b-3");
  });

  it("T2: the proposed name comes from the prompt, is free, and leads to a file inside of the workspace", () => {
    assert.equal(
      nameFromPrompt("A lighthouse at dusk, slow aerial shot from the sea"),
      "a-lighthouse-at-dusk-slow-aerial-shot",
    );
    assert.equal(nameFromPrompt("灯塔"), "灯塔");
    assert.equal(nameFromPrompt("***"), "result");
    for (const name of ["NUL", "com1", "COM¹"]) assert.equal(nameFromPrompt(name), `${name.toLowerCase()}-1`);
    const problems = ["", "/etc/x", "../x", "a/../../x", "C:\\x", "~/x", ".git/hooks/x", "a/", "a\u0000b", "a/.."];
    for (const path of [".GIT/hooks/a", "x/.git./a", "GIT~1/a"]) assert.ok(destinationProblem(path), path);
    for (const path of problems) assert.ok(destinationProblem(path), path);
    // Windows: devices, streams, and what it leaves out at the end of a name.
    const devices = [
      "nul.png",
      "a/CON",
      "aux .png",
      "COM¹.txt",
      "conin$",
      "a.png:stream",
      "a.png.",
      "a.png ",
      "b. /a.png",
    ];
    for (const path of devices) assert.equal(destinationProblem(path), "name", path);
    for (const path of ["console.png", "./a.png", "com10.png", "a.b/c.png"])
      assert.equal(destinationProblem(path), undefined, path);
    fc.assert(
      fc.property(fc.string(), (prompt) => assert.equal(destinationProblem(nameFromPrompt(prompt)), undefined)),
    );
  });
});
