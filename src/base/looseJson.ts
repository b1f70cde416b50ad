/** Reads JSON with the mistakes that some programs make, for answers that were paid for. */
import { parseJson } from "./jsonValue";

/** Values of Python and JavaScript that JSON does not have. */
const words: Readonly<Record<string, string>> = {
  NaN: "null",
  nan: "null",
  Infinity: "null",
  inf: "null",
  None: "null",
  undefined: "null",
  True: "true",
  False: "false",
};

/** How often a text may be JSON in JSON. */
const maxLayers = 3;

/** The value; `undefined` for text that can't be read as JSON in any of these forms. A text that is JSON again is read again. */
export function parseLooseJson(text: string): unknown {
  let value: unknown = text.replace(/^\uFEFF/, "");
  for (let layer = 0; layer < maxLayers && typeof value === "string"; layer += 1) {
    const read = parseJson(value) ?? parseRepaired(value);
    // A text that is no JSON is the value itself, once it was in a JSON text.
    if (read === undefined) return layer === 0 ? undefined : value;
    value = read;
  }
  return value;
}

function parseRepaired(text: string): unknown {
  const repaired = repair(text);
  return repaired === undefined ? undefined : parseJson(repaired);
}

/** One pass: words and single quotes outside of strings are rewritten, and a comma before a closing bracket is left out. */
function repair(text: string): string | undefined {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const one = text.charAt(at);
    if (one === '"' || one === "'") {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      parts.push(one === '"' ? text.slice(at, end) : requoted(text.slice(at + 1, end - 1)));
      at = end;
    } else if (isLetter(one)) {
      const begin = at;
      while (at < text.length && isLetter(text.charAt(at))) at += 1;
      const word = text.slice(begin, at);
      const known = Object.hasOwn(words, word) ? words[word] : undefined;
      if (known === "null" && parts.at(-1) === "-") parts.pop();
      parts.push(known ?? word);
    } else {
      // Several blanks are one, so that a comma before a bracket is one of the last two parts.
      if (one === "]" || one === "}") {
        if (parts.at(-1) === " ") parts.pop();
        if (parts.at(-1) === ",") parts.pop();
      }
      if (!isBlank(one)) parts.push(one);
      else if (parts.at(-1) !== " ") parts.push(" ");
      at += 1;
    }
  }
  return parts.join("");
}

function endOfString(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (one === "\\") at += 1;
    else if (one === quote) return at + 1;
  }
  return undefined;
}

function requoted(inner: string): string {
  const escaped = inner.replaceAll(/\\(x[0-9a-f]{2}|[^])|"/gi, (whole, escape: string | undefined) => {
    if (escape === undefined) return '\\"';
    if (escape === "'") return "'";
    return /^x./i.test(escape) ? `\\u00${escape.slice(1)}` : whole;
  });
  return `"${escaped}"`;
}

function isLetter(one: string): boolean {
  return /[A-Za-z_]/.test(one);
}

function isBlank(one: string): boolean {
  return /\s/.test(one);
}
