// Joins the many small files into which esbuild splits the programs into few: each file costs some 300 bytes of the package, and Rollup
// finds unused statements that are left. Called by the production build.
import path from "node:path";
import { rollup } from "@rollup/wasm-node";
import { splitScript } from "./splitParts.mjs";

/**
 * @typedef {object} Part a file that esbuild made
 * @property {string} file its path
 * @property {string} name without folder (but `webview/` of a page), hash and extension: `localGateway` is a program and a page
 * @property {string} text
 * @property {Readonly<Record<string, { bytesInOutput: number }>>} inputs
 * @property {string | undefined} entry what it is the start of, if of anything
 * @property {readonly string[]} imports paths of the parts that are loaded with it
 *
 * @typedef {object} Joined
 * @property {string} file
 * @property {string} text
 * @property {Readonly<Record<string, { bytesInOutput: number }>>} inputs
 * @property {readonly { path: string, kind: string }[]} imports
 */

/** The highlighter is loaded by the chat's page. @param {string} name */
const isPage = (name) => name.startsWith("webview/") || name === "highlight";
const threads = ["storage", "search", "localGateway"];
/** @param {string} name */
const isProgram = (name) => name === "extension" || threads.includes(name) || isPage(name);
/** What every window loads: the first part, and the thread of its store. */
const firstNames = new Set(["extension", "mountTasks", "storage"]);
/** Of the name of what is left of a part that was split. */
const restEnd = ".rest.mjs";
/** Loaded by need, and too large to be loaded for anything else. */
const own = [
  "appChats",
  "mountChat",
  "mcpServer",
  "mountTools",
  "mountPages",
  "mountTasks",
  "httpGateway",
  "resultDownloads",
];

/**
 * The file that a part goes into, by who loads it: a page must not get what needs Node, a thread not what needs `vscode`, and the
 * start nothing but what it needs. `undefined` leaves the part in a file of its own.
 * @param {Part} part @param {ReadonlySet<string>} loaders names of the starts that load it
 */
function fileFor({ name, entry }, loaders) {
  if (entry !== undefined && isProgram(name)) return undefined;
  const names = [...loaders];
  const first = loaders.has("mountTasks") ? "" : "Later";
  if (names.some(isPage)) {
    if (loaders.has("extension")) return "webview/start";
    return names.every(isPage) ? "webview/pages" : `webview/shared${first}`;
  }
  // A thread can't load what imports `vscode`.
  if (loaders.has("extension")) return threads.some((thread) => loaders.has(thread)) ? "start" : "startHost";
  if (loaders.has("search")) return `files${first}`;
  if (threads.some((thread) => loaders.has(thread))) return `threads${first}`;
  if (loaders.has("mountTasks")) return "mountTasks";
  if (entry !== undefined && own.includes(name)) return name;
  if (loaders.has("resultDownloads")) return "resultDownloads";
  if (names.every((one) => one === "httpGateway" || one === "checkConnection")) return "httpGateway";
  if (names.every((one) => one === "appChats" || one === "mountChat")) return "appChats";
  // What network and tools share is small, and the first part is there before both.
  return loaders.has("httpGateway") || loaders.has("checkConnection") ? "mountTasks" : "tools";
}

