/** Prepares an image for a model: recognises it by its bytes, and scales one that exceeds the bounds of services where that is possible. */
import {
  imagePixelCap,
  imageSideCap,
  imageSizeCap,
  type ImageType,
  imageTypeOf,
  scalableSizeCap,
  scaledSide,
} from "../../domain/chat/imageTypes";
import { imageSizeOf, orientationOf } from "../../domain/media/imageSize";
import type { ScaleImage, ShownImage } from "../../domain/tools/toolPorts";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { openRegularFile } from "../gate/fileAccess";
import type { GatedFile } from "../gate/fileGate";

export interface FittedImage {
  readonly image: ShownImage;
  /** *PNG image, 640 × 480 pixels*, for the model. */
  readonly words: string;
}

const remedy = "Make a smaller copy of it with a command, and read that.";
const kinds: Readonly<Record<ImageType, string>> = {
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "image/gif": "GIF",
  "image/webp": "WebP",
};

/** Returns a sentence for the model where the image can't be shown. Rejects with an abort only. */
export async function fitImage(
  bytes: Uint8Array,
  name: string,
  scale: ScaleImage,
  signal: AbortSignal,
): Promise<FittedImage | string> {
  const type = imageTypeOf(bytes);
  if (type === undefined) return "It is no PNG, JPEG, GIF or WebP image.";
  const size = imageSizeOf(bytes, type);
  if (size === undefined) return `It is a damaged ${kinds[type]} image.`;
  const orientation = orientationOf(bytes, type);
  const isSideways = orientation >= 5;
  const pixels = isSideways ? `${size.height} × ${size.width} pixels` : `${size.width} × ${size.height} pixels`;
  const words = `${kinds[type]} image, ${pixels}`;
  const side = Math.max(size.width, size.height);
  if (bytes.length <= imageSizeCap && side <= imageSideCap) {
    // Most services ignore EXIF: the model would see the picture on its side, while a person sees it upright.
    const upright =
      orientation === 1 ? undefined : await scale(bytes, side, signal).then((made) => made && readScaled(made));
    if (upright !== undefined) return { image: { name, ...upright }, words: `${words}, turned upright for you` };
    const image = { name, mimeType: type, bytes, ...size };
    return orientation === 1
      ? { image, words }
      : {
          image,
          words: `${words}. A viewer turns it by its EXIF orientation ${orientation}; you see it as it is stored`,
        };
  }
  if (size.width * size.height > imagePixelCap || bytes.length > scalableSizeCap)
    return `It has ${pixels} and ${bytes.length} bytes, which is too much to be looked at. ${remedy}`;
  const scaled = await scale(bytes, Math.min(side, scaledSide), signal);
  const fitted = scaled && readScaled(scaled);
  if (fitted === undefined)
    return `It has ${pixels} and ${bytes.length} bytes. At most ${imageSideCap} pixels a side and ${Math.floor(imageSizeCap / 1000)} KB can be looked at, and it could not be scaled here. ${remedy}`;
  return {
    image: { name, ...fitted },
    words: `${words}, scaled to ${fitted.width} × ${fitted.height} for you`,
  };
}

/** The scaler's output is checked like any other image. */
function readScaled(bytes: Uint8Array): Omit<ShownImage, "name"> | undefined {
  const mimeType = imageTypeOf(bytes);
  const size = mimeType && imageSizeOf(bytes, mimeType);
  if (mimeType === undefined || size === undefined || bytes.length > imageSizeCap) return undefined;
  return Math.max(size.width, size.height) > imageSideCap ? undefined : { mimeType, bytes, ...size };
}

/** Bytes of the beginning of a file, which show its type. */
const startLength = 32;

/** `undefined` for any other file. Rejects with a `ToolRefusal` for one that is too large, or has become another one. */
export async function readWorkspaceImage(
  workspace: ReadableWorkspace,
  { path, real, label, cautions }: GatedFile,
): Promise<Uint8Array | undefined> {
  if (workspace.shownText(path) !== undefined) return undefined;
  const file = await openRegularFile(workspace, real, label);
  try {
    if (imageTypeOf(await file.read(startLength)) === undefined) return undefined;
    if (file.status.links > 1 && !cautions.includes("hard-link"))
      throw new ToolRefusal(`${label} has another name on this disk by now. Call again.`);
    const bytes = await file.read(scalableSizeCap + 1);
    if (bytes.length <= scalableSizeCap) return bytes;
    throw new ToolRefusal(
      `${label} has more than ${scalableSizeCap / 1024 ** 2} MB. Make a smaller copy of the image with a command, and read that.`,
    );
  } finally {
    await file.close();
  }
}
