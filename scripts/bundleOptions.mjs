// The options of esbuild for the programs that run on Node and for the tests, shared by the build and the mutants.
import path from "node:path";

/** @typedef {import("esbuild").BuildOptions} BuildOptions */

/**
 * @param {boolean} production
 * @returns {BuildOptions & { define: Record<string, string> }}
 */
export function sharedOptions(production) {
  return {
    bundle: true,
    sourcemap: !production,
    sourcesContent: false,
    logLevel: "warning",
    metafile: true,
    legalComments: "none",
    define: { "process.env.NODE_ENV": production ? '"production"' : '"development"' },
  };
}

/**
 * Node 22 is what the oldest VS Code of `engines` brings. `module` comes first, because unused exports of ES modules are left out.
 * @type {BuildOptions}
 */
export const nodeOptions = {
  platform: "node",
  format: "cjs",
  target: "node22",
  mainFields: ["module", "main"],
};

/**
 * The scripts count what they started for the whole process, so the bundles of all tests load the same ones.
 * @type {import("esbuild").Plugin}
 */
const shareScripts = {
  name: "share-scripts",
  setup({ onResolve }) {
    onResolve({ filter: /\/scripts\/\w+\.mjs$/ }, (found) => ({
      path: path.resolve(found.resolveDir, found.path),
      external: true,
    }));
  },
};

/** Every test file is an entry, and so is what is started as a program or loaded by name. */
export const testBundle = {
  plugins: [shareScripts],
  options: /** @type {BuildOptions} */ ({
    ...sharedOptions(false),
    ...nodeOptions,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    outbase: "test",
    packages: "external",
    external: ["vscode"],
  }),
};
