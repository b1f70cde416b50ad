/** The store of the undo ledger in memory: it outlives the ledger that writes it, as a disk does. */
import { hashOf, type LedgerStore } from "../../src/chat/undo/ledgerFiles";
import { Killed } from "./memoryWorkspace";
import { ChangeLedger } from "../../src/chat/undo/changeLedger";
import type { Workspace } from "../../src/domain/tools/workspace";

export class MemoryLedgerStore implements LedgerStore {
  lines = "";
  /** Whether the window was killed: nothing of it reaches the disk any more. */
  isDead = false;
  readonly blobs = new Map<string, Uint8Array>();

  read(): Promise<string> {
    return Promise.resolve(this.lines);
  }

  append(lines: string): Promise<void> {
    if (this.isDead) return Promise.reject(new Killed());
    this.lines += lines;
    return Promise.resolve();
  }

  keep(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes);
    this.blobs.set(hash, bytes);
    return Promise.resolve(hash);
  }

  keepAll(contents: readonly Uint8Array[]): Promise<readonly string[]> {
    return Promise.all(contents.map((bytes) => this.keep(bytes)));
  }

  blob(hash: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.blobs.get(hash));
  }
}

export function ledgerOver(workspace: Workspace, store: LedgerStore = new MemoryLedgerStore()): ChangeLedger {
  let at = 0;
  return new ChangeLedger({ store, workspace, now: () => (at += 1), labelOf: (path) => path.slice("/work/".length) });
}
