/** Files of another extension, which are on no disk, like those of a remote repository. */
import path from "node:path";
import type * as vscode from "vscode";
import { FileSystemError } from "./dataTypes";
import { FileType } from "./enums";
import { EventEmitter } from "./events";

export class MemoryFiles implements vscode.FileSystemProvider {
  /** The files by their paths; `undefined` for folders. */
  readonly #entries = new Map<string, Uint8Array | undefined>([["/", undefined]]);
  readonly #changed = new EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  /** `files`: texts by their paths, with a folder before what is in it. */
  constructor(files: Readonly<Record<string, string>>) {
    for (const [file, text] of Object.entries(files)) {
      this.#makeFolders(path.posix.dirname(file));
      this.#entries.set(file, new TextEncoder().encode(text));
    }
  }

  #makeFolders(folder: string): void {
    if (this.#entries.has(folder)) return;
    this.#makeFolders(path.posix.dirname(folder));
    this.#entries.set(folder, undefined);
  }

  #find(uri: vscode.Uri): Uint8Array | undefined {
    if (!this.#entries.has(uri.path)) throw FileSystemError.FileNotFound(uri);
    return this.#entries.get(uri.path);
  }

  #put(uri: vscode.Uri, bytes: Uint8Array | undefined): void {
    // These are numbers of `FileChangeType`: changed, created.
    const type: vscode.FileChangeType = this.#entries.has(uri.path) ? 1 : 2;
    this.#entries.set(uri.path, bytes);
    this.#changed.fire([{ type, uri }]);
  }

  #typeAt(place: string): vscode.FileType {
    return this.#entries.get(place) === undefined ? FileType.Directory : FileType.File;
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }
  stat(uri: vscode.Uri): vscode.FileStat {
    return { size: this.#find(uri)?.length ?? 0, ctime: 1, mtime: 1, type: this.#typeAt(uri.path) };
  }
  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    this.#find(uri);
    return [...this.#entries.keys()]
      .filter((place) => place !== "/" && path.posix.dirname(place) === uri.path)
      .map((place) => [path.posix.basename(place), this.#typeAt(place)]);
  }
  createDirectory(uri: vscode.Uri): void {
    this.#put(uri, undefined);
  }
  readFile(uri: vscode.Uri): Uint8Array {
    return this.#find(uri) ?? new Uint8Array();
  }
  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    this.#put(uri, bytes);
  }
  delete(uri: vscode.Uri): void {
    this.#entries.delete(uri.path);
  }
  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.#put(to, this.#find(from));
    this.#entries.delete(from.path);
  }
}
