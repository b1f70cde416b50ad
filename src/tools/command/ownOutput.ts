/** Decides whether the output of a command is the project's own: the output of its code, or of its files (A4). */
import { createHash } from "node:crypto";
import type { GrantedPart, NamedPaths } from "../../domain/tools/grant";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "../gate/fileAccess";
import { posixParts, type CommandPart } from "./readCommandLine";
import { isQuietGit } from "./plainGit";

export interface OutputOptions {
  /**
   * Whether a program with its words runs only code of the project, such as its tests, or prints only its files. `isUnread`: no person has
   * read what it runs, so a script of the project does not count: the model may have written it.
   */
  readonly isProjects: (part: GrantedPart, isUnread?: boolean) => boolean;
}

export interface OutputLine {
  readonly line: string;
  /** The parts of the line as it is granted; missing for a line that is more than plain words, which may still hold code that a person has read. */
  readonly parts?: readonly CommandPart[];
  /** Missing where it runs outside of the sandbox, after a person has read it. */
  readonly confinedTo?: readonly string[];
}

/** `pathsIn`: finds the paths that words name. */
export async function isOwnOutput(
  { isProjects }: OutputOptions,
  { line, parts, confinedTo }: OutputLine,
  pathsIn: (words: readonly string[]) => Promise<NamedPaths>,
): Promise<boolean> {
  const isUnread = confinedTo !== undefined;
  const read = isUnread ? (parts ?? []) : (parts ?? posixParts(line, false));
  if (read.length === 0) return false;
  for (const part of read) {
    if (listsForeign(part.argv)) return false;
    if (isUnread) {
      const paths = await pathsIn(part.argv);
      if (paths.foreign.length > 0) return false;
      if (isQuietGit(part.argv) || movesFiles(part.argv) || isProjects(grantedPartOf(part, paths), true)) continue;
      return false;
    }
    if (isQuietGit(part.argv) || isQuietInstaller(part.argv)) continue;
    const code = inlineCode(part.argv);
    if (code !== undefined && reachesOut.test(code)) return false;
    const words = code === undefined ? part.argv : quotedPaths(code);
    const paths = await pathsIn(words);
    if (code === undefined ? !isProjects(grantedPartOf(part, paths)) : paths.foreign.length > 0) return false;
  }
  return true;
}

export function grantedPartOf({ argv, joint }: CommandPart, paths: GrantedPart["paths"]): GrantedPart {
  return { argv, paths, ...(joint === "|" ? { isPiped: true } : {}) };
}

/** Whether a word names a path that is not the project's: such a command may put foreign text into its files, whatever it prints. */
export async function namesForeign(
  { line, parts }: OutputLine,
  pathsIn: (words: readonly string[]) => Promise<NamedPaths>,
): Promise<boolean> {
  for (const { argv } of parts ?? posixParts(line, false)) if ((await pathsIn(argv)).foreign.length > 0) return true;
  return false;
}

/** Whether the command lists names of files that git ignores. */
function listsForeign([program = "", command = "", ...rest]: readonly string[]): boolean {
  if (program !== "git") return false;
  if (command === "status") return rest.some((word) => word.startsWith("--ignored"));
  return command === "ls-files" && rest.some((word) => /^(?:-[a-z]*[oi]|--others|--ignored)/u.test(word));
}

/** Whether the command changes only the places, names and permissions of files, and no text. */
function movesFiles([program = "", ...rest]: readonly string[]): boolean {
  return (
    /^(?:mv|rm|rmdir|chmod)$/u.test(program) && rest.every((word) => !word.startsWith("-") || /^-[a-z]+$/iu.test(word))
  );
}

const installers: ReadonlySet<string> = new Set(
  "pip install|pip3 install|npm install|npm ci|npm i|yarn install|yarn add|pnpm install|pnpm add|pnpm i|uv sync|poetry install|bundle install|composer install".split(
    "|",
  ),
);

/** Whether a line brings files that others may have written, as installers and a stash do: they do not count as made by the command. */
export function bringsFiles(parts: readonly CommandPart[]): boolean {
  return parts.some(({ argv }) => isInstaller(argv) || isQuietGit(argv));
}

