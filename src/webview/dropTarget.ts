/** Handles drops on a page and pasted images: images are taken as their bytes, files of VS Code as their URIs. */
import { referenceCap } from "../domain/chat/attachmentSchema";

interface DropOptions {
  images(files: readonly File[]): void;
  uris(uris: readonly string[]): void;
  /** Called with files that are no images and come without a URI. */
  refuse(files: readonly File[]): void;
}

/** The kinds in which VS Code names dragged files, the best one first. */
const uriTypes = ["application/vnd.code.uri-list", "text/uri-list"];

export function listenToDrops(page: HTMLElement, mark: (isOver: boolean) => void, options: DropOptions): void {
  page.addEventListener("dragover", (event) => {
    const { dataTransfer } = event;
    if (!dataTransfer?.types.some((type) => type === "Files" || uriTypes.includes(type))) return;
    event.preventDefault();
    dataTransfer.dropEffect = "copy";
    mark(true);
  });
  page.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) mark(false);
  });
  page.addEventListener("drop", (event) => {
    mark(false);
    if (event.dataTransfer === null) return;
    const uris = readUris(event.dataTransfer);
    const files = [...event.dataTransfer.files];
    if (uris.length === 0 && files.length === 0) return;
    event.preventDefault();
    const images = files.filter(isImage);
    if (uris.length > 0) options.uris(uris.slice(0, referenceCap));
    else if (images.length > 0) options.images(images);
    else options.refuse(files);
  });
}

function readUris(data: DataTransfer): readonly string[] {
  for (const type of uriTypes) {
    const lines = data.getData(type).split(/\r?\n/);
    const uris = lines.filter((line) => line !== "" && !line.startsWith("#") && line.length <= 4096);
    if (uris.length > 0) return uris;
  }
  return [];
}

/** The images among pasted data. Empty when it has a text, also if an image of that text comes with it, as from a table. */
export function pastedImages(data: DataTransfer | null): readonly File[] {
  if (data === null || data.types.includes("text/plain")) return [];
  return [...data.files].filter(isImage);
}

function isImage({ type }: File): boolean {
  return type.startsWith("image/");
}

/** The bytes of a file or picture as text, for a message to the host. */
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  // The bytes are converted in pieces, because a call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
