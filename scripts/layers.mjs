// The check `layers`: reads the imports of src and compares the folders with scripts/layerTable.mjs.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { rooms, table, wordFolders } from "./layerTable.mjs";

/**
 * @typedef {ReadonlyMap<string, readonly string[]>} Imports the files that each file imports and, as they are written, the packages; paths
 * are relative to src, with `/`
 *
 * @typedef {object} Layers
 * @property {Readonly<Record<string, readonly string[]>>} table what each top folder may import, itself not named
 * @property {Readonly<Record<string, readonly string[]>>} rooms the same for the folders inside one top folder, lower ones first
 * @property {readonly string[]} wordFolders the folders that translate sentences
 */

const maxFiles = 25;
const tableFile = "scripts/layerTable.mjs";

/**
 * @param {string} root the folder src
 * @returns {Promise<Imports>}
 */
export async function readImports(root) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
  const known = new Set(files);
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const text = await readFile(path.join(root, file), "utf8");
        const imported = importsIn(text).flatMap((specifier) => resolveImport(file, specifier, known) ?? []);
        return /** @type {const} */ ([file, [...new Set(imported)]]);
      }),
    ),
  );
}

/**
 * The modules that a file names after `from`, `import` or `import(`: types count too.
 * @param {string} text
 */
function importsIn(text) {
  const withoutComments = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  return [...withoutComments.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, specifier = ""]) => specifier);
}

/**
 * `undefined` for what is no file of src: tsc reports a file that is missing.
 * @param {string} file
 * @param {string} specifier
 * @param {ReadonlySet<string>} known
 */
function resolveImport(file, specifier, known) {
  if (!specifier.startsWith(".")) return specifier;
  const target = path.posix.join(path.posix.dirname(file), specifier);
  return [`${target}.ts`, target, `${target}/index.ts`, target.replace(/\.js$/, ".ts")].find((name) => known.has(name));
}

/**
 * @param {Imports} imports
 * @param {Layers} layers
 * @returns {readonly string[]} a sentence for each fault
 */
export function findFaults(imports, layers) {
  const arrows = arrowsOf(imports);
  return [
    ...missingRows(imports, layers),
    ...wrongRows(imports, layers),
    ...wrongArrows(arrows, layers),
    ...circles(arrows),
    ...fullFolders(imports),
    ...withoutEditor(imports),
    ...strayWords(imports, layers),
  ];
}

/** @param {string} file */
const folderOf = (file) => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".");

/** @param {string} folder */
const topOf = (folder) => folder.split("/")[0] ?? "";

/** @param {Imports} imports */
const foldersOf = (imports) => new Set([...imports.keys()].map(folderOf).filter((folder) => folder !== "."));

/**
 * @typedef {object} Arrow
 * @property {string} from a folder
 * @property {string} to
 * @property {string} example the import that makes it
 */

/**
 * One arrow for each pair of folders.
 * @param {Imports} imports
 * @returns {readonly Arrow[]}
 */
function arrowsOf(imports) {
  /** @type {Map<string, Arrow>} */
  const arrows = new Map();
  for (const [file, imported] of imports) {
    for (const target of imported) {
      if (!imports.has(target)) continue;
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from !== to && !arrows.has(`${from} ${to}`)) {
        arrows.set(`${from} ${to}`, { from, to, example: `${file} imports ${target}` });
      }
    }
  }
  return [...arrows.values()];
}

/**
 * @param {Imports} imports
 * @param {Layers} layers
 */
function missingRows(imports, { table, rooms }) {
  const folders = foldersOf(imports);
  const tops = new Set([...folders].map(topOf));
  const divided = new Set([...folders].filter((folder) => folder.includes("/")).map(topOf));
  return [
    ...[...tops]
      .filter((top) => !(top in table))
      .map((top) => `${top}/ has no row: add "${top}: [the top folders that it may import]" to table in ${tableFile}`),
    ...[...folders]
      .filter((folder) => divided.has(topOf(folder)) && !(folder in rooms))
      .map((folder) => {
        const row = `"${folder}": [the rooms of ${topOf(folder)}/ that it may import]`;
        return `${folder}/ has no row: add ${row} to rooms in ${tableFile}, below the rows of these rooms`;
      }),
  ];
}

/**
 * Rows of folders that are gone, and rows that name one that does not come before them: in this order no row can close a circle.
 * @param {Imports} imports
 * @param {Layers} layers
 */
function wrongRows(imports, layers) {
  const folders = foldersOf(imports);
  const tops = new Set([...folders].map(topOf));
  return [
    ...rowFaults(layers.table, tops),
    ...rowFaults(layers.rooms, folders),
    ...layers.wordFolders
      .filter((name) => ![...folders].some((folder) => isWithin(folder, name)))
      .map((name) => `wordFolders in ${tableFile} names ${name}, which has no files: remove it`),
    ...Object.entries(layers.rooms).flatMap(([room, allowed]) =>
      allowed
        .filter((other) => topOf(other) !== topOf(room))
        .map((other) => `the row ${room} names ${other}: rooms of another top folder belong to table`),
    ),
  ];
}

