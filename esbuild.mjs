// Builds one bundle per runtime: Node (extension host, threads, local gateway), pages, tests. `--watch` rebuilds, `--production` makes what is shipped.
import { build, context } from "esbuild";
import { globSync } from "tinyglobby";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as change from "./scripts/buildPlugins.mjs";
import { joinParts } from "./scripts/joinParts.mjs";
import { shrinkScript, shrinkStyles, writeNotices, writeReadme } from "./scripts/shippedFiles.mjs";

const flags = new Set(process.argv.slice(2));
const watch = flags.has("--watch");
const production = flags.has("--production");

const shared = {
  bundle: true,
  sourcemap: !production,
  sourcesContent: false,
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
    plugins: [
      change.leaveOut,
      change.readTables,
      change.packedParser,
      change.firstPart,
      change.schemaTextApart,
      change.mcpWithoutForms,
      change.nodeRequire,
    ],
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
        localGateway: "src/webview/localGateway/startLocalGatewayPage.ts",
        shared: "src/webview/styles/shared.css",
      },
      outdir: "dist/webview",
      platform: "browser",
      // What pages share is in chunks, and the highlighter is one of its own. A module passes its nonce on to what it imports.
      format: "esm",
      splitting: true,
      chunkNames: "[name]-[hash]",
      outExtension: { ".js": ".mjs" },
      target: "chrome138",
      tsconfig: "src/webview/tsconfig.json",
      loader: { ".svg": "dataurl" },
    },
  },
];

/** What is shipped is one build, so that the pages share modules with the host: the schemas and the reducer of chats. */
const [programs, pages] = bundles;
const shipped = {
  foreign: { ...programs.foreign, ...pages.foreign },
  plugins: [
    ...programs.plugins,
    change.shortIcons,
    change.wordsForAll,
    change.markdownTokens,
    change.oneJavaScriptGrammar,
  ],
  options: {
    ...programs.options,
    entryPoints: {
      ...programs.options.entryPoints,
      ...Object.fromEntries(Object.entries(pages.options.entryPoints).map(([name, file]) => [`webview/${name}`, file])),
    },
    loader: { ...programs.options.loader, ...pages.options.loader },
    minifySyntax: true,
    write: false,
  },
};

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

await mkdir("dist", { recursive: true });

if (watch) {
  const contexts = await Promise.all(
    [...bundles, tests].map((bundle) =>
      context({ ...bundle.options, plugins: [...(bundle.plugins ?? []), checkInputs(bundle), tellWatcher] }),
    ),
  );
  await Promise.all(contexts.map((one) => one.watch()));
} else {
  const results = await Promise.all(
    (production ? [shipped] : [...bundles, tests]).map((bundle) =>
      build({ ...bundle.options, plugins: [...(bundle.plugins ?? []), checkInputs(bundle)] }),
    ),
  ).catch(() => process.exit(1)); // esbuild has said what is wrong.
  // Such as a name that is imported and not there, which would be `undefined` where it is used.
  if (results.some(({ warnings }) => warnings.length > 0)) process.exit(1);
  const metafiles = production ? [await writeShipped(results[0])] : results.map(({ metafile }) => metafile);
  // For `npx esbuild-visualizer` and for the sizes in the bench.
  await writeFile("dist/meta.json", JSON.stringify(metafiles));
  const notices = production ? ["dist/THIRD-PARTY-NOTICES.txt", "dist/README.md"] : [];
  await prune([...metafiles.flatMap(({ outputs }) => Object.keys(outputs)), "dist/meta.json", ...notices]);
}

/** Joins and shrinks what esbuild made; returns the record of the files that are written. */
async function writeShipped({ metafile, outputFiles }) {
  const outputs = {};
  const write = async (file, text, described) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    outputs[file] = { ...described, bytes: Buffer.byteLength(text) };
  };
  for (const { text, file, ...described } of await joinParts(metafile, outputFiles, "dist"))
    await write(file, await shrinkScript(text), described);
  for (const { path: name, text } of outputFiles.filter((one) => one.path.endsWith(".css"))) {
    const file = path.relative(".", name);
    await write(file, await shrinkStyles(text), { inputs: metafile.outputs[file].inputs, imports: [] });
  }
  await Promise.all([writeNotices(Object.keys(metafile.inputs)), writeReadme()]);
  return { inputs: metafile.inputs, outputs };
}
