// Builds one bundle per runtime: host, threads and local gateway, pages, tests. `--watch` rebuilds, `--production` makes what is shipped.
import { build, context } from "esbuild";
import { globSync } from "tinyglobby";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { nodeOptions, sharedOptions, testBundle } from "./scripts/bundleOptions.mjs";
import { writeNotices, writeReadme } from "./scripts/shippedFiles.mjs";

const flags = new Set(process.argv.slice(2));
const watch = flags.has("--watch");
const production = flags.has("--production");

const shared = sharedOptions(production);
const node = { ...shared, ...nodeOptions };
/** What is shipped: ES modules, which share what they import in chunks. */
const split = {
  format: "esm",
  splitting: true,
  outExtension: { ".js": ".mjs" },
  minify: production,
  charset: "utf8",
};

/**
 * esbuild makes a file for each combination of parts that share a module: 58 for the start. Each part imports the first one, which is loaded
 * before all others anyway, so that what they share with it is in one file.
 */
const firstPart = {
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

/** Of what was converted: the files, for `prune`. */
const converted = new Set();

/**
 * The fake window of the tests runs the built extension once for each window. As scripts its chunks are compiled for the first one only, which
 * Node can't do with ES modules; so each chunk is also written as a function body with `module`, `require` and `moduleUrl`.
 */
const alsoAsScripts = {
  name: "also-as-scripts",
  setup({ onEnd, initialOptions }) {
    onEnd(async ({ metafile, errors }) => {
      if (errors.length > 0) return;
      const scripts = await build({
        ...{ target: initialOptions.target, platform: "node", format: "cjs", charset: "utf8", logLevel: "warning" },
        entryPoints: Object.keys(metafile.outputs).filter((name) => name.endsWith(".mjs")),
        outbase: "dist",
        outdir: "dist/test/extension",
        outExtension: { ".js": ".cjs" },
        define: { "import.meta.url": "moduleUrl" },
        supported: { "dynamic-import": false },
        ...{ sourcemap: true, sourcesContent: false, metafile: true },
      });
      for (const name of Object.keys(scripts.metafile.outputs)) converted.add(name);
    });
  },
};

/** undici is CommonJS and calls `require` for Node's modules. VS Code puts its certificates and proxies into what `require` returns. */
const requireBanner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/**
 * Each page is a build of its own, so that it is one file at its start: a webview asks VS Code's service worker for each file, and finds the
 * twenty that pages would share only one after the other. (`entryPoints`: knip looks for this name.)
 */
const pages = {
  entryPoints: {
    chat: "src/chat/page/startChatPage.ts",
    task: "src/tasks/page/task.ts",
    batch: "src/tasks/page/batch.ts",
    money: "src/tasks/page/money.ts",
    usage: "src/tasks/page/usage.ts",
    gallery: "src/tasks/page/gallery/gallery.ts",
    mediaForm: "src/tasks/page/mediaForm.ts",
    assets: "src/tasks/page/assets.ts",
    localGateway: "src/gateway/page/startLocalGatewayPage.ts",
    shared: "src/webview/styles/shared.css",
  },
};

const bundles = [
  {
    plugins: [firstPart, ...(production ? [] : [alsoAsScripts])],
    options: {
      ...node,
      ...split,
      banner: { js: requireBanner },
      entryPoints: { extension: "src/extension.ts" },
      outdir: "dist",
      chunkNames: "host/[hash]",
      external: ["vscode"],
    },
  },
  {
    // A thread and the local gateway, a process of its own, have no `vscode`.
    options: {
      ...node,
      ...split,
      entryPoints: {
        storage: "src/chat/storage/index/storageThread.ts",
        search: "src/tools/search/program.ts",
        localGateway: "src/localGateway/main.ts",
        exact: "src/tasks/exact/exactThread.ts",
        missing: "src/tasks/missing/lookThread.ts",
      },
      outdir: "dist",
      chunkNames: "threads/[hash]",
      loader: { ".wasm": "binary" },
    },
  },
  {
    // One file, which a project copies and runs without Sluice.
    options: {
      ...node,
      ...split,
      ...{ splitting: false, target: "node20", banner: { js: requireBanner } },
      entryPoints: { "sluice-lock-check": "src/tasks/lock/checkProgram.ts" },
      outdir: "dist",
    },
  },
  ...Object.entries(pages.entryPoints).map(([name, entry]) => ({
    options: {
      ...shared,
      ...split,
      entryPoints: { [name]: entry },
      outdir: "dist/webview",
      // The highlighter is a chunk of its own. A module passes its nonce on to what it imports.
      chunkNames: "[hash]",
      platform: "browser",
      target: "chrome138",
      tsconfig: "src/webview/tsconfig.json",
      loader: { ".svg": "dataurl" },
    },
  })),
];

/** Tests share what they import in chunks. Those of the extension host are loaded by VS Code, which needs CommonJS: each is a bundle of its own. */
const tests = [
  {
    plugins: testBundle.plugins,
    options: {
      ...testBundle.options,
      splitting: true,
      chunkNames: "chunks/[hash]",
      entryPoints: globSync(["test/*/**/*.ts"], { ignore: ["test/fixtures/**", "test/host/**"] }),
      outdir: "dist/test",
    },
  },
  {
    options: {
      ...testBundle.options,
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      entryPoints: globSync("test/host/**/*.ts"),
      outdir: "dist/test",
    },
  },
];

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
    [...bundles, ...tests].map(({ options, plugins = [] }) =>
      context({ ...options, plugins: [...plugins, tellWatcher] }),
    ),
  );
  await Promise.all(contexts.map((one) => one.watch()));
} else {
  const wanted = production ? bundles : [...bundles, ...tests];
  const results = await Promise.all(wanted.map(({ options, plugins = [] }) => build({ ...options, plugins }))).catch(
    () => process.exit(1),
  ); // esbuild has said what is wrong.
  // Such as a name that is imported and not there, which would be `undefined` where it is used.
  if (results.some(({ warnings }) => warnings.length > 0)) process.exit(1);
  const metafiles = results.map(({ metafile }) => metafile);
  if (production) {
    await writeNotices(metafiles.flatMap(({ inputs }) => Object.keys(inputs)));
    await writeReadme();
  }
  // For `npx esbuild-visualizer` and for the sizes in the bench.
  await writeFile("dist/meta.json", JSON.stringify(metafiles));
  const notices = production ? ["dist/THIRD-PARTY-NOTICES.txt", "dist/README.md"] : [];
  await prune([
    ...metafiles.flatMap(({ outputs }) => Object.keys(outputs)),
    ...converted,
    "dist/meta.json",
    ...notices,
  ]);
}
