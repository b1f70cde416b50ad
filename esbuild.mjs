// Builds one bundle per runtime: Node (extension host, threads, local gateway), pages, tests. `--watch` rebuilds, `--production` makes what is shipped.
import { build, context } from "esbuild";
import { minify as shrink } from "terser";
import { globSync } from "tinyglobby";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

const flags = new Set(process.argv.slice(2));
const watch = flags.has("--watch");
const production = flags.has("--production");

const shared = {
  bundle: true,
  sourcemap: !production,
  sourcesContent: false,
  minify: production,
  logLevel: "warning",
  metafile: true,
  legalComments: "none",
  define: { "process.env.NODE_ENV": production ? '"production"' : '"development"' },
};
// Node 22 is what the oldest VS Code of `engines` brings. `module` first: ES modules leave out what nobody uses.
const node = {
  ...shared,
  platform: "node",
  format: "cjs",
  target: "node22",
  mainFields: ["module", "main"],
  loader: { ".mp4": "base64" },
};

/**
 * undici requires these for what Sluice never does: bodies that are forms or streams, HTTP/2, and processors without SIMD for
 * WebAssembly. A variable of its own build for Node leaves out its second parser.
 */
const leaveOut = {
  name: "leave-out",
  setup({ onLoad }) {
    const unused = /[\\/]undici[\\/]lib[\\/](web[\\/].+|dispatcher[\\/]client-h2|llhttp[\\/]llhttp-wasm)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: "" }));
  },
};

/** Of the tables of its HTTP parser undici reads these two at run time. */
const readTables = {
  name: "read-tables",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]constants\.js$/ }, async ({ path: file }) => {
      const { ERROR, TYPE } = (await import(pathToFileURL(file).href)).default;
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    });
  },
};

/** undici's parser is WebAssembly as Base64, which hardly compresses: with brotli below it the package is 9 KB smaller. Unpacking takes a millisecond, with the first request. */
const packedParser = {
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
 */
const firstPart = {
  name: "first-part",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path: name, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
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
 */
const schemaTextApart = {
  name: "schema-text-apart",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod\/v4\/core$/ }, () => ({
      path: path.resolve("node_modules", "zod", "v4", "core", "json-schema-processors.js"),
    }));
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/](core[\\/]index|mini[\\/]external)\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      return { contents: text.replaceAll(/^export .*"\..*(json-schema|locales).*$/gm, "") };
    });
  },
};

/** Each with the source folders that its programs must not import: the second net under the layer table. */
const bundles = [
  {
    // A thread and the local gateway have no `vscode`. They share their chunks with the host: the database and the schemas are shipped once.
    foreign: {
      "dist/extension.mjs": /^src\/(webview|localGateway)\//,
      "dist/storage.mjs": /^src\/(?!base\/|domain\/|tasks\/|chat\/|compose\/storageThread)/,
      "dist/search.mjs": /^src\/(?!base\/|domain\/|tools\/|compose\/searchProgram|vscode\/(syncDiskFiles|diskFiles))/,
      "dist/localGateway.mjs": /^src\/(?!base\/|domain\/|localGateway\/)/,
    },
    plugins: [leaveOut, readTables, packedParser, firstPart, schemaTextApart],
    options: {
      ...node,
      define: { ...shared.define, esbuildDetection: "true", "process.env.JEST_WORKER_ID": "undefined" },
      entryPoints: {
        extension: "src/extension.ts",
        storage: "src/compose/storageThread.ts",
        search: "src/compose/searchProgram.ts",
        localGateway: "src/localGateway/main.ts",
      },
      outdir: "dist",
      chunkNames: "chunks/[name]-[hash]",
      format: "esm",
      splitting: true,
      outExtension: { ".js": ".mjs" },
      // undici is CommonJS.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      external: ["vscode"],
    },
  },
  {
    foreign: { "dist/webview/": /^src\/(?!base\/|domain\/|protocol\/|webview\/)/ },
    options: {
      ...shared,
      entryPoints: {
        chat: "src/webview/chatPage.ts",
        task: "src/webview/task/startTaskPage.ts",
        batch: "src/webview/batch/startBatchPage.ts",
        usage: "src/webview/usage/startUsagePage.ts",
        shared: "src/webview/styles/shared.css",
      },
      outdir: "dist/webview",
      platform: "browser",
      // What pages share is in chunks, and the highlighter is one of its own. A module passes its nonce on to what it imports.
      format: "esm",
      splitting: true,
      chunkNames: "[name]-[hash]",
      target: "chrome138",
      tsconfig: "src/webview/tsconfig.json",
      loader: { ".svg": "dataurl" },
    },
  },
];
/** The scripts count what they started for the whole process, so the bundles of all tests load the same ones. */
const shareScripts = {
  name: "share-scripts",
  setup({ onResolve }) {
    onResolve({ filter: /\/scripts\/\w+\.mjs$/ }, (found) => ({
      path: path.resolve(found.resolveDir, found.path),
      external: true,
    }));
  },
};
/** Every test file is a bundle of its own, beside it what is started as a program or loaded by name. */
const tests = {
  plugins: [shareScripts],
  options: {
    ...node,
    minify: false,
    entryPoints: globSync(["test/*/**/*.ts"], { ignore: "test/fixtures/**" }),
    outdir: "dist/test",
    outbase: "test",
    packages: "external",
    external: ["vscode"],
  },
};

