/** Loads the built extension once for each fake window: each module is evaluated again, with the `vscode` of that window. */
import { registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type * as vscode from "vscode";
import type { MonotonicClock } from "../../../src/base/clock";
import type { ExtensionInside } from "../../../src/extension";

interface BuiltExtension {
  activate(
    context: vscode.ExtensionContext,
    options: { readonly clock: MonotonicClock },
  ): Promise<ExtensionInside | undefined>;
  deactivate(): Promise<void>;
}

type Api = Readonly<Record<string, unknown>>;

/** For all bundles of tests in this process: the resolver is installed once. */
interface Loaded {
  readonly apis: Map<string, Api>;
}

const loadedKey = Symbol.for("sluice.fakeVscode");
const scheme = "fake-vscode:";

function loaded(): Loaded {
  const shared = globalThis as unknown as Record<symbol, Loaded | undefined>;
  const known = shared[loadedKey];
  if (known) return known;
  const apis = new Map<string, Api>();
  shared[loadedKey] = { apis };
  registerHooks({
    resolve(specifier, context, next) {
      const id = idOf(context.parentURL);
      if (id === undefined) return next(specifier, context);
      if (specifier === "vscode") return { url: `${scheme}${id}`, shortCircuit: true };
      const found = next(specifier, context);
      return found.url.startsWith("file:") && specifier.startsWith(".")
        ? { ...found, url: `${found.url}?window=${id}` }
        : found;
    },
    load(url, context, next) {
      if (!url.startsWith(scheme)) return next(url, context);
      const id = url.slice(scheme.length);
      const members = Object.keys(apis.get(id) ?? {});
      const lines = members.map((name) => `export const ${name} = api[${JSON.stringify(name)}];`);
      const source = `const api = globalThis[Symbol.for("sluice.fakeVscode")].apis.get(${JSON.stringify(id)});\n${lines.join("\n")}`;
      return { format: "module", source, shortCircuit: true };
    },
  });
  return shared[loadedKey];
}

function idOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : /[?&]window=(\d+)/.exec(url)?.[1];
}

/** `root`: the folder with `dist`. */
export async function loadExtension(root: string, api: Api): Promise<BuiltExtension> {
  const { apis } = loaded();
  const id = String(apis.size + 1);
  apis.set(id, api);
  const entry = pathToFileURL(path.join(root, "dist", "extension.mjs"));
  return (await import(`${entry.href}?window=${id}`)) as BuiltExtension;
}
