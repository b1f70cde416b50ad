/** Loads the built extension once for each fake window: each module is evaluated again, with the `vscode` of that window. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
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

/** Modules by name: `vscode`, and those in place of Node's. */
type Given = Readonly<Record<string, unknown>>;
type Require = (name: string) => unknown;
type ModuleFunction = (module: { exports: unknown }, require: Require, moduleUrl: string) => void;

/**
 * The compiled chunks by their paths. A script can be run again for each window without compiling it again, and keeps what V8 has compiled of it
 * while it ran, which modules of `node:vm` don't: half of what a window took was compiling.
 */
const compiled = new Map<string, ModuleFunction>();

const nodeRequire = createRequire(path.resolve("package.json"));

/** The modules of one window, by path. */
class WindowModules {
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #root: string;
  readonly #given: Given;

  constructor(root: string, given: Given) {
    this.#root = path.join(root, "dist");
    this.#given = given;
  }

  /** `name`: that of a chunk, relative to `from`, the path of another one in `dist`; or that of a module that is given or Node's. */
  require(name: string, from: string): unknown {
    if (!name.startsWith(".")) return this.#given[name] ?? nodeRequire(name);
    const file = path.join(path.dirname(from), name);
    const known = this.#modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    this.#modules.set(file, module);
    const url = pathToFileURL(path.join(this.#root, file)).href;
    this.#compile(file)(module, (other) => this.require(other, file), url);
    return module.exports;
  }

  #compile(file: string): ModuleFunction {
    const known = compiled.get(file);
    if (known) return known;
    const converted = path.join(this.#root, "test", "extension", file.replace(/\.mjs$/, ".cjs"));
    const source = readFileSync(converted, "utf8");
    // The function begins in the first line of the source, so that the lines of the source map are right.
    const script = new Script(`(function (module, require, moduleUrl) {${source}\n})`, { filename: converted });
    const made = (...[module, require, url]: Parameters<ModuleFunction>): void => {
      (script.runInThisContext() as ModuleFunction)(module, require, url);
    };
    compiled.set(file, made);
    return made;
  }
}

/** `root`: the folder with `dist`. */
export function loadExtension(root: string, given: Given): BuiltExtension {
  return new WindowModules(root, given).require("./extension.mjs", "entry") as BuiltExtension;
}
