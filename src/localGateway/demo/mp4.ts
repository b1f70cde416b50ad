/** Frames of H.264 to an MP4 file that plays from its first bytes: the index stands before the data. ISO/IEC 14496-12, -15. */

export interface Movie {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly sequence: Buffer;
  readonly picture: Buffer;
  /** Each stands alone. */
  readonly frames: readonly Buffer[];
}

export function encodeMp4(movie: Movie): Buffer {
  const samples = movie.frames.map((frame) => Buffer.concat([u32(frame.length), frame]));
  const brand = box("ftyp", text("isom"), u32(0x200), text("isomiso2avc1mp41"));
  // The index is as long with one offset as with another.
  const offset = brand.length + moov(movie, samples, 0).length + 8;
  return Buffer.concat([brand, moov(movie, samples, offset), box("mdat", ...samples)]);
}

const timescale = 600;
const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].map(u32);

function moov(movie: Movie, samples: readonly Buffer[], offset: number): Buffer {
  const { width, height } = movie;
  const step = timescale / movie.framesPerSecond;
  const duration = step * samples.length;
  const mvhd = full(
    "mvhd",
    0,
    u32(0),
    u32(0),
    u32(timescale),
    u32(duration),
    u32(0x10000),
    u16(0x100),
    zeros(10),
    ...matrix,
    zeros(24),
    u32(2),
  );
  const tkhd = full(
    "tkhd",
    3,
    u32(0),
    u32(0),
    u32(1),
    u32(0),
    u32(duration),
    zeros(16),
    ...matrix,
    u32(width << 16),
    u32(height << 16),
  );
  const mdhd = full("mdhd", 0, u32(0), u32(0), u32(timescale), u32(duration), u16(0x55c4), u16(0));
  const hdlr = full("hdlr", 0, u32(0), text("vide"), zeros(12), text("video\0"));
  const dinf = box("dinf", full("dref", 0, u32(1), full("url ", 1)));
  const stbl = box(
    "stbl",
    full("stsd", 0, u32(1), sampleEntry(movie)),
    full("stts", 0, u32(1), u32(samples.length), u32(step)),
    full("stsc", 0, u32(1), u32(1), u32(samples.length), u32(1)),
    full("stsz", 0, u32(0), u32(samples.length), ...samples.map(({ length }) => u32(length))),
    full("stco", 0, u32(1), u32(offset)),
  );
  const minf = box("minf", full("vmhd", 1, zeros(8)), dinf, stbl);
  return box("moov", mvhd, box("trak", tkhd, box("mdia", mdhd, hdlr, minf)));
}

function sampleEntry({ width, height, sequence, picture }: Movie): Buffer {
  const profile = sequence.subarray(1, 4);
  const config = box(
    "avcC",
    u8(1),
    profile,
    u8(0xff),
    u8(0xe1),
    u16(sequence.length),
    sequence,
    u8(1),
    u16(picture.length),
    picture,
  );
  const resolution = u32(0x48_0000);
  return box(
    "avc1",
    zeros(6),
    u16(1),
    zeros(16),
    u16(width),
    u16(height),
    resolution,
    resolution,
    u32(0),
    u16(1),
    zeros(32),
    u16(24),
    u16(0xffff),
    config,
  );
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}

/** A box of version 0 with flags. */
function full(type: string, flags: number, ...parts: readonly Buffer[]): Buffer {
  return box(type, u32(flags), ...parts);
}

const text = (value: string): Buffer => Buffer.from(value, "latin1");
const zeros = (count: number): Buffer => Buffer.alloc(count);
const u8 = (value: number): Buffer => Buffer.of(value);

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
