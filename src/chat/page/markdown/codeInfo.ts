/** The info string of a code block: its language, and the file that some models name in it. */

export interface CodeInfo {
  /** The first word; empty when there is none. */
  readonly language: string;
  readonly file?: string;
}

/** Reads `ts`, `ts:src/app.ts`, `ts src/app.ts` and `ts title="src/app.ts"`. */
export function readCodeInfo(info: string): CodeInfo {
  const language = info.split(/[\s{,:]/, 1)[0] ?? "";
  const named =
    /(?:title|file|filename|path)=["']?([^"'\s}]+)/.exec(info) ?? /^[^\s{,:=]+[:\s]\s*([^\s{}="']+\.\w+)/.exec(info);
  const file = named?.[1];
  return { language, ...(file === undefined ? {} : { file }) };
}
