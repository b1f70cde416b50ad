/** Reference images of a task from files of the workspace: gated before a person is asked, and sent as they were then. */
import { createHash } from "node:crypto";
import type { ReferenceImage, TaskPort } from "../../domain/task/taskPort";
import { ToolRefusal } from "../../domain/tools/tool";
import type { AskReason } from "../../domain/chat/chat";
import type { Workspace } from "../../domain/tools/workspace";
import { reasonsToAskForRead } from "../gate/cautions";
import { readSmallFile } from "../gate/fileAccess";
import { gateAgain, type GatedFile, gateFile } from "../gate/fileGate";

export interface GatedImages {
  /** Paths with their sizes, for the person. */
  readonly labels: readonly string[];
  readonly reasons: readonly AskReason[];
  /** Rejects with a `ToolRefusal` when a file is not what it was. */
  read(signal: AbortSignal): Promise<readonly ReferenceImage[]>;
}

interface GatedImage {
  readonly file: GatedFile;
  readonly digest: string;
  readonly label: string;
}

/** Rejects with a `ToolRefusal` for a path outside of the workspace, and for what is no picture or too large. */
export async function gateImages(
  workspace: Workspace,
  tasks: TaskPort,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<GatedImages> {
  const images: GatedImage[] = [];
  for (const path of paths) {
    const file = await gateFile(workspace, path, signal);
    const { bytes } = await readImageFile(workspace, tasks, file);
    images.push({ file, digest: digestOf(bytes), label: `${file.label} (${Math.ceil(bytes.length / 1000)} KB)` });
  }
  return {
    labels: images.map(({ label }) => label),
    reasons: images.flatMap(({ file }) => reasonsToAskForRead(file.cautions) ?? []),
    async read(running) {
      const read: ReferenceImage[] = [];
      for (const { file, digest } of images) {
        const image = await readImageFile(workspace, tasks, await gateAgain(gateFile, workspace, file, running));
        if (digestOf(image.bytes) !== digest) throw new ToolRefusal(`${file.label} was changed meanwhile. Call again.`);
        read.push(image);
      }
      return read;
    },
  };
}

async function readImageFile(
  workspace: Workspace,
  tasks: TaskPort,
  { real, label }: GatedFile,
): Promise<ReferenceImage> {
  const bytes = await readSmallFile(workspace, real, tasks.referenceLimit());
  if (typeof bytes === "string")
    throw new ToolRefusal(`${label} can't be read, or has more than ${tasks.referenceLimit()} bytes.`);
  const image = { name: label, bytes };
  if (!tasks.isImage(image)) throw new ToolRefusal(`${label} is not an image (PNG, JPEG, GIF, WebP, AVIF, BMP).`);
  return image;
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}
