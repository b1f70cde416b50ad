// What the build changes in the packages that it reads, and in what it has written; the comment of each plugin has the bytes or files that it saves in the minified build.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

/**
 * The start is 6 files instead of 58 and 10 KB less, and all host files are 72 instead of 124: esbuild makes a file for each combination of parts
 * that share a module. The first part is loaded before every other one, so each of those imports it, and what they share with it is in one file.
 * @type {import("esbuild").Plugin}
 */
export const firstPart = {
  name: "first-part",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path: name, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      return { ...(await resolve(name, { kind: "import-statement", resolveDir })), namespace: "part" };
    });
    onLoad({ filter: /./, namespace: "part" }, ({ path: file }) => {
      const first = path.resolve("src", "tasks", "host", "mountTasks.ts");
      const names = [first, file].map((name) => JSON.stringify(name));
      return { contents: `import ${names[0]}; export * from ${names[1]};`, resolveDir: "." };
    });
  },
};

/**
 * 26 KB less before the first use: esbuild assigns whole modules to files, and the MCP SDK uses most of zod. With a copy of zod for the
 * SDK alone, the one that every part loads holds only what Sluice uses.
 * @type {import("esbuild").Plugin}
 */
export const zodForMcpApart = {
  name: "zod-for-mcp-apart",
  setup({ onResolve, onLoad, resolve }) {
    const isSdk = (/** @type {string} */ importer) => /[\\/]node_modules[\\/]@modelcontextprotocol[\\/]/.test(importer);
    const asked = {};
    onResolve(
      { filter: /^(zod$|zod\/|\.)/ },
      async ({ path: name, kind, resolveDir, importer, namespace, pluginData }) => {
        if (pluginData === asked) return undefined;
        if (namespace !== "zod-for-mcp" && !(name.startsWith("zod") && isSdk(importer))) return undefined;
        const { path: file, errors } = await resolve(name, { kind, resolveDir, pluginData: asked });
        return { path: path.relative(".", file), errors, namespace: "zod-for-mcp", sideEffects: false };
      },
    );
    onLoad({ filter: /./, namespace: "zod-for-mcp" }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      // 5 KB of the package: each schema names its writer of JSON Schema. The server is given its schemas as JSON.
      const contents = /[\\/](json-schema-processors|to-json-schema)\.js$/.test(file) ? withoutBodies(text) : text;
      return { contents, resolveDir: path.resolve(path.dirname(file)) };
    });
  },
};

/** The same exports, each a function that makes a function that does nothing. @param {string} module */
function withoutBodies(module) {
  const names = [...module.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
  const renamed = module.match(/^export \{.*\};$/gm) ?? [];
  return [...names.map((name) => `export function ${name}() { return () => undefined; }`), ...renamed].join("\n");
}

/**
 * 23 KB less before the first use: zod's indexes name what turns schemas into JSON Schema and into sentences, and whoever reads a schema
 * would load it. Only tools need those, and import them by their own names.
 * @type {import("esbuild").Plugin}
 */
export const schemaTextApart = {
  name: "schema-text-apart",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod\/v4\/core$/ }, ({ importer }) =>
      importer.includes("node_modules")
        ? undefined
        : { path: path.resolve("node_modules", "zod", "v4", "core", "json-schema-processors.js") },
    );
    const indexes = /[\\/]zod[\\/]v4[\\/](core[\\/]index|mini[\\/]external)\.js$/;
    onLoad({ filter: indexes, namespace: "file" }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      return { contents: text.replaceAll(/^export .*"\..*(json-schema|locales).*$/gm, "") };
    });
  },
};

/**
 * 144 KB less evaluated before the first request: undici requires these for what Sluice does not do: bodies that are forms or streams,
 * HTTP/2, and processors without SIMD for WebAssembly. Of the tables of its HTTP parser it reads two at run time. The parser itself is
 * WebAssembly in Base64, which a VSIX packs badly: compressed before that, it takes 8 KB less there, and a third of the text.
 * @type {import("esbuild").Plugin}
 */
export const smallUndici = {
  name: "small-undici",
  setup({ onLoad }) {
    const unused = /[\\/]undici[\\/]lib[\\/](web[\\/].+|dispatcher[\\/]client-h2|llhttp[\\/]llhttp-wasm)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: "" }));
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]constants\.js$/ }, async ({ path: file }) => {
      const { ERROR, TYPE } = (await import(pathToFileURL(file).href)).default;
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    });
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/ }, async ({ path: file }) => {
      const parser = brotliCompressSync((await import(pathToFileURL(file).href)).default).toString("base64");
      const unpacked = `require("node:zlib").brotliDecompressSync(Buffer.from("${parser}", "base64"))`;
      return { contents: `module.exports = ${unpacked};` };
    });
  },
};

/**
 * 241 KB less with the MCP server: the SDK brings a JSON Schema library for forms that its clients fill in, and a writer of JSON Schema. Sluice
 * sends no forms, passes a validator of its own and has its schemas already.
 * @type {import("esbuild").Plugin}
 */
export const mcpWithoutForms = {
  name: "mcp-without-forms",
  setup({ onLoad }) {
    const unused = /[\\/]@modelcontextprotocol[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/;
    onLoad({ filter: unused }, () => ({ contents: "export const AjvJsonSchemaValidator = undefined;" }));
    const writer = /[\\/]zod-to-json-schema[\\/]dist[\\/]esm[\\/]index\.js$/;
    onLoad({ filter: writer }, () => ({ contents: "export const zodToJsonSchema = undefined;" }));
  },
};

/** undici is CommonJS and calls `require` for Node's modules. VS Code puts its certificates and proxies into what `require` returns. */
export const requireBanner =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/**
 * 4 KB less in the VSIX, which packs each file on its own: esbuild puts its banner into all of 92 files, and three of them have a `require`. The
 * line stays, for the source maps.
 * @type {import("esbuild").Plugin}
 */
export const bannerWhereUsed = {
  name: "banner-where-used",
  setup({ onEnd }) {
    onEnd(async ({ metafile }) => {
      const files = Object.keys(metafile?.outputs ?? {}).filter((file) => file.endsWith(".mjs"));
      await Promise.all(
        files.map(async (file) => {
          const rest = (await readFile(file, "utf8")).replace(requireBanner, "");
          if (!/\brequire\b/.test(rest)) await writeFile(file, rest);
        }),
      );
    });
  },
};