/**
 * @param {Layers["table"]} rows
 * @param {ReadonlySet<string>} folders
 */
function rowFaults(rows, folders) {
  const names = Object.keys(rows);
  return Object.entries(rows).flatMap(([name, allowed], index) => [
    ...(folders.has(name) ? [] : [`the row ${name} in ${tableFile} is of no folder with files: remove it`]),
    ...allowed
      .filter((other) => !names.slice(0, index).includes(other))
      .map((other) => `the row ${name} names ${other}, which has no row above it: rows go from low to high`),
  ]);
}

/**
 * @param {readonly Arrow[]} arrows
 * @param {Layers} layers
 */
function wrongArrows(arrows, { table, rooms }) {
  return arrows.flatMap(({ from, to, example }) => {
    // The files beside the top folders are the entries of the product: they import everything.
    if (from === ".") return [];
    const isInside = topOf(from) === topOf(to);
    const [name, other] = isInside ? [from, to] : [topOf(from), topOf(to)];
    const allowed = (isInside ? rooms : table)[name];
    // A missing row is a fault of its own.
    if (allowed === undefined || allowed.includes(other)) return [];
    return [`${name}/ may not import ${other}/ (${tableFile}): ${example}`];
  });
}

/**
 * Groups of folders that import each other, also over others.
 * @param {readonly Arrow[]} arrows
 */
function circles(arrows) {
  /** @type {Map<string, string[]>} */
  const targets = new Map();
  for (const { from, to } of arrows) targets.set(from, [...(targets.get(from) ?? []), to]);
  const reached = new Map([...targets.keys()].map((folder) => [folder, reach(folder, targets)]));
  /** @type {Set<string>} */
  const named = new Set();
  return [...targets.keys()].flatMap((folder) => {
    if (named.has(folder) || !reached.get(folder)?.has(folder)) return [];
    const group = [...targets.keys()].filter((o) => reached.get(folder)?.has(o) && reached.get(o)?.has(folder));
    for (const member of group) named.add(member);
    const examples = arrows.filter(({ from, to }) => group.includes(from) && group.includes(to));
    return [`a circle of folders: ${group.join(", ")} (${examples.map(({ example }) => example).join("; ")})`];
  });
}

/**
 * Where the arrows from a place lead, over others too; the place itself only if they lead back.
 * @param {string} start
 * @param {ReadonlyMap<string, readonly string[]>} targets
 */
function reach(start, targets) {
  /** @type {Set<string>} */
  const found = new Set();
  const open = [start];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of targets.get(next) ?? []) {
      if (found.has(target)) continue;
      found.add(target);
      open.push(target);
    }
  }
  return found;
}

/** @param {Imports} imports */
function fullFolders(imports) {
  return [...foldersOf(imports)].flatMap((folder) => {
    const count = [...imports.keys()].filter((file) => folderOf(file) === folder).length;
    return count > maxFiles ? [`${folder}/ has ${count} files, more than ${maxFiles}: divide it by subject`] : [];
  });
}

/** Folders whose files are there because they need the editor. */
const editorFolders = ["vscode", "compose"];
/** Programs of worker threads, which have no editor: they connect folders that node/ may not import. */
const threadPrograms = ["compose/storageThread.ts"];

/**
 * Files of these folders that import modules of Node and reach the editor neither themselves nor through files of these folders that they
 * import. `node:path` only reads text.
 * @param {Imports} imports
 */
function withoutEditor(imports) {
  /** @type {Map<string, readonly string[]>} */
  const targets = new Map();
  for (const [file, imported] of imports) if (editorFolders.includes(topOf(file))) targets.set(file, imported);
  return [...targets].flatMap(([file, imported]) => {
    const needsNode = imported.some((name) => name.startsWith("node:") && name !== "node:path");
    if (!needsNode || threadPrograms.includes(file) || reach(file, targets).has("vscode")) return [];
    return [`${file} needs Node but not the editor: move it to node/`];
  });
}

/** The package that translates, and the file that adds the forms of a plural. */
const translators = ["@vscode/l10n", "domain/words/plural.ts"];

/**
 * Files outside of `wordFolders` that translate: a sentence that is stored or compared there would depend on the display language.
 * @param {Imports} imports
 * @param {Layers} layers
 */
function strayWords(imports, { wordFolders }) {
  return [...imports].flatMap(([file, imported]) => {
    const translator = imported.find((name) => translators.includes(name));
    if (translator === undefined || wordFolders.some((name) => isWithin(folderOf(file), name))) return [];
    return [`${file} imports ${translator}: sentences for a person are in ${wordFolders.join(", ")} (${tableFile})`];
  });
}

/**
 * @param {string} folder
 * @param {string} outer
 */
const isWithin = (folder, outer) => folder === outer || folder.startsWith(`${outer}/`);

async function main() {
  const faults = findFaults(await readImports("src"), { table, rooms, wordFolders });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

// Tests import this file in a bundle, which can't wait at its top level.
if (path.basename(process.argv[1] ?? "") === "layers.mjs") void main();
