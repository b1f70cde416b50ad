/**
 * Derives what is to be made for a reference that leads nowhere: pixels, whether it is transparent, a first prompt, and which others are made of the
 * same picture. Pure.
 */
import { definedFields } from "../../base/definedFields";
import { type FoundReference, isVideoPath } from "./foundReference";

export interface WantedFile {
  /** The path from the root. */
  readonly path: string;
  /** Pixels, where the document or the file's name states them. */
  readonly width?: number;
  readonly height?: number;
  readonly isTransparent: boolean;
  readonly isMaskable?: true;
  readonly isVideo: boolean;
  /** Files with the same set are sizes of one picture. */
  readonly set?: "icon" | "social";
  readonly prompt: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const square = (side: number): Size => ({ width: side, height: side });

/** Sizes by usual names, where nothing else states them. */
const namedSizes: readonly (readonly [RegExp, Size])[] = [
  [/^apple-touch-icon/i, square(180)],
  [/^apple-icon/i, square(180)],
  [/^favicon\.(?:png|webp)$/i, square(48)],
  [/\.icns$/i, square(1024)],
  [
    /^(?:og|og[-_]?image|opengraph[-_]?image|twitter[-_]?image|twitter[-_]?card|social[-_]?(?:card|image|preview)|share[-_]?image|preview[-_]?card)\.\w+$/i,
    { width: 1200, height: 630 },
  ],
  [/^(?:app-?)?icon\.(?:png|webp)$/i, square(512)],
];
const socialSize: Size = { width: 1200, height: 630 };

export function wantedFile(path: string, reference: FoundReference): WantedFile {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isVideo = isVideoPath(path);
  const set = isVideo ? undefined : setOf(name, reference);
  const { isMaskable } = reference;
  const size = isVideo ? declared(reference) : sizeOf(name, reference, set);
  const isOpaque =
    /\.(?:jpe?g)$/i.test(name) || isMaskable === true || /^(?:apple-|splash|adaptive.*background)/i.test(name);
  const isDrawn =
    set === "icon" || /(?:^|[-_])(?:logo|icon|badge|mascot|sprite|sticker|avatar|cutout)(?:[-_.@\d]|$)/i.test(name);
  return {
    path,
    isVideo,
    isTransparent: !isVideo && !isOpaque && isDrawn && set !== "social",
    prompt: promptOf(name, reference, set),
    ...definedFields({ isMaskable, set }),
    ...size,
  };
}

function setOf(name: string, { use }: FoundReference): WantedFile["set"] {
  if (use === "social") return "social";
  return use === "icon" && !/splash|logo|banner/i.test(name) ? "icon" : undefined;
}

function declared({ width, height }: FoundReference): Partial<Size> {
  return definedFields({ width, height });
}

/** A size in the name, such as `32x32.png` or `128x128@2x.png`, comes before the one that the document states. */
function sizeOf(name: string, reference: FoundReference, set: WantedFile["set"]): Partial<Size> {
  if (/\.ico$/i.test(name)) return square(Math.min(reference.width ?? 48, 256));
  const [, across, down, factor] = /(?<!\d)(\d{1,4})x(\d{1,4})(?:@([23])x)?(?!\d)/i.exec(name) ?? [];
  if (across !== undefined && down !== undefined) {
    const times = Number(factor ?? 1);
    if (Number(across) > 0 && Number(down) > 0) return { width: Number(across) * times, height: Number(down) * times };
  }
  const own = declared(reference);
  if (own.width !== undefined || own.height !== undefined) return own;
  if (set === "icon") {
    const side = Number(
      /[-_](16|24|32|48|57|60|64|72|76|96|114|120|128|144|150|152|167|180|192|256|310|384|512|1024)\.\w+$/.exec(
        name,
      )?.[1] ?? 0,
    );
    if (side > 0) return square(side);
  }
  const named = namedSizes.find(([pattern]) => pattern.test(name))?.[1];
  if (named) return named;
  return set === "social" ? socialSize : set === "icon" ? square(512) : {};
}

/** Characters of a prompt that is proposed. */
const maxPrompt = 400;

function promptOf(name: string, { alt = "", near = "" }: FoundReference, set: WantedFile["set"]): string {
  const own = plain(alt);
  const words = plain(near);
  const named = plain(
    name
      .replace(/\.\w+$/, "")
      .replaceAll(/[-_@.]+|(?<=[a-z])(?=[A-Z])/g, " ")
      .replaceAll(/\b\d+x?\d*\b|\b(?:img|image|final|v\d+)\b/gi, " "),
  );
  const subject = own !== "" ? own : named;
  const about = words !== "" && !subject.toLowerCase().includes(words.toLowerCase()) ? words : "";
  if (set === "icon") return cut(`App icon for ${about || own || named}: one simple, bold shape, centred`);
  if (set === "social") return cut(`Preview picture of ${about || own || named}`);
  return cut(own.split(" ").length >= 4 || about === "" ? subject : `${subject} (${about})`);
}

/** Makes one line without control characters, invisible characters and marks of templates. */
function plain(text: string): string {
  return text
    .slice(0, maxPrompt * 2)
    .replaceAll(/\{\{[^{}]*\}\}|<[^<>]*>|&\w{1,10};/g, " ")
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Co}`*_#[\]{}<>|\\]+/gu, " ")
    .trim();
}

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= maxPrompt ? text : characters.slice(0, maxPrompt).join("").trimEnd();
}
