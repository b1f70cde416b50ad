/** The saved result of a task as Markdown: an image, or a video as HTML, with the prompt as its description. */
import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Task } from "../domain/task";
import { resultFile } from "./resultFile";
import { cutLabel } from "./taskRow";

/** `folder`: of the document, absolute; without it, or on another drive, the address is absolute. `undefined` without a saved file. */
export function markdownOf(task: Task, folder: string | undefined): string | undefined {
  const { intent } = task;
  const file = resultFile(task);
  if (file === undefined) return undefined;
  const address = addressOf(file.path, folder);
  // A prompt may hold anything: what Markdown or HTML would read is left out of a description.
  const description = cutLabel(intent.prompt, 100)
    .replaceAll(/[[\]<>&"\\`*_!|\r\n]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (intent.type === "video") return `<video src="${address}" title="${description}" controls></video>`;
  return `![${description}](${address})`;
}

function addressOf(path: string, folder: string | undefined): string {
  const near = folder === undefined ? path : relative(folder, path);
  if (isAbsolute(near)) return encodeMore(pathToFileURL(path).href);
  return encodeMore(near.split(sep).map(encodeURIComponent).join("/"));
}

/** Characters that an URL allows, and that would end the address in Markdown. */
function encodeMore(address: string): string {
  return address.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("'", "%27");
}
