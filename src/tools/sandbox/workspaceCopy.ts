/** The copy of a workspace that one command works on: made before it, read after its end, when nothing changes it any more. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { once } from "../../base/async/serialQueue";
import { TimeSlices } from "../../base/async/timeSlices";
import { isProcessAlive, hasSystemCode, isMissingPath } from "../../base/systemErrors";
import type { CommandCopy, CopiedKind, CopyChange } from "../../domain/tools/sandbox";
import { readFlags } from "../../node/diskFiles";
import { type HeldFolder, HeldTree } from "../../node/heldFolder";

/** Entries of the upper parts that are looked at. */
const maxEntries = 200_000;
/** Bytes of a file that is compared with the one from before. */
const comparedCap = 256 * 1024 * 1024;

/** Milliseconds after its last use for which a folder of the sandbox's own is kept. */
const apartAge = 30 * 24 * 3600 * 1000;

const apartFolder = (copies: string): string => `${copies}-apart`;

/** The folder that replaces one of the workspace for all commands on a copy. It stays when the copy goes. Throws the error of the file system. */
export function separateFolderOf(copies: string, path: string): string {
  const folder = join(apartFolder(copies), createHash("sha256").update(path).digest("hex"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

export interface CopyFacts {
  /** Milliseconds. A file with a later time of change was changed while the command could run. */
  readonly begun: number;
  /** The folder that replaces one of the workspace, by the latter. */
  readonly apart: ReadonlyMap<string, string>;
  /** Called with the folder where not all of it could be applied. */
  readonly onLeft?: (folder: string) => void;
}

/** Whether a file with that time of change was changed while the command could run. */
function isSince({ begun }: Pick<CopyFacts, "begun">, ctimeMs: number): boolean {
  return ctimeMs >= begun;
}

/** The names of the copies that this process has made and not removed. */
const copiesHere = new Set<string>();

const keptSchema = z.object({ roots: z.array(z.string()), begun: z.number() });

/** Reads what `keep` has written; `undefined` where that is missing or damaged. */
export function readKept(folder: string): z.infer<typeof keptSchema> | undefined {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(join(folder, keptMark), "utf8")));
  } catch {
    return undefined;
  }
}

export class WorkspaceCopy implements CommandCopy {
  readonly folder: string;
  readonly #programs: OverlayPrograms;
  readonly #overlaid: readonly OverlaidRoot[];
  readonly #facts: CopyFacts;

  private constructor(programs: OverlayPrograms, folder: string, roots: readonly string[], facts: CopyFacts) {
    this.#programs = programs;
    this.#facts = facts;
    this.folder = folder;
    this.#overlaid = roots.map((root, at) => ({ root, parts: join(this.folder, String(at)) }));
  }

  /** `copies`: where such folders lie. `hidden`: files, absolute, that are empty in the copy. Throws the error of the file system. */
  static create(
    programs: OverlayPrograms,
    copies: string,
    roots: readonly string[],
    hidden: readonly string[],
    facts: CopyFacts,
  ): WorkspaceCopy {
    const copy = new WorkspaceCopy(programs, join(copies, `${process.pid}-${randomUUID()}`), roots, facts);
    copiesHere.add(basename(copy.folder));
    mkdirSync(copy.folder, { recursive: true, mode: 0o700 });
    for (const { parts } of copy.#overlaid)
      for (const name of ["upper", "work", "masks", "merged"])
        mkdirSync(join(parts, name), { recursive: true, mode: 0o755 });
    for (const path of hidden) copy.#hide(path);
    return copy;
  }

  /** Opens a copy that was kept. `undefined` where what is written of it is gone or can't be read. */
  static reopen(programs: OverlayPrograms, folder: string, onLeft: CopyFacts["onLeft"]): WorkspaceCopy | undefined {
    const kept = readKept(folder);
    const facts = { apart: new Map(), ...definedFields({ onLeft }) };
    return kept && new WorkspaceCopy(programs, folder, kept.roots, { begun: kept.begun, ...facts });
  }

  /** Hides a file by an empty one in a layer, because a thousand mounts would take seconds. In each root that has it: one may lie in another. */
  #hide(path: string): void {
    for (const { root, parts } of this.#overlaid) {
      if (!path.startsWith(root + sep)) continue;
      const mask = join(parts, "masks", path.slice(root.length + 1));
      mkdirSync(dirname(mask), { recursive: true, mode: 0o755 });
      writeFileSync(mask, "", { mode: 0o444 });
    }
  }

