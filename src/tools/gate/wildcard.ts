/**
 * git's wildmatch as a finite automaton: at most pattern × text steps, whatever the pattern, bounded by the caller's
 * budget. Both are byte strings (latin1), because git's `?` and `[…]` match bytes.
 */

/** Remaining steps of matching; below zero the last result is not valid. */
export interface MatchBudget {
  left: number;
}

export interface WildcardOptions {
  /** Whether whole paths are matched, in which only `**` crosses a slash. */
  readonly paths: boolean;
  readonly ignoreCase: boolean;
}

type Token =
  | { readonly type: "byte"; readonly byte: number }
  | { readonly type: "set"; readonly has: Uint8Array }
  /** Any run of bytes, with or without slashes. */
  | { readonly type: "run"; readonly slashes: boolean }
  /** It comes before `**` + `/`: both are skipped, or a run and a slash follow. */
  | { readonly type: "optional-folders" };

const [slash, backslash, question, star, bracket] = Array.from("/\\?*[", (char) => char.charCodeAt(0));

export type Matcher = (text: string, budget: MatchBudget) => boolean;

export function compileWildcard(pattern: string, options: WildcardOptions): Matcher {
  const tokens = readTokens(pattern, options);
  if (!tokens) return () => false;
  const { ignoreCase } = options;
  const seen = new Uint32Array(tokens.length + 1);
  let generation = 0;
  const add = (states: number[], state: number): void => {
    if (seen[state] === generation) return;
    seen[state] = generation;
    states.push(state);
    const type = tokens[state]?.type;
    if (type === "run" || type === "optional-folders") add(states, state + 1);
    if (type === "optional-folders") add(states, state + 3);
  };
  return (text, budget) => {
    generation += 1;
    let states: number[] = [];
    add(states, 0);
    for (let at = 0; at < text.length && states.length > 0 && budget.left >= 0; at += 1) {
      budget.left -= states.length;
      const byte = ignoreCase ? lower(text.charCodeAt(at)) : text.charCodeAt(at);
      const next: number[] = [];
      generation += 1;
      for (const state of states) {
        const token = tokens[state];
        if (token?.type === "byte" ? token.byte === byte : token?.type === "set" && token.has[byte] === 1) {
          add(next, state + 1);
        } else if (token?.type === "run" && (token.slashes || byte !== slash)) add(next, state);
      }
      states = next;
    }
    return states.includes(tokens.length);
  };
}

// They are shared, because a rule file may hold 250,000 of them.
const anyByte: Token = { type: "set", has: new Uint8Array(256).fill(1) };
const anyButSlash: Token = { type: "set", has: new Uint8Array(256).fill(1).fill(0, slash, (slash ?? 0) + 1) };

/** `undefined` for a pattern that matches no text. */
function readTokens(pattern: string, { paths, ignoreCase }: WildcardOptions): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const byte = pattern.charCodeAt(at);
    if (byte === star) {
      const first = at;
      while (pattern.charCodeAt(at + 1) === star) at += 1;
      const isDouble = at > first;
      // `**` is more than `*` only as a whole segment.
      const after = pattern.slice(at + 1, at + 3);
      const isSegment =
        (first === 0 || pattern.charCodeAt(first - 1) === slash) &&
        (after === "" || after.startsWith("/") || after === "\\/");
      if (isDouble && paths && isSegment && after.startsWith("/")) tokens.push({ type: "optional-folders" });
      tokens.push({ type: "run", slashes: !paths || (isDouble && isSegment) });
    } else if (byte === question) {
      tokens.push(paths ? anyButSlash : anyByte);
    } else if (byte === bracket) {
      const set = readSet(pattern, at, ignoreCase);
      if (!set) return undefined;
      if (paths) set.has[slash ?? 0] = 0;
      tokens.push({ type: "set", has: set.has });
      at = set.end;
    } else if (byte === backslash) {
      at += 1;
      if (at === pattern.length) return undefined;
      tokens.push({ type: "byte", byte: pattern.charCodeAt(at) });
    } else tokens.push({ type: "byte", byte: ignoreCase ? lower(byte) : byte });
  }
  return tokens;
}

/** The set that begins at a `[`; `end` is the position of its `]`. `undefined` without one or for an unknown class. */
function readSet(pattern: string, begin: number, ignoreCase: boolean): { has: Uint8Array; end: number } | undefined {
  const byteAt = (at: number): number => (at < pattern.length ? pattern.charCodeAt(at) : 0);
  const charAt = (at: number): string => pattern.charAt(at);
  let at = begin + 1;
  const isNegated = charAt(at) === "!" || charAt(at) === "^";
  if (isNegated) at += 1;
  const has = new Uint8Array(256);
  let previous = 0;
  do {
    let current = byteAt(at);
    if (current === 0) return undefined;
    if (charAt(at) === "\\") {
      at += 1;
      current = byteAt(at);
      if (current === 0) return undefined;
      has[current] = 1;
    } else if (charAt(at) === "-" && previous !== 0 && byteAt(at + 1) !== 0 && charAt(at + 1) !== "]") {
      at += charAt(at + 1) === "\\" ? 2 : 1;
      const last = byteAt(at);
      if (last === 0) return undefined;
      for (let byte = previous; byte <= last; byte += 1) {
        has[byte] = 1;
        if (ignoreCase) has[lower(byte)] = 1;
      }
      current = 0;
    } else if (charAt(at) === "[" && charAt(at + 1) === ":") {
      const close = pattern.indexOf("]", at + 2);
      if (close < 0) return undefined;
      if (close === at + 2 || charAt(close - 1) !== ":" || close - 1 < at + 2) has[current] = 1;
      else {
        const isMember = classes[pattern.slice(at + 2, close - 1)];
        if (!isMember) return undefined;
        for (let byte = 0; byte < 128; byte += 1) {
          if (isMember.test(String.fromCharCode(byte))) has[ignoreCase ? lower(byte) : byte] = 1;
        }
        at = close;
        current = 0;
      }
    } else has[current] = 1;
    previous = current;
    at += 1;
  } while (charAt(at) !== "]");
  if (isNegated) for (let byte = 0; byte < 256; byte += 1) has[byte] = has[byte] === 1 ? 0 : 1;
  return { has, end: at };
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[a-f\d]/i,
};

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
