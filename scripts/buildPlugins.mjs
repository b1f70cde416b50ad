// What the build changes in the packages and files that it reads.
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

/**
 * undici requires these for what Sluice never does: bodies that are forms or streams, HTTP/2, and processors without SIMD for
 * WebAssembly. A variable of its own build for Node leaves out its second parser.
 * @type {import("esbuild").Plugin}
 */
export const leaveOut = {
  name: "leave-out",
  setup({ onLoad }) {
    const unused = /[\\/]undici[\\/]lib[\\/](web[\\/].+|dispatcher[\\/]client-h2|llhttp[\\/]llhttp-wasm)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: "" }));
  },
};

/** Of the tables of its HTTP parser undici reads these two at run time. @type {import("esbuild").Plugin} */
export const readTables = {
  name: "read-tables",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]constants\.js$/ }, async ({ path: file }) => {
      const { ERROR, TYPE } = (await import(pathToFileURL(file).href)).default;
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    });
  },
};

/** undici's parser is WebAssembly as Base64, which hardly compresses: with brotli below it the package is 9 KB smaller. Unpacking takes a millisecond, with the first request. @type {import("esbuild").Plugin} */
export const packedParser = {
  name: "packed-parser",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]llhttp_simd-wasm\.js$/ }, async ({ path: file }) => {
      const [base64] = /[A-Za-z0-9+/=]{1000,}/.exec(await readFile(file, "utf8")) ?? [];
      if (base64 === undefined) throw new Error(`${file} holds no WebAssembly as Base64.`);
      const packed = brotliCompressSync(Buffer.from(base64, "base64")).toString("base64");
      const unpack = `require("node:zlib").brotliDecompressSync(Buffer.from(${JSON.stringify(packed)}, "base64"))`;
      return { contents: `module.exports = ${unpack};` };
    });
  },
};

/**
 * Splitting makes a file for each combination of parts that share a module. The first part is there before every other one, so
 * each of those imports it: what they share with it then lies in one file instead of twenty.
 * @type {import("esbuild").Plugin}
 */
export const firstPart = {
  name: "first-part",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path: name, resolveDir, importer }) => {
      if (kind !== "dynamic-import" || importer.startsWith(path.resolve("src", "webview"))) return undefined;
      return { ...(await resolve(name, { kind: "import-statement", resolveDir })), namespace: "part" };
    });
    onLoad({ filter: /./, namespace: "part" }, ({ path: file }) => {
      const first = path.resolve("src", "compose", "mountTasks.ts");
      const names = [first, file].map((name) => JSON.stringify(name));
      return { contents: `import ${names[0]}; export * from ${names[1]};`, resolveDir: "." };
    });
  },
};

/**
 * zod's indexes name everything, and splitting goes by file: without this, whoever reads a schema loads what turns schemas into JSON
 * Schema and into sentences. Only tools need those, and import them by their own names.
 * @type {import("esbuild").Plugin}
 */
export const schemaTextApart = {
  name: "schema-text-apart",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod\/v4\/core$/ }, () => ({
      path: path.resolve("node_modules", "zod", "v4", "core", "json-schema-processors.js"),
    }));
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/](core[\\/]index|mini[\\/]external)\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      return { contents: text.replaceAll(/^export .*"\..*(json-schema|locales).*$/gm, "") };
    });
    // By its index it would keep all of that module.
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]mini[\\/]schemas\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const short = text.replace("core.util.constantCatch(", "constantCatch(");
      if (short === text) throw new Error(`${file} does not name constantCatch as expected.`);
      return { contents: `import { constantCatch } from "../core/util.js";\n${short}` };
    });
  },
};

/**
 * undici is CommonJS and calls `require` for Node's modules, which a page has not: only what asks for one gets the function. It must
 * be Node's own, because VS Code puts its certificates and proxies into what `require` returns.
 * @type {import("esbuild").Plugin}
 */
export const nodeRequire = {
  name: "node-require",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path: name, kind }) =>
      kind === "require-call" && isBuiltin(name) ? { path: name, namespace: "node-require" } : undefined,
    );
    onResolve({ filter: /^require$/, namespace: "node-require" }, () => ({
      path: "require",
      namespace: "node-require",
    }));
    onLoad({ filter: /./, namespace: "node-require" }, ({ path: name }) => ({
      contents:
        name === "require"
          ? `import { createRequire } from "node:module"; export const load = /* @__PURE__ */ createRequire(import.meta.url);`
          : `module.exports = require("require").load(${JSON.stringify(name)});`,
    }));
  },
};

/** The words of pages and host in one build: the host reads its translations itself, so the variant without `fs` does for both. @type {import("esbuild").Plugin} */
export const wordsForAll = {
  name: "words-for-all",
  setup({ onResolve }) {
    onResolve({ filter: /^@vscode\/l10n$/ }, () => ({
      path: path.resolve("node_modules", "@vscode", "l10n", "dist", "browser.js"),
    }));
  },
};

/**
 * An icon of 16 units is drawn the same with two decimals, and has no use for a colour, for the style sheet uses its shape as a mask. A
 * number keeps its point and a digit behind it: a browser stops drawing at a point without one.
 * @param {string} text
 */
export function shortIcon(text) {
  return text
    .replaceAll(/\.(\d{2})\d+/g, ".$1")
    .replaceAll(/\.(\d)0(?!\d)/g, ".$1")
    .replace(' width="16" height="16"', "")
    .replace(' fill="currentColor"', "");
}

/** @type {import("esbuild").Plugin} */
export const shortIcons = {
  name: "short-icons",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]codicons[\\/].+\.svg$/ }, async ({ path: file }) => {
      return { contents: shortIcon(await readFile(file, "utf8")), loader: "dataurl" };
    });
  },
};

/** Only what splits text into tokens is used of the Markdown library; the instance that it makes for its callers would keep all of it. @type {import("esbuild").Plugin} */
export const markdownTokens = {
  name: "markdown-tokens",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]marked\.esm\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const nameOf = (/** @type {string} */ name) => new RegExp(`(\\w+) as ${name}\\b`).exec(text)?.[1];
      const end = text.indexOf(`=new ${nameOf("Marked")};`);
      const start = text.lastIndexOf("var ", end);
      if (end < 0 || start < 0) throw new Error(`${file} makes no instance.`);
      const names = ["Lexer", "Tokenizer"].map((name) => `${nameOf(name)} as ${name}`);
      return { contents: `${text.slice(0, start)}export{${names.join()}};` };
    });
  },
};

/** The grammar of TypeScript is published with a copy of the one that it extends. @type {import("esbuild").Plugin} */
export const oneJavaScriptGrammar = {
  name: "one-javascript-grammar",
  setup({ onLoad }) {
    const end = "\nexport { javascript as default };";
    onLoad({ filter: /[\\/]highlight\.js[\\/]es[\\/]languages[\\/](java|type)script\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const script = await readFile(path.join(path.dirname(file), "javascript.js"), "utf8");
      const grammar = script.slice(0, script.lastIndexOf(end));
      const names = [...grammar.matchAll(/^const (\w+)/gm)].map(([, name]) => name).join();
      if (text === script) return { contents: `${script}\nexport { ${names} };` };
      if (!text.startsWith(grammar)) throw new Error(`${file} does not begin with the grammar of JavaScript.`);
      return { contents: `import javascript, { ${names} } from "./javascript.js";${text.slice(grammar.length)}` };
    });
  },
};

/**
 * The MCP SDK's server brings a JSON Schema library for forms that its clients fill in, and a writer of JSON Schema. Sluice sends no forms,
 * passes a validator of its own and has its schemas already.
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