/** @param {import("esbuild").Metafile} metafile @param {readonly import("esbuild").OutputFile[]} files @returns {Map<string, Part>} */
function partsOf(metafile, files) {
  const texts = new Map(files.map((file) => [path.relative(".", file.path).replaceAll("\\", "/"), file.text]));
  // As under `"type": "commonjs"`, where a program without exports counts as CommonJS: nothing unused would be found in what it imports.
  const wrapped = [...texts].find(([, text]) => /__esm\(\{\s*"src\//.test(text));
  if (wrapped) throw new Error(`${wrapped[0]}: esbuild has wrapped modules into functions.`);
  const scripts = Object.entries(metafile.outputs).filter(([file]) => file.endsWith(".mjs"));
  return new Map(
    scripts.map(([file, { entryPoint, inputs, imports }]) => [
      file,
      {
        ...{ file, name: nameOf(file), inputs, entry: entryPoint },
        text: texts.get(file) ?? "",
        imports: imports.flatMap((one) => (one.kind === "import-statement" && !one.external ? [one.path] : [])),
      },
    ]),
  );
}

/** @param {string} file */
function nameOf(file) {
  const name = path.basename(file, ".mjs").replace(/-[A-Z0-9]{8}$/, "");
  return path.basename(path.dirname(file)) === "webview" ? `webview/${name}` : name;
}

/** @param {string} name */
const outputOf = (name) => (isPage(name) ? `webview/${path.basename(name)}` : name);

/** The starts that load each part. @param {ReadonlyMap<string, Part>} parts */
function loadersOf(parts) {
  /** @type {Map<string, Set<string>>} */
  const loaders = new Map([...parts.keys()].map((file) => [file, new Set()]));
  for (const start of [...parts.values()].filter(({ entry }) => entry !== undefined)) {
    const loaded = new Set([start.file]);
    for (const file of loaded) {
      loaders.get(file)?.add(start.name);
      for (const needed of parts.get(file)?.imports ?? []) loaded.add(needed);
    }
  }
  return loaders;
}

/** @param {ReadonlyMap<string, Part>} parts @returns {import("@rollup/wasm-node").RollupOptions} */
function optionsOver(parts) {
  return {
    external: (id) => id === "vscode" || id.startsWith("node:"),
    // Modules of Node do nothing when they are only imported.
    treeshake: { moduleSideEffects: "no-external" },
    onwarn: ({ message }) => {
      throw new Error(message);
    },
    plugins: [
      {
        name: "parts",
        resolveId: (id, importer) => {
          const file = importer === undefined ? id : path.posix.join(path.posix.dirname(importer), id);
          return parts.has(file) ? { id: file, moduleSideEffects: !file.endsWith(restEnd) } : null;
        },
        load: (file) => parts.get(file)?.text ?? null,
      },
    ],
  };
}

/**
 * Of what the first part shares with the pages, it gets the statements that it needs; the rest goes where what is loaded later goes.
 * @param {Map<string, Part>} parts @param {Map<string, Set<string>>} loaders
 */
async function splitShared(parts, loaders) {
  const first = [...parts.values()].filter(({ name, entry }) => entry !== undefined && firstNames.has(name));
  const options = optionsOver(parts);
  const bundle = await rollup({
    ...options,
    input: first.map(({ file }) => file),
    plugins: [options.plugins, { name: "first-only", resolveDynamicImport: () => false }],
  });
  const { output } = await bundle.generate({ format: "es", preserveModules: true });
  await bundle.close();
  const shaken = new Map(
    output
      .flatMap((one) => (one.type === "chunk" ? Object.entries(one.modules) : []))
      .map(([file, { code }]) => /** @type {const} */ ([file, code ?? ""])),
  );
  for (const part of [...parts.values()]) {
    const loadedBy = loaders.get(part.file) ?? new Set();
    if (fileFor(part, loadedBy) !== "webview/shared") continue;
    const [own, rest] = [`${part.file}.own.mjs`, `${part.file}${restEnd}`];
    const local = (/** @type {string} */ file) => JSON.stringify(`./${path.posix.basename(file)}`);
    const split = splitScript(part.text, shaken.get(part.file) ?? "", `./${path.posix.basename(own)}`);
    if (split === undefined) continue;
    parts.set(own, { ...part, file: own, text: split.text });
    parts.set(rest, { ...part, file: rest, text: split.rest });
    parts.set(part.file, { ...part, text: `export*from${local(own)};export*from${local(rest)};` });
    loaders.set(own, loadedBy);
    loaders.set(rest, new Set([...loadedBy].filter((name) => !firstNames.has(name))));
  }
}

/** @param {import("esbuild").Metafile} metafile @param {readonly import("esbuild").OutputFile[]} files @param {string} folder @returns {Promise<Joined[]>} */
export async function joinParts(metafile, files, folder) {
  const parts = partsOf(metafile, files);
  const loaders = loadersOf(parts);
  await splitShared(parts, loaders);
  const starts = [...parts.values()].filter(({ entry, name }) => entry !== undefined && isProgram(name));
  const bundle = await rollup({
    ...optionsOver(parts),
    input: Object.fromEntries(starts.map(({ file, name }) => [outputOf(name), file])),
  });
  const { output } = await bundle.generate({
    ...{ format: "es", hoistTransitiveImports: false, minifyInternalExports: true },
    ...{ entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" },
    manualChunks: (file) => fileFor(/** @type {Part} */ (parts.get(file)), loaders.get(file) ?? new Set()),
  });
  await bundle.close();
  const chunks = new Map(output.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one]] : [])));
  const check = (/** @type {string} */ start, /** @type {(file: string) => boolean} */ isForeign) => {
    const loaded = new Set([`${start}.mjs`]);
    for (const file of loaded) for (const needed of chunks.get(file)?.imports ?? []) loaded.add(needed);
    const foreign = [...loaded].find(isForeign);
    if (foreign !== undefined) throw new Error(`${start}.mjs loads ${foreign}, which is not there for it.`);
  };
  for (const thread of threads) check(thread, (file) => file === "vscode");
  for (const { name } of starts.filter((start) => isPage(start.name)))
    check(outputOf(name), (file) => !file.startsWith("webview/"));
  return output.flatMap((one) => {
    if (one.type !== "chunk") return [];
    const inputs = Object.assign({}, ...one.moduleIds.map((file) => parts.get(file)?.inputs));
    const inFolder = (/** @type {string} */ name) => path.posix.join(folder, name);
    const imports = [
      ...one.imports.map((name) => ({ path: inFolder(name), kind: "import-statement" })),
      ...one.dynamicImports.map((name) => ({ path: inFolder(name), kind: "dynamic-import" })),
    ];
    return [{ file: inFolder(one.fileName), text: one.code, inputs, imports }];
  });
}
