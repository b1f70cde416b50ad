/** What is read from the files of other programs, and from files that are damaged or made to harm. */
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { type PictureMarks } from "../../../../../src/domain/media/marks/marks";
import { readMarks } from "../../../../../src/domain/media/marks/readMarks";
import { writeMarks } from "../../../../../src/domain/media/marks/writeMarks";
import { inflate } from "../../../../../src/node/inflate";
import { assertConstant, assertLinear } from "../../../../support/growth";
import { pngChunk, pngWith, textChunk } from "../../../../support/pngChunks";
import { runsOf } from "../../../../support/runs";

const parameters =
  "a lighthouse, (dusk:1.2)\nsecond line\nNegative prompt: people, text\nSteps: 20, Sampler: Euler a, Seed: 1234, Size: 512x512, Model hash: abc, Model: dreamy_v8";

const graph = {
  "3": {
    class_type: "KSampler",
    inputs: { seed: 77, positive: ["8", 0], negative: ["7", 0], model: ["4", 0] },
  },
  "4": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "sd_xl.safetensors" } },
  "7": { class_type: "CLIPTextEncode", inputs: { text: "people", clip: ["4", 1] } },
  "6": { class_type: "CLIPTextEncode", inputs: { text: ["9", 0], clip: ["4", 1] } },
  "8": { class_type: "FluxGuidance", inputs: { conditioning: ["6", 0], guidance: 3.5 } },
  "9": { class_type: "PrimitiveString", inputs: { value: "a lighthouse" } },
};

const workflow = {
  nodes: [
    {
      id: 3,
      type: "KSampler",
      widgets_values: [77, "fixed", 20],
      inputs: [
        { name: "positive", link: 1 },
        { name: "negative", link: 2 },
      ],
    },
    { id: 7, type: "CLIPTextEncode", widgets_values: ["people"], inputs: [] },
    { id: 6, type: "CLIPTextEncode", widgets_values: ["a lighthouse"], inputs: [] },
    { id: 4, type: "CheckpointLoaderSimple", widgets_values: ["sd_xl.safetensors"] },
  ],
  links: [
    [1, 6, 0, 3, 1, "CONDITIONING"],
    [2, 7, 0, 3, 2, "CONDITIONING"],
  ],
};

const sampled: PictureMarks = { prompt: "a lighthouse", seed: 77, model: "sd_xl.safetensors" };

const texts: readonly (readonly [program: string, keyword: string, text: string, PictureMarks])[] = [
  [
    "AUTOMATIC1111",
    "parameters",
    parameters,
    { prompt: "a lighthouse, (dusk:1.2)\nsecond line", seed: 1234, model: "dreamy_v8" },
  ],
  ["AUTOMATIC1111 without options", "parameters", "a lighthouse", { prompt: "a lighthouse" }],
  [
    "InvokeAI",
    "invokeai_metadata",
    JSON.stringify({ positive_prompt: "a lighthouse", negative_prompt: "x", seed: 5, model: { name: "m", key: "k" } }),
    { prompt: "a lighthouse", seed: 5, model: "m" },
  ],
  [
    "InvokeAI 2",
    "sd-metadata",
    JSON.stringify({ model_weights: "m", image: { prompt: [{ prompt: "a lighthouse", weight: 1 }], seed: 5 } }),
    { prompt: "a lighthouse", seed: 5, model: "m" },
  ],
  ["ComfyUI", "prompt", JSON.stringify(graph), sampled],
  ["ComfyUI, without the graph that ran", "workflow", JSON.stringify(workflow), sampled],
  [
    "SwarmUI",
    "parameters",
    JSON.stringify({ sui_image_params: { prompt: "a lighthouse", seed: 5, model: "m" } }),
    { prompt: "a lighthouse", seed: 5, model: "m" },
  ],
  [
    "Fooocus",
    "parameters",
    JSON.stringify({ prompt: "a lighthouse", seed: "5", base_model: "m" }),
    { prompt: "a lighthouse", seed: 5, model: "m" },
  ],
  [
    "NovelAI",
    "Comment",
    JSON.stringify({ prompt: "a lighthouse", seed: 5, uc: "x" }),
    { prompt: "a lighthouse", seed: 5 },
  ],
  ["Midjourney", "Description", "a lighthouse --ar 3:2 Job ID: 1234-5678", { prompt: "a lighthouse --ar 3:2" }],
];

const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" ext:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"><ext:AIPromptInformation><rdf:Alt><rdf:li xml:lang="x-default">a &#x1F3EE; <![CDATA[<b>]]></rdf:li></rdf:Alt></ext:AIPromptInformation></rdf:Description></rdf:RDF></x:xmpmeta>`;

