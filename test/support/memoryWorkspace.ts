/** A workspace in memory: files as bytes, editors with unsaved text, and a moment before each write at which a person may act. */
import { decodeText } from "../../src/base/text/decodeText";
import { ToolRefusal } from "../../src/domain/tools/tool";
import type { OpenFile, Workspace } from "../../src/domain/tools/workspace";

export const memoryRoot = "/work";

/** The window was killed before it wrote. */
export class Killed extends Error {
  override readonly name = "Killed";
}

export class MemoryWorkspace implements Workspace {
  readonly files = new Map<string, Uint8Array>();
  /** The texts of editors with unsaved changes. */
  readonly editors = new Map<string, string>();
  readonly hasTrash = false;
  /** Called before a write looks at the file; may change the workspace, or throw `Killed`. */
  onWrite: (paths: readonly string[]) => void = () => undefined;

  readonly roots = (): { name: string; path: string }[] => [{ name: "work", path: memoryRoot }];
  readonly personalIgnoreFile = (): Promise<undefined> => Promise.resolve(undefined);

  unsavedTexts(): readonly (readonly [path: string, text: string])[] {
    return [...this.editors];
  }

  shownText(path: string): string | undefined {
    return this.editors.get(path);
  }

  realPath(path: string): Promise<string> {
    const isThere = path === memoryRoot || [...this.files.keys()].some((file) => `${file}/`.startsWith(`${path}/`));
    return isThere ? Promise.resolve(path) : missing();
  }

  status(path: string): ReturnType<Workspace["status"]> {
    const bytes = this.files.get(path);
    return bytes ? Promise.resolve(statusOf(path, bytes)) : missing();
  }

  list(): ReturnType<Workspace["list"]> {
    return Promise.resolve({ entries: [], more: false });
  }

  open(path: string): Promise<OpenFile> {
    const bytes = this.files.get(path);
    if (bytes === undefined) return missing();
    return Promise.resolve({
      status: statusOf(path, bytes),
      isAt: () => Promise.resolve(true),
      read: (limit) => Promise.resolve(bytes.slice(0, limit)),
      close: () => Promise.resolve(),
    });
  }

  /** Keeps the byte order mark, as VS Code does. */
  async write(path: string, before: string, after: string): Promise<string> {
    await this.#moment([path]);
    const unsaved = this.editors.get(path);
    const bytes = this.files.get(path);
    if ((unsaved ?? (bytes && decodeText(bytes).text)) !== before)
      throw new ToolRefusal("The editor reads another text.");
    if (unsaved !== undefined) this.editors.set(path, after);
    else this.files.set(path, encodeAs(bytes, after));
    return after;
  }

  async create(path: string, content: Uint8Array): Promise<void> {
    await this.#moment([path]);
    if (this.files.has(path)) throw new ToolRefusal("Something is there.");
    this.files.set(path, content);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#moment([from, to]);
    const bytes = this.files.get(from);
    if (bytes === undefined || this.files.has(to)) throw new ToolRefusal("VS Code did not rename the file.");
    this.move(from, to);
  }

  async remove(path: string, content: Uint8Array): Promise<"gone"> {
    await this.#moment([path]);
    this.#refuseOther(path, content);
    this.files.delete(path);
    return "gone";
  }

  async replace(path: string, before: Uint8Array, after: Uint8Array): Promise<void> {
    await this.#moment([path]);
    this.#refuseOther(path, before);
    this.files.set(path, after);
  }

  readonly removeFolder = (): Promise<void> => Promise.resolve();

  /** Moves a file with its unsaved text. */
  move(from: string, to: string): void {
    const bytes = this.files.get(from);
    const unsaved = this.editors.get(from);
    if (bytes) this.files.set(to, bytes);
    if (unsaved !== undefined) this.editors.set(to, unsaved);
    this.files.delete(from);
    this.editors.delete(from);
  }

  /** All files and unsaved texts, comparable. */
  get snapshot(): ReadonlyMap<string, string> {
    const shown = new Map<string, string>();
    for (const [path, bytes] of this.files) shown.set(path, Buffer.from(bytes).toString("latin1"));
    for (const [path, text] of this.editors) shown.set(`${path} (unsaved)`, text);
    return new Map([...shown].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  async #moment(paths: readonly string[]): Promise<void> {
    await Promise.resolve();
    this.onWrite(paths);
  }

  #refuseOther(path: string, content: Uint8Array): void {
    const bytes = this.files.get(path);
    if (this.editors.has(path) || bytes === undefined || Buffer.compare(bytes, content) !== 0) {
      throw new ToolRefusal("The file was changed meanwhile.");
    }
  }
}

const mark = [0xef, 0xbb, 0xbf];

export function encodeAs(former: Uint8Array | undefined, text: string): Uint8Array {
  const hasMark = former !== undefined && mark.every((byte, index) => former[index] === byte);
  return Buffer.concat([Buffer.from(hasMark ? mark : []), Buffer.from(text)]);
}

function missing(): Promise<never> {
  return Promise.reject(Object.assign(new Error("ENOENT"), { code: "ENOENT" }));
}

function statusOf(path: string, bytes: Uint8Array): Awaited<ReturnType<Workspace["status"]>> {
  return { kind: "file", size: bytes.length, links: 1, identity: path };
}
