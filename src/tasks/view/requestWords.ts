/** The words for what is sent of a task: its reference images, and its request that was copied as curl. */
import { t } from "@vscode/l10n";
import type { Task } from "../../domain/task/task";
import { pixelWords, sizeWords } from "../../domain/words/sizeWords";
import type { Reference, ReferenceProblem } from "../submit/references";

/** `harbour.png (PNG, 1,024 × 683, 34 KB)`. */
export function describeImageReference({ name, bytes, mimeType = "", size }: Reference): string {
  if (bytes === undefined) return t("{0} (read by the gateway)", name);
  const type = mimeType.replace("image/", "").toUpperCase();
  return size === undefined
    ? t("{0} ({1}, {2})", name, type, sizeWords(bytes))
    : t("{0} ({1}, {2}, {3})", name, type, pixelWords(size), sizeWords(bytes));
}

/** `limit` in bytes. */
export function describeReferenceProblem(name: string, problem: ReferenceProblem, limit: number): string {
  switch (problem) {
    case "empty":
      return t("{0} is empty.", name);
    case "no-image":
      return t("{0} is no image that Sluice knows: PNG, JPEG, WebP, GIF, AVIF or BMP.", name);
    case "too-large":
      return t("{0} is larger than {1}, the most that a reference image of a task may have.", name, sizeWords(limit));
    case "bad-url":
      return t("{0} is no address that begins with https: or http:.", name);
  }
}

/** The words for what running the copied request costs; `undefined` for that of a watched task, which only reads. */
export function describeCopiedKey({ intent }: Task): string | undefined {
  if (intent.isWatched === true) return undefined;
  return t(
    "Copied with the idempotency key of this task. Within 24 hours of the first request it makes no second task; later it may make a second, paid one. Set SLUICE_API_KEY before you run it.",
  );
}
