/** Makes an image smaller with the browser's own decoders, for the host, which has none. */
import { imageSizeCap } from "../../../domain/chat/imageTypes";
import { base64Of } from "../../../webview/dropTarget";

/** `data` is base64. */
export function blobOf(data: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))]);
}

/** The longer side is `side` pixels then. As base64; `undefined` for what can't be decoded. */
export async function scaleImage(data: string, side: number): Promise<string | undefined> {
  try {
    const picture = await createImageBitmap(blobOf(data));
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(picture.width * scale)),
      Math.max(1, Math.round(picture.height * scale)),
    );
    const context = canvas.getContext("2d");
    if (context === null) return undefined;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const plain = await canvas.convertToBlob({ type: "image/png" });
    // A photo is far smaller as JPEG; edges and transparency are kept as PNG.
    const blob = plain.size > imageSizeCap ? await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 }) : plain;
    return blob.size > imageSizeCap ? undefined : await base64Of(blob);
  } catch {
    return undefined;
  }
}
