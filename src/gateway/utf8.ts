/** Bytes in any pieces to text: a character that is cut between two pieces waits for its rest (F11). */

export interface Utf8Reader {
  push(bytes: Uint8Array): string;
  /** What is left of a character that never came whole, as U+FFFD. */
  end(): string;
}

const byteOrderMark = "\uFEFF";

/**
 * A `TextDecoder` that is told of a stream decodes several times slower than one that sees whole characters only
 * (`npm run bench -- stream`), so the cut is made here: right before the last character, if it is not whole.
 */
export function createUtf8Reader(): Utf8Reader {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let left: Uint8Array | undefined;
  let isBeginning = true;

  const decode = (bytes: Uint8Array): string => {
    const text = decoder.decode(bytes);
    if (!isBeginning || text === "") return text;
    isBeginning = false;
    return text.startsWith(byteOrderMark) ? text.slice(1) : text;
  };

  return {
    push(piece) {
      const bytes = left === undefined ? piece : Buffer.concat([left, piece]);
      const whole = wholeLength(bytes);
      left = whole === bytes.length ? undefined : bytes.slice(whole);
      return decode(left === undefined ? bytes : bytes.subarray(0, whole));
    },
    end: () => (left === undefined ? "" : decode(left)),
  };
}

/** How many bytes there are before a character at the end that is not whole yet. */
function wholeLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return back < lengthOf(byte) ? length - back : length;
  }
  return length;
}

/** Of the character that begins with this byte. */
function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
