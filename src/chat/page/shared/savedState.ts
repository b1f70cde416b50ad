/**
 * The page's own state (draft, expanded rows, scroll position), which VS Code keeps while a hidden page is destroyed. All other state is in the host.
 */
import { definedFields } from "../../../base/definedFields";
import {
  type FileReference,
  fileReferenceSchema,
  isSameReference,
  referenceCap,
} from "../../../domain/chat/attachmentSchema";
import { type ChatPageMessage, fieldKinds } from "../../contract/chatPageContract";

export interface SavedState {
  /** The name by which the host keeps the states of the page. */
  readonly page: string;
  /** The number of changes so far. Of two states of one page the newer one has more. */
  readonly changes: number;
  /** The id of the chat. The host uses it to fill a restored tab. */
  readonly chat: string;
  /** The text of the composer. */
  readonly draft: string;
  /** The files that are attached to the draft. */
  readonly references: readonly FileReference[];
  /** Keys of the expanded rows: thinking, tool calls, details. */
  readonly opened: readonly string[];
  /** The drafts of other chats. The chat that was left last is at the end. */
  readonly drafts: readonly ChatDraft[];
  /** The messages of the transcript that are being edited. */
  readonly edits: readonly MessageEdit[];
  /** The texts in the fields of what waits for the person. The one that was changed last is at the end. */
  readonly fields: readonly TypedField[];
  /** The scroll position; missing while the end is followed. */
  readonly anchor?: Anchor;
}

export interface ChatDraft {
  readonly chat: string;
  readonly draft: string;
  readonly references: readonly FileReference[];
}

export interface MessageEdit {
  readonly entry: string;
  /** The current text of the message. */
  readonly text: string;
  /** The indexes of attachments that are left out of the edited message, counted from 0. */
  readonly without: readonly number[];
}

export type FieldKind = (typeof fieldKinds)[number];

export interface TypedField {
  readonly kind: FieldKind;
  readonly chat: string;
  /** The id of the question, approval or step. */
  readonly id: string;
  readonly text: string;
}

/** Access to the typed texts that the page keeps. */
export interface FieldKeeper {
  fieldsOf(kind: FieldKind, chat: string): readonly TypedField[];
  keepField(field: TypedField): void;
  /** Drops the fields of that kind and chat, except those for `ids`. */
  dropFields(kind: FieldKind, chat: string, ids?: readonly string[]): void;
}

/** A scroll position: the entry at the upper edge of the view, and how many pixels of it are above that edge. */
export interface Anchor {
  readonly entry: string;
  readonly offset: number;
}

/** The API object that `acquireVsCodeApi` returns. */
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
    page: typeof saved["page"] === "string" ? saved["page"] : "",
    changes: typeof saved["changes"] === "number" ? saved["changes"] : 0,
    chat: typeof saved["chat"] === "string" ? saved["chat"] : "",
    draft: typeof saved["draft"] === "string" ? saved["draft"] : "",
    references: readReferences(saved["references"]),
    drafts: (Array.isArray(saved["drafts"]) ? (saved["drafts"] as unknown[]) : []).flatMap(readDraft),
    opened: opened.filter((key) => typeof key === "string"),
    edits: (Array.isArray(saved["edits"]) ? (saved["edits"] as unknown[]) : []).flatMap(readEdit),
    fields: (Array.isArray(saved["fields"]) ? (saved["fields"] as unknown[]) : []).flatMap(readField),
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
  const without: unknown[] = Array.isArray(value["without"]) ? value["without"] : [];
  const numbers = without.filter((index) => typeof index === "number");
  const indexes = numbers.filter((index) => Number.isInteger(index) && index >= 0);
  return [{ entry: value["entry"], text: value["text"], without: indexes.slice(0, referenceCap) }];
}

function readField(value: unknown): readonly TypedField[] {
  if (!isObject(value)) return [];
  const { chat, id, text } = value;
  const kind = fieldKinds.find((one) => one === value["kind"]);
  if (kind === undefined || typeof chat !== "string" || typeof id !== "string" || typeof text !== "string") return [];
  return [{ kind, chat, id, text }];
}

