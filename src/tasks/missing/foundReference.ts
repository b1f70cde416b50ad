/** A reference to a picture or video in a document: where it is, and how it is used there. */

/**
 * `module`: a bundler reads the path from the document. `page`: a browser reads it, from the page or the site's root. `style`: as a page, from the
 * style sheet. `icon`, `social`: pictures of a site for systems and other sites, which have usual sizes. `config`: a program reads it from its
 * configuration.
 */
export type ReferenceUse = "module" | "page" | "style" | "icon" | "social" | "config";

export interface FoundReference {
  /** The path as it is written, without what delimits it. */
  readonly written: string;
  /** The offsets of the written text. */
  readonly start: number;
  readonly end: number;
  readonly use: ReferenceUse;
  /** Pixels of the file that the document declares. */
  readonly width?: number;
  readonly height?: number;
  /** The words of the document for what the picture shows. */
  readonly alt?: string;
  /** Words around it: a heading, the name of an app, a selector. */
  readonly near?: string;
  /** Systems cut such an icon to their own shape. */
  readonly isMaskable?: true;
  /** The path is read from the folder that is served, also without a slash at its beginning. */
  readonly isServed?: true;
  /** The reference is a value of data, which code may put a folder in front of. */
  readonly isData?: true;
}

/** Which paths are looked for. */
export type PathTest = (written: string) => boolean;

/** References of one document that are looked at: one that was made to have more costs no more. */
export const maxReferences = 2000;
/** Characters around a place in which its attributes, its rule or its words are looked for. */
export const contextLength = 1000;
/** Characters of a path. */
export const maxPath = 1000;

/** The endings without the dot. Drawings in SVG are left out: no model makes them. */
const pictureEndings = "png|jpe?g|webp|gif|avif|ico|icns";
const videoEndings = "mp4|webm|mov|m4v";
/** Matches a path by its ending. A program that is asked for a picture by its query, such as `render.php?file=a.png`, does not match. */
const mediaPath = new RegExp(`^[^?#]*\\.(?:${pictureEndings}|${videoEndings})(?:[?#]|$)`, "i");
const videoPath = new RegExp(`\\.(?:${videoEndings})$`, "i");
const anyMedia = new RegExp(`\\.(?:${pictureEndings}|${videoEndings})(?![\\w-])`, "i");

/** Whether a text names a picture or video at all; a text without such a name is not looked through. */
export function mayNameMedia(text: string): boolean {
  return anyMedia.test(text);
}

export function isVideoPath(path: string): boolean {
  return videoPath.test(path);
}

/** Whether a path names a medium that can be made, and leads to a file of the project: no address, no expression of a template, no data. */
export function isMediaPath(written: string): boolean {
  if (written.length > maxPath || !mediaPath.test(written)) return false;
  return !/^(?:[a-z][\w+.-]*:|\/\/|\\|#)/i.test(written) && !hasExpression(written);
}

/** Whether the path has a part that templates, bundlers or shells fill in. Names that stand for the root of the site are read by `servedPath`. */
function hasExpression(written: string): boolean {
  return /[{}<>*|`"\n\r\t]|\$\(|%[A-Za-z_.]+%|#\{|@\{|\[\[|\]\]|__[A-Z_]+__/.test(written);
}

/** Removes a name that frameworks replace by the root of the site: the rest is a path from there. */
export function servedPath(written: string): string {
  return written.replace(/^%(?:PUBLIC_URL|sveltekit\.assets|BASE_URL)%/, "");
}

const numberOf = (text: string | undefined): number | undefined => {
  const pixels = Number(text);
  return Number.isInteger(pixels) && pixels > 0 && pixels <= 16_384 ? pixels : undefined;
};

/** Pixels of `640`, `640px`, `{640}`. */
export function pixelsOf(value: string | undefined): number | undefined {
  return numberOf(/^\{?["']?(\d{1,5})(?:px)?["']?\}?$/.exec((value ?? "").replaceAll(/\s/g, ""))?.[1]);
}

/** The largest of `16x16 32x32`. */
export function largestSize(
  sizes: string | undefined,
): { readonly width: number; readonly height: number } | undefined {
  let best: { readonly width: number; readonly height: number } | undefined;
  for (const [, across, down] of (sizes ?? "").slice(0, 200).matchAll(/\b(\d{1,5})[x×](\d{1,5})\b/gi)) {
    const [width, height] = [numberOf(across), numberOf(down)];
    if (width !== undefined && height !== undefined && width > (best?.width ?? 0)) best = { width, height };
  }
  return best;
}
