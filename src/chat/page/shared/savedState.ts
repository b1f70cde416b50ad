/** The page's own state (draft, expanded rows, scroll position), which VS Code keeps while a hidden page is destroyed. The host has everything else. */
import { definedFields } from "../../../base/definedFields";
import { type FileReference, fileReferenceSchema } from "../../../domain/chat/attachmentSchema";

export interface SavedState {
  /** The id of the chat, by which the host fills a restored tab. */
  readonly chat: string;
  /** The text of the composer. */
  readonly draft: string;
  /** The files that are attached to it. */
  readonly references: readonly FileReference[];
  /** Keys of the expanded rows: thinking, tool calls, details. */
  readonly opened: readonly string[];
  /** What waits in the composer of other chats, the one that was left last at the end. */
  readonly drafts: readonly ChatDraft[];
  /** The messages of the transcript that are being edited. */
  readonly edits: readonly MessageEdit[];
  /** Missing while the end is followed. */
  readonly anchor?: Anchor;
}

export interface ChatDraft {
  readonly chat: string;
  readonly draft: string;
  readonly references: readonly FileReference[];
}

export interface MessageEdit {
  readonly entry: string;
  /** As it was written so far. */
  readonly text: string;
}

/** A scroll position: the entry at the upper edge of the view, and how many pixels of it are above that edge. */
export interface Anchor {
  readonly entry: string;
  readonly offset: number;
}

/** What `acquireVsCodeApi` returns. */
export interface HostLink {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: SavedState): void;
}

export function readSavedState(value: unknown): SavedState {
  const saved = isObject(value) ? value : {};
  const opened: unknown[] = Array.isArray(saved["opened"]) ? saved["opened"] : [];
  const anchor = readAnchor(saved["anchor"]);
  return {
    chat: typeof saved["chat"] === "string" ? saved["chat"] : "",
    draft: typeof saved["draft"] === "string" ? saved["draft"] : "",
    references: readReferences(saved["references"]),
    drafts: (Array.isArray(saved["drafts"]) ? (saved["drafts"] as unknown[]) : []).flatMap(readDraft),
    opened: opened.filter((key) => typeof key === "string"),
    edits: (Array.isArray(saved["edits"]) ? (saved["edits"] as unknown[]) : []).flatMap(readEdit),
    ...definedFields({ anchor }),
  };
}

function readReferences(value: unknown): readonly FileReference[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  return given.flatMap((one) => fileReferenceSchema.safeParse(one).data ?? []);
}

function readDraft(value: unknown): readonly ChatDraft[] {
  if (!isObject(value) || typeof value["chat"] !== "string" || typeof value["draft"] !== "string") return [];
  const { chat, draft } = value;
  return [{ chat, draft, references: readReferences(value["references"]) }];
}

function readEdit(value: unknown): readonly MessageEdit[] {
  if (!isObject(value) || typeof value["entry"] !== "string" || typeof value["text"] !== "string") return [];
  return [{ entry: value["entry"], text: value["text"] }];
}

function readAnchor(value: unknown): Anchor | undefined {
  if (!isObject(value) || typeof value["entry"] !== "string" || typeof value["offset"] !== "number") return undefined;
  return { entry: value["entry"], offset: value["offset"] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
