/** The prompts that can be started by their name after `/`: the person's own prompt files, and those and the skills of the workspace. */
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { definedFields } from "../../base/definedFields";
import { firstBytes } from "../../base/text/cutText";
import type { StartedPrompt } from "../../domain/chat/attachmentSchema";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readText } from "../gate/fileGate";
import { findUntrusted } from "../gate/quotedFiles";
import { revealHidden } from "../../base/text/revealHidden";
import { isMissingPath } from "../../base/systemErrors";
import { decodeText } from "../../base/text/decodeText";
import { findPromptFiles, gated, typedName } from "./findPromptFiles";
import { type PromptHeader, readPromptFile } from "./promptHeader";

/** A file of the person's own folder. */
export interface OwnPrompt {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export interface PromptBookOptions {
  readonly workspace: ReadableWorkspace;
  readonly own: () => Promise<readonly OwnPrompt[]>;
  /** Names that have another meaning after `/`. */
  readonly reserved: readonly string[];
  /** Asks the person; `undefined` where they leave the question. */
  readonly ask: (input: PromptInput, name: string) => Promise<string | undefined>;
}

export interface ListedPrompt {
  /** Unique in the list. */
  readonly name: string;
  readonly kind: "prompt" | "skill";
  /** The path by which tools name the file; missing for a file of the person's own. */
  readonly path?: string;
  /** The absolute path of one of the person's own. */
  readonly file?: string;
  readonly header: PromptHeader;
  /** Set for a file of the workspace that is not in git's index: it may have come with something that was downloaded. */
  readonly isUntracked?: true;
}

export interface ListedPrompts {
  readonly prompts: readonly ListedPrompt[];
  /** Files that are left out, because there are too many. */
  readonly more: number;
}

/** Bytes of a file that are sent, as many as of instructions, and that are read. */
const promptBounds = { sent: 32 * 1024, read: 1024 * 1024 };

export class PromptBook {
  readonly #options: PromptBookOptions;
  #listed: Promise<ListedPrompts> | undefined;

  constructor(options: PromptBookOptions) {
    this.#options = options;
  }

  /** Makes the next list be read again, because something has changed. */
  forget(): void {
    this.#listed = undefined;
  }

  /** Lists the person's own prompts, then those of the workspace, then skills. Rejects with the error of the file system. */
  list(): Promise<ListedPrompts> {
    const listed = (this.#listed ??= this.#list());
    listed.catch(() => {
      if (this.#listed === listed) this.#listed = undefined;
    });
    return listed;
  }

  /**
   * Returns what a prompt with that text starts; `undefined` where the text begins with no such name and is sent as it is. Rejects with the error
   * of the file system.
   */
  async start(text: string): Promise<StartedPrompt | "cancelled" | "unreadable" | undefined> {
    const [, name = "", rest = ""] = /^\/([^\s/]+)(?:\s+([^]*))?$/u.exec(text.trim()) ?? [];
    if (name === "") return undefined;
    const { prompts } = await this.list();
    const known = prompts.find((one) => keyOf(one.name) === keyOf(name));
    if (known === undefined) return undefined;
    const read = known.path === undefined ? await this.#readOwn(known) : await this.#readFile(known.path);
    const { body } = readPromptFile(read?.text ?? "");
    if (read === undefined || body === "") return "unreadable";
    const sent = firstBytes(body, promptBounds.sent);
    const expanded = await this.#expand(known.name, sent, rest);
    if (expanded === undefined) return "cancelled";
    const { kind, path } = known;
    const cutFrom = sent.length < body.length ? body.length : expanded.cutFrom;
    const { untrusted } = read;
    return { name: known.name, kind, text: expanded.text, ...definedFields({ path, cutFrom, untrusted }) };
  }

  async #expand(name: string, body: string, rest: string): Promise<ExpandedPrompt | undefined> {
    const inputs = inputsOf(body);
    const answers = new Map(givenInputs(inputs, rest));
    for (const input of inputs) {
      if (answers.has(input.name)) continue;
      const answer = await this.#options.ask(input, name);
      if (answer === undefined) return undefined;
      answers.set(input.name, answer);
    }
    return fillPrompt(body, rest, answers);
  }

  async #list(): Promise<ListedPrompts> {
    const { workspace, own, reserved } = this.#options;
    const [mine, { prompts, more }] = await Promise.all([
      own(),
      findPromptFiles(workspace, new AbortController().signal),
    ]);
    const taken = new Set(reserved.map(keyOf));
    const listed: ListedPrompt[] = [];
    const add = (names: readonly string[], prompt: Omit<ListedPrompt, "name">): void => {
      const name = names.find((one) => !taken.has(keyOf(one)));
      if (name === undefined) return;
      taken.add(keyOf(name));
      listed.push({ name, ...prompt });
    };
    for (const { name: given, path: file, text } of mine) {
      const name = typedName([given]);
      if (name !== undefined)
        add([name, `${ownSource}:${name}`], { kind: "prompt", file, header: readPromptFile(text).header });
    }
    for (const kind of ["prompt", "skill"] as const)
      for (const { name, source, root, path, header, isTracked } of prompts.filter((one) => one.kind === kind))
        add([name, `${source}:${name}`, `${root}:${source}:${name}`], {
          kind,
          path,
          header,
          ...(isTracked ? {} : { isUntracked: true }),
        });
    return { prompts: listed, more };
  }

