/** Reads the whole lines of a file from an offset on, in time slices, so that a long file does not hold the thread. */
import { open } from "node:fs/promises";
import { TimeSlices } from "../async/timeSlices";

const lineEnd = 0x0a;
/** Bytes that are read at a time; a longer line is read in one piece. */
const chunkSize = 1024 * 1024;

/** `start` and `end` are offsets in the file; `end` is after the line end. False ends the reading. */
export type TakeLine = (line: string, start: number, end: number) => boolean;

/**
 * Returns the offset after the last line that was taken; an incomplete line at the end is not read. Rejects with the error of the file
 * system or the signal's reason.
 */
export async function readLines(path: string, from: number, take: TakeLine, signal: AbortSignal): Promise<number> {
  const handle = await open(path, "r");
  try {
    const slices = new TimeSlices(signal);
    let offset = from;
    let rest: Buffer = Buffer.alloc(0);
    const { size } = await handle.stat();
    for (;;) {
      const position = offset + rest.length;
      const length = Math.min(chunkSize, Math.max(size - position, 1024));
      const chunk = Buffer.allocUnsafe(length);
      const { bytesRead } = await handle.read(chunk, 0, length, position);
      if (bytesRead === 0) return offset;
      const read = chunk.subarray(0, bytesRead);
      const hasEnd = read.includes(lineEnd);
      rest = rest.length === 0 ? read : Buffer.concat([rest, read]);
      if (!hasEnd) continue;
      let start = 0;
      for (let end = rest.indexOf(lineEnd); end >= 0; end = rest.indexOf(lineEnd, start)) {
        const goesOn = take(rest.toString("utf8", start, end), offset + start, offset + end + 1);
        start = end + 1;
        if (!goesOn) return offset + start;
        if (slices.isSpent) await slices.next();
      }
      offset += start;
      rest = rest.subarray(start);
    }
  } finally {
    await handle.close();
  }
}
