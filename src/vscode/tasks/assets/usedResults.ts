/** Which results are used in the project: those whose file is in the workspace and is named in a document, a style sheet or code of it (T15). */
import * as vscode from "vscode";
import { MediaNames } from "../../../domain/task/mediaNames";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";

/** Endings of files that name pictures and videos. */
const searched =
  "**/*.{md,mdx,markdown,qmd,rmd,rst,adoc,tex,txt,html,htm,xhtml,css,scss,sass,less,js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte,astro,hbs,ejs,pug,njk,liquid,php,erb,razor,cshtml,json,jsonc,yaml,yml,toml,xml,svg,py,rb,go,rs,java,kt,swift,dart,cs,c,cpp,h,lua,gd,tscn,ipynb}";
const skipped = "**/{node_modules,bower_components,vendor,dist,out,build,target,coverage,.git,.next,.venv}/**";
const maxFiles = 20_000;
/** Bytes: a longer file is data. */
const maxLength = 1024 * 1024;
/** Files that are read at once. */
const atOnce = 16;

/** Their ids. Rejects with an abort only; a file that can't be read names nothing. */
export async function findUsedResults(tasks: Iterable<Task>, signal: AbortSignal): Promise<readonly string[]> {
  const placed = [...tasks].flatMap((task) => {
    const name = placedName(task);
    return name === undefined ? [] : [{ id: task.intent.id, name }];
  });
  if (placed.length === 0) return [];
  const names = new MediaNames(placed.map(({ name }) => name));
  const files = [...(await vscode.workspace.findFiles(searched, skipped, maxFiles))];
  const found = new Set<string>();
  const read = async (): Promise<void> => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      signal.throwIfAborted();
      for (const name of names.in(await textOf(file))) found.add(name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, read));
  return placed.filter(({ name }) => found.has(name)).map(({ id }) => id);
}

/** The last part of its path, where it is in a folder of this window. */
function placedName(task: Task): string | undefined {
  const placement = acceptedOf(task)?.placement;
  if (placement?.state !== "placed") return undefined;
  const file = vscode.Uri.parse(placement.file);
  return vscode.workspace.getWorkspaceFolder(file) && file.path.split("/").at(-1);
}

async function textOf(file: vscode.Uri): Promise<string> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    return size > maxLength ? "" : new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    return "";
  }
}
