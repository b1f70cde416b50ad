/** Files of a project that are made of one result, each at its own path in its own format and size. Pure, for the form and its host. */

export interface ExactSize {
  /** Pixels; those of the result where one is missing. */
  readonly width?: number;
  readonly height?: number;
  /** Systems cut such an icon to their own shape, so its content lies in the middle. */
  readonly isMaskable?: true;
}

export interface ExactFile extends ExactSize {
  /** In the form, a path from the folder of the workspace; in a task, the URI. */
  readonly file: string;
}

/** The formats that are written here, by the ending in lower case. */
const writtenFormats = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "ico",
  ".icns": "icns",
} as const;
export type WrittenFormat = (typeof writtenFormats)[keyof typeof writtenFormats];
const formatOfEnding: ReadonlyMap<string, WrittenFormat> = new Map(Object.entries(writtenFormats));

/** The format in which a file of that name is written; `undefined` for one that can only be a copy of a result. */
export function writtenFormatOf(file: string): WrittenFormat | undefined {
  return formatOfEnding.get(splitEnding(file).ending.toLowerCase());
}

/** Splits a path before the ending of its name, whatever that is. A dot at the beginning of the name begins no ending. */
export function splitEnding(path: string): { readonly stem: string; readonly ending: string } {
  const ending = /(?<=[^/\\])\.[^./\\]*$/.exec(path)?.[0] ?? "";
  return { stem: path.slice(0, path.length - ending.length), ending };
}

/** Files of one result. */
export const maxExactFiles = 64;

/**
 * Returns the one of the sizes that a gateway lists, `1024x1024`, that is nearest in shape, then the smallest that is large enough. `undefined` where
 * none is listed or wanted.
 */
export function sizeToAskFor({ width, height }: ExactSize, sizes: readonly string[]): string | undefined {
  if (width === undefined || height === undefined) return undefined;
  const listed = sizes.flatMap((size) => {
    const [, across, down] = /^(\d+)[x×](\d+)$/i.exec(size) ?? [];
    return across === undefined || down === undefined ? [] : [{ size, across: Number(across), down: Number(down) }];
  });
  const badness = ({ across, down }: (typeof listed)[number]): readonly [number, number, number] => [
    Math.abs(Math.log(across / down / (width / height))),
    across >= width && down >= height ? 0 : 1,
    across * down,
  ];
  const better = (one: (typeof listed)[number], other: (typeof listed)[number]): number => {
    const [a, b] = [badness(one), badness(other)];
    if (Math.abs(a[0] - b[0]) > 0.01) return a[0] - b[0];
    if (a[1] !== b[1]) return a[1] - b[1];
    return a[1] === 0 ? a[2] - b[2] : b[2] - a[2];
  };
  return listed.toSorted(better)[0]?.size;
}
