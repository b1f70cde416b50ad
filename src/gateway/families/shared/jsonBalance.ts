/** Follows JSON text as it arrives and knows where its values end, without parsing it again for each piece. */

export interface JsonBalance {
  push(text: string): void;
  /** The text so far is one or more whole objects or arrays and nothing has begun since. */
  readonly balanced: boolean;
  /** The offset behind each whole object or array at the top. */
  readonly ends: readonly number[];
}

export function createJsonBalance(): JsonBalance {
  let depth = 0;
  let offset = 0;
  let inString = false;
  let escaped = false;
  let trailing = false;
  const ends: number[] = [];
  return {
    push(text) {
      for (let at = 0; at < text.length; at++, offset++) {
        const code = text.charCodeAt(at);
        if (inString) {
          if (escaped) escaped = false;
          else if (code === 0x5c) escaped = true;
          else if (code === 0x22) inString = false;
          continue;
        }
        if (code === 0x22) inString = true;
        else if (code === 0x7b || code === 0x5b) depth += 1;
        else if (code === 0x7d || code === 0x5d) {
          depth -= 1;
          if (depth !== 0) continue;
          ends.push(offset + 1);
          trailing = false;
          continue;
        }
        if (depth === 0 && code > 0x20) trailing = true;
      }
    },
    get balanced() {
      return depth === 0 && ends.length > 0 && !trailing && !inString;
    },
    ends,
  };
}
