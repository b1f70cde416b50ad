/** Marks in files that a common encoder made, read by readers that are not ours: the file by libvips, its XMP by exifr. */
import assert from "node:assert/strict";
import exifr from "exifr";
import sharp from "sharp";
import { type PictureMarks } from "../../../../../src/domain/media/marks/marks";
import { readMarks } from "../../../../../src/domain/media/marks/readMarks";
import { maxMarkBytes, writeMarks } from "../../../../../src/domain/media/marks/writeMarks";
import { firstSeed, runsOf } from "../../../../support/runs";
import { seeded } from "../../../../support/seeded";

type Format = "png" | "jpeg" | "webp";

interface Drawn {
  readonly bytes: Buffer;
  readonly format: Format;
  readonly note: string;
}

/** A picture of noise, with any of what encoders write beside the pixels. */
async function draw(seed: number): Promise<Drawn> {
  const random = seeded(seed);
  const format = (["png", "jpeg", "webp"] as const)[random(3)] ?? "png";
  const [width, height] = [1 + random(60), 1 + random(60)];
  const channels = format !== "jpeg" && random(2) === 0 ? 4 : 3;
  const raw = Buffer.from(Array.from({ length: width * height * channels }, () => random(256)));
  let image = sharp(raw, { raw: { width, height, channels } });
  const extras = [random(2), random(2), random(2)];
  if (extras[0]) image = image.withExif({ IFD0: { Copyright: "somebody", Software: "x".repeat(random(300)) } });
  if (extras[1])
    image = image.withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="${"y".repeat(random(300))}"/></rdf:RDF></x:xmpmeta>`,
    );
  if (extras[2]) image = image.withIccProfile("p3");
  const isLossless = random(2) === 0;
  const made =
    format === "png"
      ? image.png({ palette: random(3) === 0 })
      : format === "jpeg"
        ? image.jpeg({ quality: 40 + random(60), progressive: random(2) === 0 })
        : image.webp({ lossless: isLossless, quality: 40 + random(60) });
  const note = `seed ${seed}: ${format} ${width}×${height}×${channels}, ${extras.join("")}, lossless ${isLossless}`;
  return { bytes: await made.toBuffer(), format, note };
}

const words = [
  "a lighthouse",
  "夜のとうだい",
  "<b>&amp;</b>",
  "🏮",
  '"quoted"',
  "]]>",
  "\n",
  "--",
  "\u0000",
  "\ud800",
  "é",
];

function marksOf(seed: number): PictureMarks {
  const random = seeded(seed);
  const length = random(4) === 0 ? 2000 : random(30);
  const prompt = Array.from({ length }, () => words[random(words.length)]).join(" ");
  return {
    ...(random(5) === 0 ? { isRehearsed: true } : { isGenerated: true }),
    model: `model-${random(100)} <&>`,
    task: `task_${random(1_000_000)}`,
    ...(random(4) === 0 ? {} : { prompt: `begin ${prompt} end` }),
    ...(random(2) === 0 ? {} : { seed: random(2 ** 31) }),
    ...(random(3) === 0 ? { hadCredentials: true } : {}),
  };
}

/** As XML can hold it. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "").trim();
}

const ending = "digitalsourcetype/";

async function assertMarked({ bytes, note }: Drawn, marks: PictureMarks): Promise<void> {
  const marked = writeMarks(bytes, marks);
  assert.notEqual(marked, bytes, note);
  assert.ok(marked.length - bytes.length <= maxMarkBytes, note);
  const [before, after] = await Promise.all([decode(bytes), decode(marked)]);
  assert.deepEqual(after.info, before.info, note);
  assert.ok(after.data.equals(before.data), `${note}: pixels`);
  const [old, now] = [await sharp(bytes).metadata(), await sharp(Buffer.from(marked)).metadata()];
  assert.deepEqual([now.exif, now.icc, now.hasAlpha], [old.exif, old.icc, old.hasAlpha], note);
  const xmp = await readByExifr(marked);
  const expected = marks.isGenerated ? "trainedAlgorithmicMedia" : "algorithmicMedia";
  assert.equal(xmp["DigitalSourceType"], `http://cv.iptc.org/newscodes/${ending}${expected}`, note);
  assert.equal(xmp["AISystemUsed"], escaped(marks.model ?? ""), note);
  assert.equal(xmp["Task"], marks.task, note);
  assert.equal(xmp["Seed"], marks.seed, note);
  assert.equal(Boolean(xmp["Rehearsed"]), marks.isRehearsed === true, note);
  assert.equal(Boolean(xmp["OriginalHadCredentials"]), marks.hadCredentials === true, note);
  const read = readMarks(marked);
  const { prompt, ...others } = marks;
  const { prompt: found, ...rest } = read;
  assert.deepEqual(rest, others, note);
  if (prompt === undefined) assert.equal(found, undefined, note);
  else if (found === plain(prompt)) assert.equal(String(xmp["AIPromptInformation"]).trim(), escaped(found), note);
  else assert.ok(found !== undefined && found.length > 500 && plain(prompt).startsWith(found), note);
  // Once more in their place, and no second time beside them.
  assert.deepEqual(writeMarks(marked, marks), marked, note);
}

/** exifr keeps the escapes of XML in what it reads. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

async function decode(bytes: Uint8Array): Promise<{ readonly data: Buffer; readonly info: object }> {
  const { data, info } = await sharp(Buffer.from(bytes)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, info };
}

async function readByExifr(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const { xmp } = await sharp(Buffer.from(bytes)).metadata();
  assert.ok(xmp !== undefined);
  const { Iptc4xmpExt, sluice } = (await exifr.sidecar(xmp, undefined, "xmp")) as Record<string, object>;
  return { ...Iptc4xmpExt, ...sluice };
}

describe("marks of a picture's file", () => {
  it("T20: pictures of a common encoder have the marks and the same pixels, by readers that are not ours", async () => {
    for (let seed = firstSeed; seed < firstSeed + runsOf(200, 20); seed += 1)
      await assertMarked(await draw(seed), marksOf(seed));
  });
});