describe("reading marks", () => {
  it("T20: of the usual generators, in each kind of text that PNG has", () => {
    for (const [program, keyword, text, marks] of texts)
      for (const kind of ["tEXt", "zTXt", "iTXt", "compressed iTXt"] as const)
        assert.deepEqual(readMarks(pngWith(textChunk(keyword, text, kind)), inflate), marks, `${program} as ${kind}`);
  });

  it("T20: of EXIF in JPEG, WebP and PNG", async () => {
    const drawn = sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } });
    const comment = drawn.clone().withExif({ IFD2: { UserComment: parameters } });
    const comfy = drawn
      .clone()
      .withExif({ IFD0: { Make: `Workflow:${JSON.stringify(workflow)}`, Model: `Prompt:${JSON.stringify(graph)}` } });
    for (const format of ["jpeg", "webp", "png"] as const) {
      assert.equal(readMarks(await comment.clone().toFormat(format).toBuffer()).seed, 1234, format);
      assert.deepEqual(readMarks(await comfy.clone().toFormat(format).toBuffer()), sampled, format);
    }
  });

  it("T20: of a comment in UTF-16, in the byte order that its program writes", () => {
    for (const order of ["utf16le", "utf16be"]) {
      const text = Buffer.from("a lighthouse, 夜", "utf16le");
      if (order === "utf16be") text.swap16();
      const value = Buffer.concat([Buffer.from("UNICODE\0"), text]);
      const exif = Buffer.alloc(44);
      exif.write("MM\0*", 0, "latin1");
      exif.writeUInt32BE(8, 4);
      exif.writeUInt16BE(1, 8);
      exif.set([0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26], 10);
      exif.writeUInt16BE(1, 26);
      exif.set([0x92, 0x86, 0, 7], 28);
      exif.writeUInt32BE(value.length, 32);
      exif.writeUInt32BE(44, 36);
      assert.equal(
        readMarks(pngWith(pngChunk("eXIf", Buffer.concat([exif, value])))).prompt,
        "a lighthouse, 夜",
        order,
      );
    }
  });

  it("T20: of XMP with other prefixes, attributes, lists and escapes, which counts before other texts", () => {
    const file = pngWith(
      textChunk("parameters", parameters),
      textChunk("XML:com.adobe.xmp", packet, "compressed iTXt"),
    );
    const { prompt, isGenerated } = readMarks(file, inflate);
    assert.deepEqual([prompt, isGenerated], ["a 🏮 <b>", true]);
    assert.equal(readMarks(file).prompt, "a lighthouse, (dusk:1.2)\nsecond line", "without what decompresses");
  });

  it("T20: no seed that is not exact, and no prompt that may be the unwanted one", () => {
    const one = (seed: string): PictureMarks =>
      readMarks(pngWith(textChunk("Comment", `{"prompt": "a", "seed": ${seed}}`)));
    for (const seed of ["18446744073709551615", "1.5", "-1", '""', "null", "[]"])
      assert.deepEqual(one(seed), { prompt: "a" }, seed);
    for (const seed of ["1e3", "0x10", "-3", "1.5", "99999999999999999"])
      assert.deepEqual(
        readMarks(pngWith(textChunk("XML:com.adobe.xmp", `<a xmlns:s="urn:sluice:marks:1:" s:Seed="${seed}"/>`))),
        {},
      );
    const unlinked = { "6": { inputs: { text: "a" } }, "7": { inputs: { text: "b" } } };
    assert.deepEqual(readMarks(pngWith(textChunk("prompt", JSON.stringify(unlinked)))), {});
    const circle = { "1": { inputs: { seed: 1, positive: ["2", 0] } }, "2": { inputs: { conditioning: ["1", 0] } } };
    assert.deepEqual(readMarks(pngWith(textChunk("prompt", JSON.stringify(circle)))), {});
  });

  it("T20: content credentials are seen in each format, and their file stays as it is", async () => {
    const drawn = sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } });
    const [png, jpeg, webp] = [
      pngWith(pngChunk("caBX", Buffer.from("jumb"))),
      await drawn.clone().jpeg().toBuffer(),
      await drawn.clone().webp().toBuffer(),
    ];
    const box = Buffer.from(
      "\0\0JP\0\x01\0\0\0\x01\0\0\0\x40jumb\0\0\0\x26jumdc2pa\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03c2pa\0",
      "latin1",
    );
    const segment = Buffer.concat([Buffer.from([0xff, 0xeb]), box]);
    segment.writeUInt16BE(box.length, 2);
    const chunk = Buffer.concat([webp, Buffer.from("C2PA\x04\0\0\0jumb", "latin1")]);
    chunk.writeUInt32LE(chunk.length - 8, 4);
    for (const file of [png, Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]), chunk]) {
      assert.deepEqual(readMarks(file), { hasCredentials: true });
      assert.equal(writeMarks(file, { isGenerated: true }), file);
    }
  });

  it("T20: other formats and damaged files are not known, and stay as they are", async () => {
    const drawn = sharp({ create: { width: 9, height: 9, channels: 4, background: "#ff000080" } });
    const whole = await Promise.all(
      ["png", "jpeg", "webp"].map((format) =>
        drawn
          .clone()
          .toFormat(format as "png")
          .withExif({ IFD0: { Make: "x" } })
          .toBuffer(),
      ),
    );
    const marked = whole.map((file) => writeMarks(file, { isGenerated: true, prompt: "a" }));
    for (const file of [...whole, ...marked])
      for (let end = 0; end < file.length; end += 1) {
        const cut = file.subarray(0, end);
        readMarks(cut, inflate);
        assert.ok(end > file.length - 3 || writeMarks(cut, { isGenerated: true }) === cut, `cut at ${end}`);
      }
    for (const file of [Buffer.alloc(0), Buffer.from("GIF89a"), Buffer.from("<svg/>")]) {
      assert.deepEqual(readMarks(file), {});
      assert.equal(writeMarks(file, { isGenerated: true }), file);
    }
  });

  it("T20: any change of bytes throws nothing", async () => {
    const drawn = sharp({ create: { width: 3, height: 3, channels: 4, background: "#ff000080" } }).withExif({
      IFD0: { Make: "x" },
      IFD2: { UserComment: "a" },
    });
    const files = await Promise.all(
      ["png", "jpeg", "webp"].map(async (format) =>
        writeMarks(
          await drawn
            .clone()
            .toFormat(format as "png")
            .toBuffer(),
          { prompt: "a" },
        ),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        (file, changes) => {
          const changed = Uint8Array.from(file);
          for (const [at, byte] of changes) changed[at % changed.length] = byte;
          readMarks(changed, inflate);
          readMarks(writeMarks(changed, { isGenerated: true, seed: 1 }), inflate);
        },
      ),
      { numRuns: runsOf(20_000, 500) },
    );
  });

  it("T20: 100 MB of text are skipped, and a bomb is not inflated", async () => {
    const bomb = deflateSync(Buffer.alloc(16 * 1024 * 1024, "a"));
    const bombs = Array.from({ length: 100 }, () =>
      pngChunk("zTXt", Buffer.concat([Buffer.from("parameters\0\0"), bomb])),
    );
    assert.deepEqual(readMarks(pngWith(...bombs), inflate), {});
    const long = Buffer.alloc(100 * 1024 * 1024, "a");
    long.write("parameters\0", 0, "latin1");
    const frame = pngChunk("tEXt", Buffer.alloc(0));
    frame.writeUInt32BE(long.length, 0);
    const file = Buffer.concat([
      pngWith().subarray(0, 33),
      frame.subarray(0, 8),
      long,
      frame.subarray(8),
      pngWith().subarray(33),
    ]);
    assert.deepEqual(readMarks(file, inflate), {});
    await assertConstant(1024 * 1024, (length) => {
      const cut = Buffer.concat([
        file.subarray(0, 8 + 25),
        frame.subarray(0, 8),
        long.subarray(0, length * 4),
        frame.subarray(8),
      ]);
      cut.writeUInt32BE(length * 4, 33);
      return () => readMarks(cut);
    });
  });

  it("T20: texts that are made to harm take time in proportion to their length", async () => {
    const hostile: Readonly<Record<string, (length: number) => Buffer>> = {
      "open elements": (length) => textChunk("XML:com.adobe.xmp", packet.slice(0, 300) + "<a>".repeat(length), "iTXt"),
      namespaces: (length) =>
        textChunk("XML:com.adobe.xmp", `<a ${'xmlns:b="urn:sluice:marks:1:" b:Seed="1" '.repeat(length)}/>`, "iTXt"),
      entities: (length) =>
        textChunk("XML:com.adobe.xmp", packet.replace("<rdf:Alt>", "&amp;&#x41;&lol;".repeat(length)), "iTXt"),
      "no end": (length) => textChunk("XML:com.adobe.xmp", `<a b="${"<![CDATA[".repeat(length)}`, "iTXt"),
      "deep JSON": (length) => textChunk("prompt", '{"1":'.repeat(length)),
      "deep lists": (length) => textChunk("Comment", `{"prompt":${"[".repeat(length)}${"]".repeat(length)}}`),
      "many nodes": (length) =>
        textChunk(
          "prompt",
          JSON.stringify(
            Object.fromEntries(
              Array.from({ length: length / 8 }, (_, index) => [
                `n${index}`,
                { inputs: { positive: [`n${index + 1}`, 0] } },
              ]),
            ),
          ),
        ),
      options: (length) =>
        textChunk(
          "parameters",
          `${"\nSteps: ".repeat(length)}${"\nNegative prompt: ".repeat(length)}${", Seed: ".repeat(length)}`,
        ),
      "small chunks": (length) => Buffer.concat(Array.from({ length: length / 8 }, () => textChunk("x", ""))),
    };
    for (const [what, chunkOf] of Object.entries(hostile))
      await assertLinear(
        4096,
        (length) => {
          const file = pngWith(chunkOf(length));
          return () => readMarks(file, inflate);
        },
        what,
      );
  });
});
