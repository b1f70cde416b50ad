// What the build refuses, in sentences: an emitted file where its program can't load it, and names that nothing declares.
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { analyze } from "eslint-scope";
import { parse } from "espree";

/** @typedef {"host" | "thread" | "page"} Runtime */

const words = (/** @type {string} */ text) => text.trim().split(/\s+/);

const language = words(`
  Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error AggregateError EvalError RangeError ReferenceError
  SyntaxError TypeError URIError FinalizationRegistry Float32Array Float64Array Function Int8Array Int16Array Int32Array Intl JSON Map
  Math NaN Infinity Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8Array Uint8ClampedArray Uint16Array Uint32Array
  WeakMap WeakRef WeakSet arguments undefined globalThis parseFloat parseInt isNaN isFinite
  decodeURI decodeURIComponent encodeURI encodeURIComponent
`);
/** Both in Node 22 and in the page. */
const everywhere = words(`
  AbortController AbortSignal Blob DOMException Event EventTarget Headers ReadableStream Request Response TextDecoder TextEncoder
  TransformStream URL URLSearchParams WebAssembly WritableStream atob btoa clearInterval clearTimeout console crypto fetch
  navigator performance queueMicrotask setInterval setTimeout structuredClone
`);
const node = words("Atomics Buffer File SharedArrayBuffer clearImmediate process setImmediate");
const page = words(`
  CSS ClipboardItem DOMParser Element FileReader HTMLButtonElement HTMLDetailsElement HTMLElement HTMLInputElement HTMLOListElement
  HTMLMediaElement HTMLSelectElement HTMLTextAreaElement HTMLVideoElement Highlight IntersectionObserver MutationObserver Node NodeFilter OffscreenCanvas Range
  ResizeObserver Text acquireVsCodeApi addEventListener createImageBitmap customElements document getComputedStyle getSelection
  matchMedia requestAnimationFrame requestIdleCallback window
`);

/** @type {Readonly<Record<Runtime, { label: string, names: ReadonlySet<string>, hasModule: (name: string) => boolean }>>} */
const runtimes = {
  host: {
    label: "the extension host",
    names: new Set([...language, ...everywhere, ...node]),
    hasModule: (name) => name === "vscode" || isBuiltin(name),
  },
  thread: {
    label: "a thread",
    names: new Set([...language, ...everywhere, ...node]),
    hasModule: (name) => isBuiltin(name),
  },
  page: { label: "a page", names: new Set([...language, ...everywhere, ...page]), hasModule: () => false },
};

/** What was found in each file of a runtime; while watching, only files that have changed are parsed. @type {Map<string, { text: string, found: string[] }>} */
const parsed = new Map();

/** @param {string} file @param {Runtime} runtime */
async function freeNamesIn(file, runtime, folder = ".") {
  const place = path.join(folder, file);
  const text = await readFile(place, "utf8");
  const key = `${runtime} ${place}`;
  const known = parsed.get(key);
  if (known?.text === text) return known.found;
  const found = freeNames(text, runtime, file);
  parsed.set(key, { text, found });
  return found;
}

/**
 * Every fault of a build that has been written; `folder` is where its paths start.
 * @param {Runtime} runtime @param {import("esbuild").Metafile} metafile @param {string} [folder] @returns {Promise<string[]>}
 */
export async function faultsOf(runtime, { outputs }, folder = ".") {
  const files = Object.keys(outputs).filter((file) => file.endsWith(".mjs"));
  const missing = files.flatMap((file) => missingModules(file, outputs, runtime));
  const free = await Promise.all(files.map((file) => freeNamesIn(file, runtime, folder)));
  return [...missing, ...free.flat()];
}

/** @param {string} file @param {import("esbuild").Metafile["outputs"]} outputs @param {Runtime} runtime */
function missingModules(file, outputs, runtime) {
  const { label, hasModule } = runtimes[runtime];
  return (outputs[file]?.imports ?? [])
    .filter(({ path: name }) => !(name in outputs) && !hasModule(name))
    .map(({ path: name }) => `${file} loads ${name}, which ${label} does not have.`);
}

/**
 * Sentences about the names in a script that no scope declares. After `typeof` a name need not be declared.
 * @param {string} text @param {Runtime} runtime @param {string} file
 */
export function freeNames(text, runtime, file) {
  const { label, names } = runtimes[runtime];
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module", range: true });
  // Both libraries have the same tree, and types of their own for it.
  const { globalScope } = analyze(/** @type {Parameters<typeof analyze>[0]} */ (/** @type {unknown} */ (tree)), {
    ecmaVersion: 2024,
    sourceType: "module",
  });
  const free = (globalScope?.through ?? [])
    .map(({ identifier }) => identifier)
    .filter(
      ({ name, range }) => !names.has(name) && !/\btypeof[\s(]*$/.test(text.slice((range?.[0] ?? 0) - 20, range?.[0])),
    );
  return [...new Set(free.map(({ name }) => name))].map(
    (name) => `${file} uses ${name}, which nothing declares and ${label} does not have.`,
  );
}
