/** Whether what a command writes is the project's own: the output of its code, or of its files (A4). */
import type { GrantedPart, NamedPaths } from "../../domain/tools/grant";
import { posixParts } from "./posixWords";
import type { CommandPart } from "./lineParts";
import { isQuietGit } from "./plainGit";

export interface OutputPorts {
  /** Whether a program with its words runs only code of the project, such as its tests, or prints only its files. */
  readonly isProjects: (part: GrantedPart) => boolean;
}

/** `pathsIn`: what words name. `parts`: of the line as it is granted; missing for one that is more than plain words, which may still hold code that a person has read. */
export async function isOwnOutput(
  { isProjects }: OutputPorts,
  { line, parts }: { readonly line: string; readonly parts?: readonly CommandPart[] },
  pathsIn: (words: readonly string[]) => Promise<NamedPaths>,
): Promise<boolean> {
  const read = parts ?? posixParts(line, false);
  if (read.length === 0) return false;
  for (const part of read) {
    if (isQuietGit(part.argv) || isQuietInstaller(part.argv)) continue;
    const code = inlineCode(part.argv);
    if (code !== undefined && reachesOut.test(code)) return false;
    const words = code === undefined ? part.argv : quotedPaths(code);
    const paths = await pathsIn(words);
    if (code === undefined ? !isProjects(granted(part, paths)) : paths.foreign.length > 0) return false;
  }
  return true;
}

export function granted({ argv, joint }: CommandPart, paths: GrantedPart["paths"]): GrantedPart {
  return { argv, paths, ...(joint === "|" ? { isPiped: true } : {}) };
}

const installers: ReadonlySet<string> = new Set(
  "pip install|pip3 install|npm install|npm ci|npm i|yarn install|yarn add|pnpm install|pnpm add|pnpm i|uv sync|poetry install|bundle install|composer install".split(
    "|",
  ),
);

/** Whether a line brings files of others, as installers and a stash do: then what it leaves is not its own. */
export function bringsFiles(parts: readonly CommandPart[]): boolean {
  return parts.some(({ argv }) => isInstaller(argv) || isQuietGit(argv));
}

function isInstaller(argv: readonly string[]): boolean {
  const words = /^python[\d.]*$/u.test(argv[0] ?? "") && argv[1] === "-m" ? argv.slice(2) : argv;
  return installers.has(words.slice(0, 2).join(" "));
}

/** It writes nothing unless it fails. */
function isQuietInstaller(argv: readonly string[]): boolean {
  return isInstaller(argv) && argv.some((word) => /^(?:-q+|--quiet|--silent)$/u.test(word));
}

/**
 * Whether a line only installs packages. What it prints is written by these, and worth nothing to the model once it succeeded: it is kept
 * back, so that no text of others comes into the chat.
 */
export function isInstalling(parts: readonly CommandPart[] | undefined): boolean {
  const [first, ...others] = parts ?? [];
  return (
    first !== undefined && isInstaller(first.argv) && others.every(({ argv, joint }) => joint === "|" && isFilter(argv))
  );
}

const isFilter = ([program = ""]: readonly string[]): boolean => /^(?:head|tail|grep)$/u.test(program);

/** The code of `python -c code` and the like, without more words. A person has read it: each such call asks. */
function inlineCode([program = "", option = "", code, ...rest]: readonly string[]): string | undefined {
  const isCode = /^(?:python[\d.]*|node|ruby|php|perl)$/u.test(program) && /^-[cer]$/u.test(option);
  return isCode && rest.length === 0 ? code : undefined;
}

/** An address, the network, another program, or a walk over files. */
const reachesOut =
  /:\/\/|(?<![\w.])(?:urllib(?!\.parse)|requests|httpx?|aiohttp|socket|ftplib|smtplib|net|https|fetch|subprocess|child_process|popen|spawn|exec|execSync|system|eval|importlib|__import__)(?!\w)|\b(?:glob|walk|listdir|scandir|iterdir|rglob|readdir|readdirSync)\b/iu;

/** Texts of the code that may be paths. */
function quotedPaths(code: string): readonly string[] {
  const texts = [...code.matchAll(/(["'`])([^"'`\n]{1,300})\1/gu)].map(([, , text = ""]) => text);
  return [...new Set(texts.filter((text) => /[/\\~]|\.\w{1,6}$/u.test(text) && !/\s/u.test(text)))];
}
