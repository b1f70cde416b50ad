/** Bundles a module of the tests with sources that import the editor or are changed for the test, and loads it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** In place of `vscode`: rows are made of these classes; nothing of them is called. */
const editorStub: Plugin = {
  name: "editor stub",
  setup(building) {
    building.onResolve({ filter: /^vscode$/ }, () => ({ path: "vscode", namespace: "stub" }));
    building.onLoad({ filter: /.*/, namespace: "stub" }, () => ({
      contents: `export class TreeItem { constructor(label) { this.label = label; } }
        export class ThemeIcon {} export class ThemeColor {}
        export const env = { language: "en" }; export const TreeItemCollapsibleState = {};
        export const window = {}, commands = {}, QuickPickItemKind = {}, ProgressLocation = {}, StatusBarAlignment = {}, Uri = {};
        export const workspace = {}, QuickInputButtons = {};`,
    }));
  },
};

export interface BundledProbe<Module> {
  readonly module: Module;
  /** The temporary folder that has the bundle. */
  readonly folder: string;
  remove(): Promise<void>;
}

export async function bundleProbe<Module>(entry: string, ...plugins: readonly Plugin[]): Promise<BundledProbe<Module>> {
  const folder = await mkdtemp(join(tmpdir(), "probe-"));
  const outfile = join(folder, "probe.mjs");
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    plugins: [...plugins, editorStub],
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  const module = (await import(pathToFileURL(outfile).href)) as Module;
  return { module, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
