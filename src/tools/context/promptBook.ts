/** What can be started by its name after `/`: the person's own prompt files, and those and the skills of the workspace. */
import { definedFields } from "../../base/definedFields";
import { firstBytes } from "../../base/text/cutText";
import type { StartedPrompt } from "../../domain/chat/attachmentSchema";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readText } from "../gate/fileText";
import { findUntrusted } from "../gate/quotedFiles";
import { type ExpandedPrompt, expandPrompt, givenInputs, type PromptInput, inputsOf } from "./expandPrompt";
import { findPromptFiles, gated, typedName } from "./findPromptFiles";
import { type PromptHeader, readPromptFile } from "./promptHeader";

/** A file of the person's own folder. */
export interface OwnPrompt {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export interface PromptBookPorts {
  readonly workspace: ReadableWorkspace;
  readonly own: () => Promise<readonly OwnPrompt[]>;
  /** Names that mean something else. */
  readonly reserved: readonly string[];
  /** Asks the person; `undefined` where they leave the question. */
  readonly ask: (input: PromptInput, name: string) => Promise<string | undefined>;
}

export interface ListedPrompt {
  /** No other one has it. */
  readonly name: string;
  readonly kind: "prompt" | "skill";
  /** As tools name the file; missing for one of the person's own. */
  readonly path?: string;
  /** The absolute path of one of the person's own. */
  readonly file?: string;
  readonly header: PromptHeader;
  /** Of the workspace, and not in git's index: it may have come with something that was downloaded. */
  readonly isUntracked?: true;
}

export interface ListedPrompts {
  readonly prompts: readonly ListedPrompt[];
  /** Files that are left out, because there are too many. */
  readonly more: number;
}

/** Bytes of a file that are sent, as of instructions; a file is read up to the second. */
const bounds = { sent: 32 * 1024, read: 1024 * 1024 };

export class PromptBook {
  readonly #ports: PromptBookPorts;
  #listed: Promise<ListedPrompts> | undefined;

  constructor(ports: PromptBookPorts) {
    this.#ports = ports;
  }

  /** Something has changed: the next list is read again. */
  forget(): void {
    this.#listed = undefined;
  }

  /** The person's own, then prompts, then skills. Rejects with the error of the file system. */
  list(): Promise<ListedPrompts> {
    const listed = (this.#listed ??= this.#list());
    listed.catch(() => {
      if (this.#listed === listed) this.#listed = undefined;
    });
    return listed;
  }

  /**
   * What a prompt with that text starts. `undefined` where it begins with no such name, which is sent as it is. Rejects with the error of the
   * file system.
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
    const sent = firstBytes(body, bounds.sent);
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
      const answer = await this.#ports.ask(input, name);
      if (answer === undefined) return undefined;
      answers.set(input.name, answer);
    }
    return expandPrompt(body, rest, answers);
  }

  async #list(): Promise<ListedPrompts> {
    const { workspace, own, reserved } = this.#ports;
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
    const text = (await this.#ports.own()).find(({ path }) => path === file)?.text;
    return text === undefined ? undefined : { text };
  }

  /** Through the gate once more: the file may be another one by now. */
  async #readFile(path: string): Promise<ReadFile | undefined> {
    const { workspace } = this.#ports;
    const { signal } = new AbortController();
    const file = await gated(workspace, path, signal);
    if (file === undefined) return undefined;
    try {
      const { text } = await readText(workspace, file, bounds.read);
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

/** The prefix of one of the person's own where a command has its name. */
const ownSource = "own";

/** Names that differ only in their case are one. */
function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
