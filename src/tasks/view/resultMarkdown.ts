/** The saved result of a task as Markdown, with the prompt as its description. */
import { pathToFileURL } from "node:url";
import type { Task } from "../../domain/task/task";
import { relativePath, writeReference } from "../results/reference";
import { resultFile } from "../results/resultFile";

/** `document`: its path, as `Uri.path` has it; without it, or on another drive, the address is absolute. `undefined` without a saved file. */
export function markdownOf(task: Task, document: string | undefined): string | undefined {
  const file = resultFile(task);
  if (file === undefined) return undefined;
  const url = pathToFileURL(file.path);
  const path = decodeURIComponent(url.pathname);
  const isNear = document !== undefined && driveOf(document) === driveOf(path);
  return writeReference("markdown", {
    alt: task.intent.prompt,
    path: isNear ? relativePath(document, path) : path,
    ...(isNear ? {} : { href: escapeAddress(url.href) }),
  });
}

function driveOf(path: string): string | undefined {
  return /^\/[a-z]:\//i.exec(path)?.[0].toLowerCase();
}

/** Characters that an URL allows, and that would end the address in Markdown. */
function escapeAddress(address: string): string {
  return address.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("'", "%27");
}