  hides(root: string, inRoot: string): boolean {
    const overlaid = this.#overlaid.find((one) => one.root === root);
    return overlaid !== undefined && isMasked(overlaid, inRoot);
  }

  isDisputed(ctimeMs: number): boolean {
    return isSince(this.#facts, ctimeMs);
  }

  /** The folder that is to be mounted in the place of each root, by root. */
  get merged(): ReadonlyMap<string, string> {
    return new Map(this.#overlaid.map(({ root, parts }) => [root, join(parts, "merged")]));
  }

  /** The arguments that start a command on the copy. */
  argv(bubblewrap: string, options: readonly string[], argv: readonly string[]): readonly [string, ...string[]] {
    const file = join(this.folder, "arguments");
    writeFileSync(file, options.map((option) => `${option}\0`).join(""), { mode: 0o600 });
    return overlayArgv(this.#programs, this.#overlaid, { ready: this.#ready, arguments: file }, bubblewrap, argv);
  }

  get #ready(): string {
    return join(this.folder, "ready");
  }

  /** Whether the command was started: a folder may be one that can't be copied so. */
  get wasStarted(): boolean {
    return lstatSync(this.#ready, { throwIfNoEntry: false }) !== undefined;
  }

  async changes(signal: AbortSignal): Promise<readonly CopyChange[]> {
    const found: CopyChange[] = [];
    for (const overlaid of this.#overlaid) {
      const reader = new UpperReader(overlaid, this.#facts, new TimeSlices(signal));
      try {
        await reader.read();
        const probes = [...reader.probes];
        const kept = await findInCopy(
          this.#programs,
          overlaid,
          probes.map(([, path]) => path),
          signal,
        );
        for (const [folder, path] of probes) if (!kept.has(path)) await reader.addReplaced(folder);
        found.push(...reader.changes);
      } finally {
        reader.close();
      }
    }
    return found;
  }

  get hasBuiltApart(): boolean {
    const folders = [...this.#facts.apart.values()];
    const inside = folders.flatMap((folder) => entriesOf(folder).map(({ name }) => join(folder, name)));
    const parts = inside.flatMap((folder) => [folder, ...[".fingerprint", "deps"].map((name) => join(folder, name))]);
    return parts.some((path) => (statusOf(path)?.mtimeMs ?? 0) >= this.#facts.begun);
  }

  keep(): Promise<void> {
    const kept: z.infer<typeof keptSchema> = {
      roots: this.#overlaid.map(({ root }) => root),
      begun: this.#facts.begun,
    };
    writeFileSync(join(this.folder, keptMark), JSON.stringify(kept), { mode: 0o600 });
    return Promise.resolve();
  }

  leave(): void {
    this.#facts.onLeft?.(this.folder);
  }

  readonly close = once(() => removeCopy(this.folder));
}

const keptMark = "kept";

/** Removes copies whose window has ended. Returns those that were to be applied and were not, which stay. */
export function collectCopies(copies: string): readonly string[] {
  for (const { name } of entriesOf(apartFolder(copies))) {
    const folder = join(apartFolder(copies), name);
    if (Date.now() - (statusOf(folder)?.mtimeMs ?? 0) > apartAge) void removeCopy(folder);
  }
  return entriesOf(copies).flatMap(({ name }) => {
    const folder = join(copies, name);
    const pid = Number(/^(\d+)-/u.exec(name)?.[1]);
    // A process that is gone may have had our process id, as in a container that was started again.
    if (pid === process.pid ? copiesHere.has(name) : isProcessAlive(pid)) return [];
    if (lstatSync(join(folder, keptMark), { throwIfNoEntry: false }) !== undefined) return [folder];
    void removeCopy(folder);
    return [];
  });
}

/**
 * Removes a copy by a program of its own, which no depth of folders blocks or stops. A command may have removed the rights of its folders, and the
 * system keeps one in `work` that nobody may enter. Never rejects: what is left is removed with the next start, also where this process is killed
 * meanwhile, because the mark that a copy is to be kept goes first.
 */
export function removeCopy(folder: string): Promise<void> {
  try {
    rmSync(join(folder, keptMark), { force: true });
  } catch {
    // The line below gives the rights back.
  }
  const line = 'rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwx -- "$1"; rm -rf -- "$1"; }';
  return new Promise((resolve) => {
    execFile("/bin/sh", ["-c", line, "sh", folder], { env: { PATH: "/usr/bin:/bin" } }, () => {
      copiesHere.delete(basename(folder));
      resolve();
    });
  });
}

/** Compares the upper part of one root, which is at rest, with the real folder, which others change: this one is read through open folders only. */
class UpperReader {
  readonly changes: CopyChange[] = [];
  /** For each folder that both have, the path of an entry that only the real one has: it is looked up whether the copy shows it. */
  readonly probes = new Map<string, string>();
  readonly #root: string;
  readonly #upper: string;
  readonly #overlaid: OverlaidRoot;
  readonly #facts: CopyFacts;
  readonly #slices: TimeSlices;
  readonly #tree: HeldTree;
  /** Folders of the copy that the workspace does not have. Each entry asks for them, also a thousand folders deep. */
  readonly #missing = new Set<string>();
  readonly #nearest = new Map<string, Stats>();
  #seen = 0;

  constructor(overlaid: OverlaidRoot, facts: CopyFacts, slices: TimeSlices) {
    this.#root = overlaid.root;
    this.#upper = join(overlaid.parts, "upper");
    this.#overlaid = overlaid;
    this.#facts = facts;
    this.#slices = slices;
    this.#tree = new HeldTree(overlaid.root);
  }

  close(): void {
    this.#tree.close();
  }

  async read(): Promise<void> {
    const folders = [""];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const own = openedEntries(join(this.#upper, folder));
      this.#seen += own.length;
      if (this.#seen > maxEntries) throw new Error(`it has changed more than ${maxEntries} files`);
      for (const { name } of own) {
        if (this.#slices.isSpent) await this.#slices.next();
        const path = folder === "" ? name : `${folder}/${name}`;
        if (await this.#readEntry(path)) folders.push(path);
      }
      if (folder === "") continue;
      const names = new Set(own.map(({ name }) => name));
      const only = this.#lowerEntries(folder).find(({ name }) => !names.has(name));
      if (only) this.probes.set(folder, `${folder}/${only.name}`);
    }
  }

  /** The folder was put in the place of the one in the workspace: all that only the latter has was removed. */
  async addReplaced(folder: string): Promise<void> {
    const names = new Set(openedEntries(join(this.#upper, folder)).map(({ name }) => name));
    for (const { name } of this.#lowerEntries(folder)) {
      if (this.#slices.isSpent) await this.#slices.next();
      if (!names.has(name)) this.#addRemoved(`${folder}/${name}`);
    }
  }

  /** Whether it is a folder to look into. */
  async #readEntry(path: string): Promise<boolean> {
    const source = join(this.#upper, path);
    const is = statusOf(source);
    // A name that is no text, or too long a path: there is nothing under it.
    if (is === undefined) {
      this.changes.push({ root: this.#root, inRoot: path, source, is: "other", was: undefined, mode: 0, size: 0 });
      return false;
    }
    // The system has made it, to mount the sandbox's own folder there.
    if (this.#facts.apart.has(join(this.#root, path))) return false;
    if (is.isCharacterDevice() && is.rdev === 0) {
      this.#addRemoved(path);
      return false;
    }
    const was = this.#lower(path);
    if (is.isDirectory()) {
      if (was?.isDirectory() !== true) this.#add(path, is, was);
      return true;
    }
    if (is.isFile() && was?.isFile() === true) {
      // This is the empty file in the place of a secret, with other rights or times: applied, it would replace the secret.
      if (is.size === 0 && isMasked(this.#overlaid, path)) return false;
      const isSame = is.size === was.size && (await this.#readsAsBefore(path, is, was));
      // Where the content is as before, only added rights are a change.
      if (isSame && (is.mode & 0o7777 & ~was.mode) === 0) return false;
    }
    if (is.isSymbolicLink() && was?.isSymbolicLink() === true)
      if (readlinkSync(source) === readlinkSync(this.#lowerPath(path))) return false;
    this.#add(path, is, was);
    return false;
  }

  #addRemoved(path: string): void {
    const was = this.#lower(path);
    if (was) this.#add(path, undefined, was);
  }

  #add(inRoot: string, is: Stats | undefined, was: Stats | undefined): void {
    const source = join(this.#upper, inRoot);
    const changed = was ?? this.#folderOf(inRoot);
    this.changes.push({
      root: this.#root,
      inRoot,
      source,
      is: is && kindOf(is),
      was: was && kindOf(was),
      mode: (is?.mode ?? 0) & 0o7777,
      size: is?.size ?? 0,
      ...(is?.isSymbolicLink() === true ? { target: readlinkSync(source) } : {}),
      ...(was ? { seen: was } : {}),
      ...(isMasked(this.#overlaid, inRoot) ? { isHidden: true as const } : {}),
      ...(isSince(this.#facts, changed.ctimeMs) ? { isDisputed: true as const } : {}),
    });
  }

  /** The status of that path of the workspace; `undefined` where a link leads to it. */
  #lower(path: string): Stats | undefined {
    const folder = this.#lowerFolder(dirname(path));
    try {
      return folder?.status(basename(path));
    } catch (error) {
      if (hasSystemCode(error, "ENAMETOOLONG")) return undefined;
      throw error;
    }
  }

  /** A path through the open folder, for calls that follow no link. */
  #lowerPath(path: string): string {
    return this.#lowerFolder(dirname(path))?.at(basename(path)) ?? "";
  }

  #lowerEntries(folder: string): readonly Dirent[] {
    return this.#lowerFolder(folder)?.entries() ?? [];
  }

  /** The folder of the workspace, open until the next one is asked for. What the person may not list, the command could not change. */
  #lowerFolder(path: string): HeldFolder | undefined {
    if (this.#missing.has(path)) return undefined;
    try {
      return this.#tree.folder(path === "." ? "" : path, false);
    } catch (error) {
      if (!hasSystemCode(error, "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES")) throw error;
      this.#missing.add(path);
      return undefined;
    }
  }

  /** Whether a file of the same size reads as before. */
  async #readsAsBefore(path: string, is: Stats, was: Stats): Promise<boolean> {
    // Two large files would be read for minutes. One that was written but has its former time is not applied, which does no harm.
    if (is.size > comparedCap) return is.mtimeMs === was.mtimeMs;
    return hasSameContent(join(this.#upper, path), this.#lowerPath(path), is, this.#slices);
  }

  /** The nearest folder of the workspace that is there. */
  #folderOf(path: string): Stats {
    const folder = dirname(path);
    const known = this.#nearest.get(folder);
    if (known) return known;
    const found = this.#lowerFolder(folder)?.own ?? this.#folderOf(folder);
    this.#nearest.set(folder, found);
    return found;
  }
}

function isMasked({ parts }: OverlaidRoot, inRoot: string): boolean {
  return statusOf(join(parts, "masks", inRoot))?.isFile() === true;
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissingPath(error) || hasSystemCode(error, "ENAMETOOLONG")) return undefined;
    throw error;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissingPath(error) || hasSystemCode(error, "ENAMETOOLONG")) return [];
    throw error;
  }
}

/** The entries of a folder of the copy, whose rights the command may have removed. */
function openedEntries(folder: string): readonly Dirent[] {
  try {
    return entriesOf(folder);
  } catch {
    chmodSync(folder, 0o700);
    return entriesOf(folder);
  }
}

function kindOf(status: Stats): CopiedKind {
  if (status.isFile()) return "file";
  if (status.isDirectory()) return "folder";
  return status.isSymbolicLink() ? "link" : "other";
}

const chunks = [Buffer.allocUnsafe(128 * 1024), Buffer.allocUnsafe(128 * 1024)] as const;

/** Compares two files of the same size. `own`: that of the copy, whose rights the command may have removed. */
async function hasSameContent(own: string, other: string, { mode, size }: Stats, slices: TimeSlices): Promise<boolean> {
  if ((mode & 0o400) === 0) chmodSync(own, 0o600);
  const handles: number[] = [];
  try {
    for (const path of [own, other]) handles.push(openSync(path, readFlags));
    const [first = -1, second = -1] = handles;
    if (!fstatSync(second).isFile()) return false;
    for (let at = 0; at < size;) {
      // Between the reads of a pair and their comparison nothing else may use the buffers, so the pause is before.
      if (slices.isSpent) await slices.next();
      const [one, two] = [
        readSync(first, chunks[0], 0, chunks[0].length, at),
        readSync(second, chunks[1], 0, chunks[1].length, at),
      ];
      if (one === 0 || one !== two || chunks[0].compare(chunks[1], 0, two, 0, one) !== 0) return false;
      at += one;
    }
    return true;
  } catch (error) {
    // What the person may not read, the command could not either.
    if (hasSystemCode(error, "EACCES") || isMissingPath(error)) return false;
    throw error;
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

/** Programs of the system that the administrator alone can change. */
export interface OverlayPrograms {
  /** The shell with its options. */
  readonly shell: readonly [string, ...string[]];
  readonly unshare: string;
  readonly mount: string;
}

/** One folder of the workspace, and the folder that holds `upper`, `work`, `masks` and `merged` for it. `masks` has an empty file for each that is hidden. */
interface OverlaidRoot {
  readonly root: string;
  readonly parts: string;
}

/**
 * Lines of a shell that close handles: one that another part of the editor has left open in this process would be open in the command too. A shell
 * that supports handles of one digit only ends here, so that nothing is run.
 */
export const closeHandles = `for each in /proc/self/fd/*; do
  each=\${each##*/}
  [ "$each" -le 2 ] || eval "exec $each<&-" || exit 1
done
`;

/**
 * Folders reach the options of the mount as handles: in a path, `,`, `:` and `\` would mean something there. A process of the command is in this
 * process namespace too, so that all of them are dead once the first one has ended: its end waits for theirs.
 */
const script = `${closeHandles}mount=$1 ready=$2 arguments=$3 bubblewrap=$4 count=$5
shift 5
while [ "$count" -gt 0 ]; do
  exec 6<"$2/masks" 7<"$1" 8<"$2/upper" 9<"$2/work" || exit 1
  "$mount" -t overlay overlay -o lowerdir=/proc/self/fd/6:/proc/self/fd/7,upperdir=/proc/self/fd/8,workdir=/proc/self/fd/9,userxattr "$2/merged" || exit 1
  exec 6<&- 7<&- 8<&- 9<&-
  shift 2
  count=$((count - 1))
done
ulimit -u 4096 2>/dev/null
exec 5<"$arguments" || exit 1
: > "$ready" || exit 1
exec "$bubblewrap" --args 5 -- "$@"`;

/** `ready`: a file that is made once the command is about to start. `arguments`: a file with those of bubblewrap, each with a NUL behind it. */
function overlayArgv(
  { shell, unshare, mount }: OverlayPrograms,
  overlaid: readonly OverlaidRoot[],
  { ready, arguments: file }: { readonly ready: string; readonly arguments: string },
  bubblewrap: string,
  argv: readonly string[],
): readonly [string, ...string[]] {
  const roots = overlaid.flatMap(({ root, parts }) => [root, parts]);
  const own = [mount, ready, file, bubblewrap, String(overlaid.length), ...roots];
  return [
    unshare,
    ...["--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"],
    ...[...shell, "-c", script, "sh", ...own, ...argv],
  ];
}

/** A merged folder shows what only the lower one has; one that the command has put in its place does not. Answers with `1` and `0`, in order. */
const look = `exec 6<"$3/masks" 7<"$2" 8<"$3/upper" || exit 1
"$1" -t overlay overlay -o ro,lowerdir=/proc/self/fd/8:/proc/self/fd/6:/proc/self/fd/7,userxattr "$3/merged" || exit 1
exec 6<&- 7<&- 8<&-
cd "$3/merged" || exit 1
exec xargs -0 sh -c 'for each; do if [ -e "./$each" ] || [ -L "./$each" ]; then printf 1; else printf 0; fi; done' sh`;

/** Finds which of these paths, relative to the root and there in it, the copy has too. Its upper part must be at rest. */
function findInCopy(
  { unshare, mount }: OverlayPrograms,
  { root, parts }: OverlaidRoot,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return Promise.resolve(new Set());
  return new Promise((resolve, reject) => {
    const args = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", look, "sh", mount, root, parts];
    const options = { env: { PATH: "/usr/bin:/bin" }, maxBuffer: paths.length + 1024, signal };
    const child = execFile(unshare, args, options, (error, answers) => {
      if (error === null && answers.length === paths.length)
        resolve(new Set(paths.filter((_, at) => answers[at] === "1")));
      else reject(error ?? new Error("the copy could not be looked at"));
    });
    child.stdin?.on("error", () => undefined).end(paths.map((path) => `${path}\0`).join(""));
  });
}
