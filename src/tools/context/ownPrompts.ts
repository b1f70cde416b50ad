/** The person's own prompt files, in a folder of the extension's storage. */
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissingPath } from "../../base/systemErrors";
import { decodeText } from "../../base/text/decodeText";

export interface OwnPromptFile {
  /** What the file is called, without its ending. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Files, and bytes that are read of each. */
const bounds = { files: 200, each: 64 * 1024 };

/** Sorted by name; none without the folder. Rejects with the error of the file system. */
export async function readOwnPrompts(folder: string): Promise<readonly OwnPromptFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissingPath(error)) return [];
    throw error;
  });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".md"))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, bounds.files);
  const read = await Promise.all(
    files.map(async ({ name }): Promise<OwnPromptFile[]> => {
      const path = join(folder, name);
      const text = await readText(path);
      return text === undefined ? [] : [{ name: name.replace(/(?:\.prompt)?\.md$/i, ""), path, text }];
    }),
  );
  return read.flat();
}

/** `undefined` for what is gone or is no text. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bounds.each), 0, bounds.each, 0);
      const { text } = decodeText(buffer.subarray(0, bytesRead));
      return text.includes("\0") ? undefined : text;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
