/** References in JSON: web manifests, those of extensions of browsers and of VS Code, Expo's and Tauri's configurations. */
import { definedFields } from "../../base/definedFields";
import { type FoundReference, isMediaPath, largestSize, maxReferences, type ReferenceUse } from "./foundReference";

type Json = Readonly<Record<string, unknown>>;

/** Levels of an object that are looked into. */
const deepest = 12;
/**
 * Characters that are searched for the places of values. A value that is written in another form than it is read costs a search of the whole text.
 */
const maxSearched = 20_000_000;
/** Characters of the keys that lead to a value. */
const maxKey = 200;
const configKey = /(?:icon|image|favicon|splash|logo|poster|banner|screenshot|background)/i;

export type JsonKind = "manifest" | "package" | "config";

export function jsonReferences(text: string, kind: JsonKind): readonly FoundReference[] {
  const root = parsed(text);
  if (root === undefined) return [];
  const reader = new JsonReader(text);
  const { name, description, displayName } = root;
  const near = [displayName ?? name, description]
    .filter((one): one is string => typeof one === "string" && one !== "")
    .join(": ");
  if (kind === "manifest") readManifest(root, near, reader);
  else if (kind === "package") {
    reader.add(root["icon"], "icon", { ...definedFields({ near: near || undefined }), width: 256, height: 256 });
    readWalkthroughs(root["contributes"], reader);
  } else readConfig(root, "", near || nameIn(root["expo"]), reader, 0);
  return reader.found;
}

/** The pictures that explain the steps of a VS Code extension. */
function readWalkthroughs(contributes: unknown, reader: JsonReader): void {
  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 100) : []);
  for (const walkthrough of listOf(isJson(contributes) ? contributes["walkthroughs"] : undefined))
    for (const step of listOf(isJson(walkthrough) ? walkthrough["steps"] : undefined)) {
      if (!isJson(step) || !isJson(step["media"])) continue;
      const { image, altText } = step["media"];
      const alt = typeof altText === "string" && altText !== "" ? { alt: altText } : {};
      for (const path of isJson(image) ? new Set(Object.values(image)) : [image]) reader.add(path, "config", alt);
    }
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameIn(value: unknown): string {
  return isJson(value) && typeof value["name"] === "string" ? value["name"] : "";
}

/** Finds where a value is written. */
class JsonReader {
  readonly found: FoundReference[] = [];
  readonly #text: string;
  /** The offset at which the next search begins, because values mostly come in the order of the text. */
  #next = 0;
  #searched = 0;

  constructor(text: string) {
    this.#text = text;
  }

  add(
    value: unknown,
    use: ReferenceUse,
    more: Pick<FoundReference, "width" | "height" | "near" | "alt" | "isMaskable"> = {},
  ): void {
    if (typeof value !== "string" || !isMediaPath(value) || this.found.length >= maxReferences) return;
    if (this.#searched > maxSearched) return;
    const quoted = JSON.stringify(value);
    const after = this.#text.indexOf(quoted, this.#next);
    const at = after >= 0 ? after : this.#text.lastIndexOf(quoted, this.#next);
    this.#searched += after >= 0 ? after - this.#next : this.#text.length - Math.max(at, 0);
    if (at < 0) return;
    this.#next = at + quoted.length;
    this.found.push({ written: value, start: at + 1, end: at + quoted.length - 1, use, ...more });
  }
}

function readManifest(root: Json, near: string, reader: JsonReader): void {
  const words = definedFields({ near: near || undefined });
  const readIcons = (icons: unknown, use: ReferenceUse): void => {
    if (isJson(icons)) {
      // Extensions of browsers have the path by the size.
      for (const [size, path] of Object.entries(icons)) {
        const side = /^\d{1,4}$/.test(size) ? Number(size) : undefined;
        reader.add(path, use, { ...words, ...definedFields({ width: side, height: side }) });
      }
    } else if (Array.isArray(icons)) {
      for (const icon of icons.slice(0, maxReferences) as readonly unknown[]) {
        if (!isJson(icon)) continue;
        const { src, sizes, purpose, label } = icon;
        const isMaskable = typeof purpose === "string" && /^\s*maskable\s*$/.test(purpose);
        const alt = typeof label === "string" && label !== "" ? { alt: label } : {};
        reader.add(src, use, {
          ...words,
          ...alt,
          ...largestSize(String(sizes)),
          ...(isMaskable ? { isMaskable } : {}),
        });
      }
    } else reader.add(icons, use, words);
  };
  readIcons(root["icons"], "icon");
  for (const key of ["action", "browser_action", "page_action"]) {
    const action = root[key];
    if (isJson(action)) readIcons(action["default_icon"], "icon");
  }
  readIcons(root["screenshots"], "page");
  const { shortcuts } = root;
  if (Array.isArray(shortcuts))
    for (const shortcut of shortcuts.slice(0, 100) as readonly unknown[])
      if (isJson(shortcut)) readIcons(shortcut["icons"], "page");
}

function readConfig(value: unknown, key: string, near: string, reader: JsonReader, depth: number): void {
  if (depth > deepest || reader.found.length >= maxReferences) return;
  if (typeof value === "string") {
    const isSplash = /splash|background/i.test(key);
    if (configKey.test(key))
      reader.add(value, isSplash ? "config" : "icon", {
        ...definedFields({ near: near || undefined }),
        ...sizeOfKey(key),
      });
  } else if (Array.isArray(value))
    for (const one of value as readonly unknown[]) readConfig(one, key, near, reader, depth + 1);
  else if (isJson(value))
    for (const [name, one] of Object.entries(value)) {
      // `image` in `splash` is a splash; `light` in `icon` is an icon.
      const named =
        configKey.test(name) && !(/^(?:image|backgroundImage)$/.test(name) && key !== "") ? name : `${key} ${name}`;
      readConfig(one, named.slice(-maxKey), near, reader, depth + 1);
    }
}

/** Expo's documentation names these sizes. */
function sizeOfKey(key: string): Pick<FoundReference, "width" | "height"> {
  if (/favicon/i.test(key)) return { width: 48, height: 48 };
  if (/notification/i.test(key)) return { width: 96, height: 96 };
  if (/splash|background/i.test(key)) return {};
  return /^(?:.* )?(?:icon|foregroundImage|monochromeImage|adaptiveIcon)\b/i.test(key)
    ? { width: 1024, height: 1024 }
    : {};
}
