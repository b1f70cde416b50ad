// Searches for text in an extension host, through the workspace of VS Code, and writes each round as JSON.
import { writeFile } from "node:fs/promises";
import { createWorkspaceFiles } from "../../src/tools/host/workspaceFiles";
import { measureSearches } from "./measure.mjs";

/** VS Code calls this function. */
export async function run() {
  /** @type {import("./measure.mjs").Setup & { out: string }} */
  const { out, ...setup } = JSON.parse(process.env["SLUICE_BENCH_SEARCH"] ?? "");
  await writeFile(out, JSON.stringify(await measureSearches(createWorkspaceFiles(), setup, ["text"])));
}
