/** The undo ledgers of the chats of this window, each opened with its first use. */
import type { Clock } from "../../base/clock";
import type { Log } from "../../domain/ports";
import type { SeenTexts } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import type { SessionChanges } from "../session/sessionPorts";
import { createHash } from "node:crypto";
import { BoundedMap } from "../../base/boundedMap";
import { ChangeLedger } from "./changeLedger";
import type { LedgerStore } from "./ledgerFolder";

/** Files; the one that was seen longest ago is forgotten, and must be read again. */
const cap = 2000;

/** The texts of files that the model of one chat has seen: a whole file is replaced only while it still reads as this window has shown it. */
export class SeenTextHashes implements SeenTexts {
  readonly #seen = new BoundedMap<string, SeenText>(cap);

  note(file: string, text: string): void {
    this.#seen.set(file, { hash: hashOf(text), upTo: Infinity });
  }

  noteLines(...[file, text, { first, last, of }]: Parameters<SeenTexts["noteLines"]>): void {
    const hash = hashOf(text);
    const known = this.#seen.get(file);
    const before = known?.hash === hash ? known.upTo : 0;
    const upTo = first <= before + 1 ? Math.max(before, last) : before;
    this.#seen.set(file, { hash, upTo: upTo >= of ? Infinity : upTo });
  }

  has(file: string, text: string): boolean {
    const known = this.#seen.get(file);
    return known?.upTo === Infinity && known.hash === hashOf(text);
  }
}

interface SeenText {
  readonly hash: string;
  /** The last of the lines that were shown from the first one on. */
  readonly upTo: number;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

export interface ChangeLedgersPorts {
  readonly storeOf: (chat: string) => LedgerStore;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly log: Log;
}

export class ChangeLedgers {
  readonly #ports: ChangeLedgersPorts;
  readonly #open = new Map<string, ChangeLedger>();
  /** By the id of their chat, also over a reload of its session. */
  readonly #seen = new Map<string, SeenTexts>();

  constructor(ports: ChangeLedgersPorts) {
    this.#ports = ports;
  }

  /** Its changes are those that the disk had when it was opened, and those of this window. */
  of(chat: string): ChangeLedger {
    const known = this.#open.get(chat);
    if (known) return known;
    const { storeOf, workspace, clock, log } = this.#ports;
    const labelOf = (path: string): string => labelIn(workspace, path);
    const opened = new ChangeLedger({ store: storeOf(chat), workspace, now: () => clock.now(), labelOf });
    this.#open.set(chat, opened);
    opened.load().catch((error: unknown) => {
      log.warn("The changes of a chat could not be read.", { message: String(error) });
    });
    return opened;
  }

  #seenIn(chat: string): SeenTexts {
    const known = this.#seen.get(chat) ?? new SeenTextHashes();
    this.#seen.set(chat, known);
    return known;
  }

  /** As its session needs them; the ledger is opened with the first use. */
  changesIn(chat: string): SessionChanges {
    return {
      filesOf: (answer, call, allowed) => this.of(chat).changesOf({ type: "call", answer, call, allowed }),
      wrote: (path) => this.of(chat).wrote(path),
      seen: this.#seenIn(chat),
    };
  }
}

/** Below its root, with `/`; of several roots with the name of its own. */
function labelIn(workspace: Workspace, path: string): string {
  const roots = workspace.roots();
  const root = roots.find((one) => path.startsWith(one.path) && /^[\\/]/.test(path.slice(one.path.length)));
  if (root === undefined) return path;
  const inRoot = path.slice(root.path.length + 1).replaceAll("\\", "/");
  return roots.length === 1 ? inRoot : `${root.name}/${inRoot}`;
}