/** Names what a program must not import; `foreign` is by the start of a program's name. */
const checkInputs = ({ foreign = {} }) => ({
  name: "check-inputs",
  setup({ onEnd }) {
    onEnd(({ metafile }) => {
      const outputs = metafile?.outputs ?? {};
      const errors = [];
      for (const [start, rule] of Object.entries(foreign)) {
        const strange = inputsOf(outputs, start).filter((input) => rule.test(input));
        errors.push(...strange.map((input) => ({ text: `${input} does not belong into ${start}` })));
      }
      return { errors };
    });
  },
});

/** What the programs whose names begin so are made of, with all chunks that they import at any time. */
function inputsOf(outputs, start) {
  const files = new Set(Object.keys(outputs).filter((name) => name.startsWith(start)));
  for (const file of files) for (const { path: chunk } of outputs[file].imports) if (chunk in outputs) files.add(chunk);
  return [...files].flatMap((file) => Object.keys(outputs[file].inputs));
}

/** The two lines that .vscode/tasks.json waits for: from the first bundle that begins until the last one is done. */
let underWay = 0;
const tellWatcher = {
  name: "tell-watcher",
  setup({ onStart, onEnd }) {
    onStart(() => {
      underWay += 1;
      if (underWay === 1) console.log("[watch] build started");
    });
    onEnd(() => {
      underWay -= 1;
      if (underWay === 0) console.log("[watch] build finished");
    });
  },
};

/** Removes what an earlier build left and this one did not write; nothing that is in use is ever missing. */
async function prune(written) {
  const kept = new Set(written.map((file) => path.normalize(file)));
  const found = await readdir("dist", { recursive: true, withFileTypes: true });
  for (const entry of found.filter((one) => one.isFile())) {
    const file = path.join(path.relative(".", entry.parentPath), entry.name);
    if (kept.has(file)) continue;
    // What is shipped is built beside the tests that will use it.
    if (production && file.startsWith(path.join("dist", "test"))) continue;
    await rm(file);
  }
}

/** Terser looks at each expression several times, esbuild once: 3 % of the package. */
async function shrinkScripts(files) {
  for (const file of files.filter((one) => /\.m?js$/.test(one))) {
    const compress = { passes: 2, ecma: 2022, keep_fargs: false };
    const { code } = await shrink(await readFile(file, "utf8"), { module: true, ecma: 2022, compress });
    await writeFile(file, code);
  }
}

/** The licences of what the bundles hold, which they ask to be passed on. */
async function writeNotices(inputs) {
  const homes = new Set(inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  const notices = [];
  for (const home of [...homes].sort()) {
    const described = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
    notices.push(`${described.name} ${described.version}\n\n${(await licenceOf(home, described)).trim()}\n`);
  }
  const rule = "-".repeat(80);
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", notices.join(`\n${rule}\n\n`));
}

async function licenceOf(home, { license, author }) {
  // It asks for the creator and for its address or its text, which is as long as all others together.
  if (license === "CC-BY-4.0")
    return `By ${author.name}, used in part. Creative Commons Attribution 4.0 International: https://creativecommons.org/licenses/by/4.0/legalcode`;
  const file = (await readdir(home)).find((entry) => /^licen[cs]e/i.test(entry));
  return file === undefined ? `Licence: ${license}` : await readFile(path.join(home, file), "utf8");
}

/** VS Code's page of an extension shows no picture by a relative address, and there is no public one yet. */
async function writeReadme() {
  const text = await readFile("README.md", "utf8");
  await writeFile("dist/README.md", text.replaceAll(/^!\[.*\n\n?/gm, ""));
}

await mkdir("dist", { recursive: true });
const wanted = production ? bundles : [...bundles, tests];

if (watch) {
  const contexts = await Promise.all(
    wanted.map((bundle) =>
      context({ ...bundle.options, plugins: [...(bundle.plugins ?? []), checkInputs(bundle), tellWatcher] }),
    ),
  );
  await Promise.all(contexts.map((one) => one.watch()));
} else {
  const results = await Promise.all(
    wanted.map((bundle) => build({ ...bundle.options, plugins: [...(bundle.plugins ?? []), checkInputs(bundle)] })),
  ).catch(() => process.exit(1)); // esbuild has said what is wrong.
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const outputs = results.flatMap(({ metafile }) => Object.keys(metafile.outputs));
  // For `npx esbuild-visualizer` and for the sizes in the bench.
  await writeFile("dist/meta.json", JSON.stringify(results.map(({ metafile }) => metafile)));
  if (production) await Promise.all([writeNotices(inputs), writeReadme(), shrinkScripts(outputs)]);
  await prune([
    ...outputs,
    "dist/meta.json",
    ...(production ? ["dist/THIRD-PARTY-NOTICES.txt", "dist/README.md"] : []),
  ]);
}