function isInstaller(argv: readonly string[]): boolean {
  const words = /^python[\d.]*$/u.test(argv[0] ?? "") && argv[1] === "-m" ? argv.slice(2) : argv;
  return installers.has(words.slice(0, 2).join(" "));
}

/** Whether the installer prints nothing unless it fails. */
function isQuietInstaller(argv: readonly string[]): boolean {
  return isInstaller(argv) && argv.some((word) => /^(?:-q+|--quiet|--silent)$/u.test(word));
}

/**
 * Whether a line only installs packages. The packages write its output, which is worth nothing to the model once it succeeded: it is kept
 * back, so that no foreign text comes into the chat.
 */
export function isInstalling(parts: readonly CommandPart[] | undefined): boolean {
  const [first, ...others] = parts ?? [];
  return (
    first !== undefined && isInstaller(first.argv) && others.every(({ argv, joint }) => joint === "|" && isFilter(argv))
  );
}

const isFilter = ([program = ""]: readonly string[]): boolean => /^(?:head|tail|grep)$/u.test(program);

/** The code of `python -c code` and the like, where no more words follow. A person has read it: each such call asks. */
function inlineCode([program = "", option = "", code, ...rest]: readonly string[]): string | undefined {
  const isCode = /^(?:python[\d.]*|node|ruby|php|perl)$/u.test(program) && /^-[cer]$/u.test(option);
  return isCode && rest.length === 0 ? code : undefined;
}

/** Matches code with an address, the network, another program, or a walk over files. */
const reachesOut =
  /:\/\/|(?<![\w.])(?:urllib(?!\.parse)|requests|httpx?|aiohttp|socket|ftplib|smtplib|net|https|fetch|subprocess|child_process|popen|spawn|exec|execSync|system|eval|importlib|__import__)(?!\w)|\b(?:glob|walk|listdir|scandir|iterdir|rglob|readdir|readdirSync)\b/iu;

/** Texts of the code that may be paths, and the folders of the packages that it loads. */
function quotedPaths(code: string): readonly string[] {
  const texts = [...code.matchAll(/(["'`])([^"'`\n]{1,300})\1/gu)].map(([, , text = ""]) => text);
  const paths = texts.filter((text) => /[/\\~]|\.\w{1,6}$/u.test(text) && !/\s/u.test(text));
  const loaded = [...code.matchAll(/(?:require|import|from)[\s(]{0,20}["'`]((?:@[\w.-]+\/)?\w[\w.-]*)["'`]/gu)];
  const packages = loaded.map(([, name = ""]) => `${name}/package.json`);
  return [...new Set([...paths, ...packages])];
}

/** Files of one command; one that makes more has unpacked or installed something. */
const fileCap = 500;
/** Bytes. A larger file is not recorded, so it does not count as made by the command. */
const sizeCap = 4 * 1024 * 1024;

export class FilesOfCommands {
  readonly #workspace: Pick<ReadableWorkspace, "open" | "status">;
  /** Hashes of contents, by the paths as the editor names them: a command can write other text of the same length into the same file. */
  readonly #made = new Map<string, string>();

  constructor(workspace: Pick<ReadableWorkspace, "open" | "status">) {
    this.#workspace = workspace;
  }

  /** Whether a command made the file, and its content is the same since. */
  readonly has = async (path: string): Promise<boolean> => {
    const known = this.#made.get(path);
    return known !== undefined && known === (await this.#hash(path));
  };

  async add(paths: readonly string[]): Promise<void> {
    if (paths.length > fileCap) return;
    for (const path of paths) {
      const hash = await this.#hash(path);
      if (hash !== undefined) this.#made.set(path, hash);
    }
  }

  async #hash(path: string): Promise<string | undefined> {
    const bytes = await readSmallFile(this.#workspace, path, sizeCap);
    return bytes instanceof Uint8Array ? createHash("sha256").update(bytes).digest("base64") : undefined;
  }
}