  async #readOwn({ file }: ListedPrompt): Promise<ReadFile | undefined> {
    const text = (await this.#options.own()).find(({ path }) => path === file)?.text;
    return text === undefined ? undefined : { text };
  }

  /** Passes the file through the gate once more, because it may be another one by now. */
  async #readFile(path: string): Promise<ReadFile | undefined> {
    const { workspace } = this.#options;
    const { signal } = new AbortController();
    const file = await gated(workspace, path, signal);
    if (file === undefined) return undefined;
    try {
      const { text } = await readText(workspace, file, promptBounds.read);
      const untrusted = await findUntrusted(workspace, [file], signal, undefined);
      return { text, ...definedFields({ untrusted }) };
    } catch (error) {
      if (error instanceof ToolRefusal) return undefined;
      throw error;
    }
  }
}

interface ReadFile {
  readonly text: string;
  readonly untrusted?: string;
}

/** The prefix of a prompt of the person's own whose name a command has. */
const ownSource = "own";

/** Names that differ only in their case are one. */
function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** `${input:name:placeholder}`. */
interface PromptInput {
  readonly name: string;
  readonly placeholder: string;
}

interface ExpandedPrompt {
  readonly text: string;
  /** Characters of the whole, when `text` is only its beginning. */
  readonly cutFrom?: number;
}

/** Questions of one file: a person answers each. */
const inputCap = 8;
/** Characters that are sent; arguments can be named any number of times. */
const textCap = 64 * 1024;

const places = /\$\{input:([\w-]{1,64})(?::([^}\r\n]{0,200}))?\}|\$ARGUMENTS\b|\$([1-9])(?!\d)/g;

/** The inputs that are asked for, each once, in their order. */
export function inputsOf(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, name, placeholder = ""] of body.matchAll(places))
    if (name !== undefined && !inputs.has(name) && inputs.size < inputCap)
      inputs.set(name, { name, placeholder: revealHidden(placeholder) });
  return [...inputs.values()];
}

/** Reads the text after the name: `name=value` answers the input of that name, and the whole text answers the only input. */
export function givenInputs(inputs: readonly PromptInput[], rest: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const word of wordsOf(rest)) {
    const [, name = "", value = ""] = /^([\w-]{1,64})=(.*)$/s.exec(word) ?? [];
    if (value !== "" && inputs.some((input) => input.name === name)) given.set(name, value);
  }
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0 && given.size === 0 && rest !== "") given.set(only.name, rest);
  return given;
}

/** `answers` by the names of the inputs. An argument that was not given stays written as its place: the person sees which one is missing. */
export function fillPrompt(body: string, rest: string, answers: ReadonlyMap<string, string>): ExpandedPrompt {
  const words = wordsOf(rest);
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    if (length < textCap) parts.push(part.slice(0, textCap - length));
    length += part.length;
  };
  let from = 0;
  for (const match of body.matchAll(places)) {
    const [place, input, , position] = match;
    add(body.slice(from, match.index));
    from = match.index + place.length;
    if (input !== undefined) add(answers.get(input) ?? place);
    else add(position === undefined ? rest : (words[Number(position) - 1] ?? place));
  }
  add(body.slice(from));
  const text = parts.join("").toWellFormed();
  return { text, ...definedFields({ cutFrom: length > text.length ? length : undefined }) };
}

/** At most `wordCap` words. Quotes around a word, or around the value of `name=`, keep blanks in it; an apostrophe inside a word does not. */
function wordsOf(rest: string): readonly string[] {
  const words: string[] = [];
  for (const [, before = "", double, single, plain] of rest.matchAll(wordPattern)) {
    words.push(plain ?? before + (double ?? single ?? ""));
    if (words.length === wordCap) break;
  }
  return words;
}

const wordPattern = /((?:[\w-]{1,64}=)?)(?:"([^"]*)"|'([^']*)')(?!\S)|(\S+)/g;
const wordCap = 100;

/** The person's own prompt files, in a folder of the extension's storage. */
export interface OwnPromptFile {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Files, and bytes that are read of each. */
const ownPromptBounds = { files: 200, each: 64 * 1024 };

/** The files sorted by name; empty where there is no folder. Rejects with the error of the file system. */
export async function readOwnPrompts(folder: string): Promise<readonly OwnPromptFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissingPath(error)) return [];
    throw error;
  });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".md"))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, ownPromptBounds.files);
  const read = await Promise.all(
    files.map(async ({ name }): Promise<OwnPromptFile[]> => {
      const path = join(folder, name);
      const text = await readOwnText(path);
      return text === undefined ? [] : [{ name: name.replace(/(?:\.prompt)?\.md$/i, ""), path, text }];
    }),
  );
  return read.flat();
}

/** `undefined` for what is gone or is no text. */
async function readOwnText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(ownPromptBounds.each), 0, ownPromptBounds.each, 0);
      const { text } = decodeText(buffer.subarray(0, bytesRead));
      return text.includes("\0") ? undefined : text;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
