/** Loads the built extension once for each fake window: each module is evaluated again, with the `vscode` of that window. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Module, SourceTextModule, SyntheticModule } from "node:vm";
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

/** The types of Node leave it out. */
interface CacheableModule extends SourceTextModule {
  createCachedData(): Buffer;
}

type Api = Readonly<Record<string, unknown>>;

/** To parse the chunks takes a fifth of a second, so each is parsed for the first window of a process only. */
const parsed = new Map<string, { readonly source: string; readonly cachedData: Buffer }>();

/** Node's own loader keeps every module for good; those of a closed window can be collected. */
class WindowModules {
  readonly #modules = new Map<string, Module>();
  /** A module that another import is linking can't be linked: one import after the other. */
  #linking: Promise<unknown> = Promise.resolve();

  constructor(api: Api) {
    this.#modules.set("vscode", namespaceModule("vscode", api));
  }

  async import(name: string): Promise<Module> {
    const linked = this.#linking.then(async () => {
      const module = await this.#find(name);
      if (module.status === "unlinked") await module.link((specifier, from) => this.#find(nameOf(specifier, from)));
      return module;
    });
    this.#linking = linked.catch(() => undefined);
    const module = await linked;
    await module.evaluate();
    return module;
  }

  /** `name`: the address of a chunk, `vscode`, or a module of Node. */
  async #find(name: string): Promise<Module> {
    const known = this.#modules.get(name);
    if (known) return known;
    if (name.startsWith("file:")) return this.#keep(name, this.#parse(name));
    const namespace = (await import(name)) as Api;
    return this.#modules.get(name) ?? this.#keep(name, namespaceModule(name, namespace));
  }

  #keep(name: string, module: Module): Module {
    this.#modules.set(name, module);
    return module;
  }

  #parse(url: string): Module {
    const known = parsed.get(url);
    const source = known?.source ?? readFileSync(fileURLToPath(url), "utf8");
    const module = new SourceTextModule(source, {
      identifier: url,
      ...(known && { cachedData: known.cachedData }),
      initializeImportMeta: (meta) => (meta.url = url),
      importModuleDynamically: (specifier, from) => this.import(nameOf(specifier, from as Module)),
    });
    if (!known) parsed.set(url, { source, cachedData: (module as CacheableModule).createCachedData() });
    return module;
  }
}

function nameOf(specifier: string, from: Module): string {
  return specifier.startsWith(".") ? new URL(specifier, from.identifier).href : specifier;
}

function namespaceModule(name: string, namespace: Api): Module {
  const names = Object.keys(namespace);
  return new SyntheticModule(
    names,
    function exportAll() {
      for (const key of names) this.setExport(key, namespace[key]);
    },
    { identifier: name },
  );
}

/** `root`: the folder with `dist`. */
export async function loadExtension(root: string, api: Api): Promise<BuiltExtension> {
  const entry = pathToFileURL(path.join(root, "dist", "extension.mjs"));
  const { namespace } = await new WindowModules(api).import(entry.href);
  return namespace as unknown as BuiltExtension;
}