function readAnchor(value: unknown): Anchor | undefined {
  if (!isObject(value) || typeof value["entry"] !== "string" || typeof value["offset"] !== "number") return undefined;
  return { entry: value["entry"], offset: value["offset"] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Each chat has its own draft. The page keeps the drafts of the chats that it does not show. */
export type InsertMessage = Extract<ChatPageMessage, { readonly type: "composer-insert" }>;
export type ClearMessage = Extract<ChatPageMessage, { readonly type: "composer-clear" }>;

/** The maximum number of kept drafts of other chats. The whole state is passed to VS Code with each typed key. */
const maxDrafts = 20;
/** The maximum number of kept texts of fields, for the same reason. */
const maxFields = 20;

export interface EnteredChat {
  readonly id: string;
  /** Whether the chat has no message yet. */
  readonly isEmpty: boolean;
}

/** Access to the drafts that the page keeps. */
export interface DraftKeeper {
  readonly current: Pick<SavedState, "chat" | "draft" | "references">;
  /** Changes the draft of a chat that is not shown. False for the shown chat, whose draft is in the composer. */
  changeOther(chat: string, change: (draft: ChatDraft) => ChatDraft): boolean;
}

const isWritten = ({ draft, references }: Omit<ChatDraft, "chat">): boolean =>
  draft.trim() !== "" || references.length > 0;

/** The state after the text of a field was changed. An empty text is kept too, because it may be the changed text of a step. */
export function changeField(saved: SavedState, field: TypedField): SavedState {
  const { kind, chat, id } = field;
  const others = saved.fields.filter((one) => one.kind !== kind || one.chat !== chat || one.id !== id);
  return { ...saved, fields: [...others, field].slice(-maxFields) };
}

/** Joins texts of a draft, with a blank line between them. */
const joinTexts = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");

/** The state after a change of the draft of a chat that is not shown. */
export function changeDraft(saved: SavedState, chat: string, change: (draft: ChatDraft) => ChatDraft): SavedState {
  const own = saved.drafts.find((kept) => kept.chat === chat) ?? { chat, draft: "", references: [] };
  const changed = change(own);
  if (changed === own) return saved;
  const others = saved.drafts.filter((kept) => kept.chat !== chat);
  return { ...saved, drafts: (isWritten(changed) ? [...others, changed] : others).slice(-maxDrafts) };
}

/** The draft without the text and the attachments of the message. An attachment that was added since stays. */
export function clearDraft<D extends Pick<ChatDraft, "draft" | "references">>(kept: D, gone: ClearMessage): D {
  const { references = [] } = gone;
  const isGone = (reference: FileReference): boolean => references.some((one) => isSameReference(one, reference));
  return { ...kept, draft: "", references: kept.references.filter((reference) => !isGone(reference)) };
}

/**
 * Applies the message to the draft of a chat that is not shown. False where the composer has to apply it: its chat is shown, or the text to be
 * cleared is not in the draft.
 */
export function isDoneElsewhere(drafts: DraftKeeper, message: InsertMessage | ClearMessage): boolean {
  const { chat, text } = message;
  let isDone = false;
  drafts.changeOther(chat, (kept) => {
    isDone = message.type === "composer-insert" || (isWritten(kept) && kept.draft === text);
    if (!isDone) return kept;
    if (message.type === "composer-clear") return clearDraft(kept, message);
    return { ...kept, draft: message.isBefore ? joinTexts(text, kept.draft) : joinTexts(kept.draft, text) };
  });
  return isDone;
}

/**
 * The state after the page changed from its chat to another one. The draft is kept for the left chat, and that of the entered chat comes back. The
 * text stays in view if it is `isPending`: it was posted to the left chat and not accepted, or waits for the first chat to be loaded. It also stays
 * in a new chat, which takes over what was typed.
 */
export function enterChat(saved: SavedState, to: EnteredChat, isPending: boolean): SavedState {
  const { chat, draft, references } = saved;
  const own = saved.drafts.find((kept) => kept.chat === to.id);
  const others = saved.drafts.filter((kept) => kept.chat !== to.id && kept.chat !== chat);
  if (chat === "" || isPending || (to.isEmpty && own === undefined && isWritten(saved))) {
    const joined = joinTexts(draft, own?.draft ?? "");
    const all = own === undefined ? references : [...references, ...own.references];
    return { ...saved, chat: to.id, draft: joined, references: all, drafts: others };
  }
  const left: ChatDraft = { chat, draft, references };
  return {
    ...saved,
    chat: to.id,
    draft: own?.draft ?? "",
    references: own?.references ?? [],
    drafts: (isWritten(left) ? [...others, left] : others).slice(-maxDrafts),
  };
}
