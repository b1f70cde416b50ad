/** Puts the pictures of an H.264 video into an MP4 file that begins to play before all of it is there. */

export interface Clip {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  /** Units of the stream. The first one is whole, the others refer to it. */
  readonly frames: readonly Buffer[];
  /** The sequence and the picture parameter set. */
  readonly sequence: Buffer;
  readonly picture: Buffer;
}

export function writeMp4(clip: Clip): Buffer {
  const type = box("ftyp", text("isom"), u32(512), text("isomiso2avc1mp41"));
  const samples = clip.frames.map((frame) => Buffer.concat([u32(frame.length), frame]));
  // The length of the index does not depend on where the pictures begin.
  const start = type.length + indexOf(clip, samples, 0).length + 8;
  return Buffer.concat([type, indexOf(clip, samples, start), box("mdat", ...samples)]);
}

function indexOf(clip: Clip, samples: readonly Buffer[], start: number): Buffer {
  const { width, height, framesPerSecond } = clip;
  const duration = samples.length;
  const matrix = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32));
  const movie = full(
    "mvhd",
    0,
    u32(0),
    u32(0),
    u32(framesPerSecond),
    u32(duration),
    u32(0x10000),
    u16(0x100),
    Buffer.alloc(10),
    matrix,
    Buffer.alloc(24),
    u32(2),
  );
  const track = full(
    "tkhd",
    3,
    u32(0),
    u32(0),
    u32(1),
    u32(0),
    u32(duration),
    Buffer.alloc(16),
    matrix,
    u32(width * 65536),
    u32(height * 65536),
  );
  const media = full("mdhd", 0, u32(0), u32(0), u32(framesPerSecond), u32(duration), u16(0x55c4), u16(0));
  const handler = full("hdlr", 0, u32(0), text("vide"), Buffer.alloc(12), text("Video\0"));
  const source = box("dinf", full("dref", 0, u32(1), full("url ", 1)));
  const table = box(
    "stbl",
    full("stsd", 0, u32(1), codecOf(clip)),
    full("stts", 0, u32(1), u32(samples.length), u32(1)),
    full("stss", 0, u32(1), u32(1)),
    full("stsc", 0, u32(1), u32(1), u32(samples.length), u32(1)),
    full("stsz", 0, u32(0), u32(samples.length), ...samples.map(({ length }) => u32(length))),
    full("stco", 0, u32(1), u32(start)),
  );
  const information = box("minf", full("vmhd", 1, Buffer.alloc(8)), source, table);
  return box("moov", movie, box("trak", track, box("mdia", media, handler, information)));
}

function codecOf({ width, height, sequence, picture }: Clip): Buffer {
  const parameters = box(
    "avcC",
    Buffer.from([1, sequence[1] ?? 0, sequence[2] ?? 0, sequence[3] ?? 0, 0xff, 0xe1]),
    u16(sequence.length),
    sequence,
    Buffer.from([1]),
    u16(picture.length),
    picture,
  );
  const resolution = u32(0x480000);
  return box(
    "avc1",
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width),
    u16(height),
    resolution,
    resolution,
    u32(0),
    u16(1),
    Buffer.alloc(32),
    u16(24),
    u16(0xffff),
    parameters,
  );
}

function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(length), text(name), ...parts]);
}

/** A box with a version, which is 0, and flags. */
const full = (name: string, flags: number, ...parts: readonly Buffer[]): Buffer => box(name, u32(flags), ...parts);
const text = (value: string): Buffer => Buffer.from(value, "latin1");

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
