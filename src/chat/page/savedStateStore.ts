/** The page's own state. Each change is handed to VS Code at once, which keeps it while a hidden page is destroyed. */
import { definedFields } from "../../base/definedFields";
import type { ChatPageIntent, TypedTexts } from "../contract/chatPageContract";
import {
  type SavedState,
  type ChatDraft,
  type Anchor,
  type HostLink,
  type MessageEdit,
  type FieldKind,
  type FieldKeeper,
  type TypedField,
  changeField,
  readSavedState,
  type EnteredChat,
  type DraftKeeper,
  changeDraft,
  enterChat,
} from "./shared/savedState";

type DraftIntent = Extract<ChatPageIntent, { type: "draft-given" }>;

export class SavedStateStore implements DraftKeeper, FieldKeeper {
  readonly #host: Pick<HostLink, "setState">;
  readonly #opened: Set<string>;
  #saved: SavedState;

  constructor(host: Pick<HostLink, "getState" | "setState">) {
    this.#host = host;
    this.#saved = readSavedState(host.getState());
    this.#opened = new Set(this.#saved.opened);
  }

  get current(): SavedState {
    return this.#saved;
  }

  change(fields: Partial<Omit<SavedState, "anchor">>): void {
    this.#save({ ...this.#saved, ...fields });
  }

  /** The content of the composer in that chat, see `enterChat`. */
  enter(to: EnteredChat, isPending: boolean): Pick<SavedState, "draft" | "references"> {
    this.#save(enterChat(this.#saved, to, isPending));
    return this.#saved;
  }

  changeOther(chat: string, change: (draft: ChatDraft) => ChatDraft): boolean {
    if (chat === this.#saved.chat) return false;
    this.#save(changeDraft(this.#saved, chat, change));
    return true;
  }

  isOpened(key: string): boolean {
    return this.#opened.has(key);
  }

  setOpened(key: string, opened: boolean): void {
    if (this.#opened.has(key) === opened) return;
    if (opened) this.#opened.add(key);
    else this.#opened.delete(key);
    this.change({ opened: [...this.#opened] });
  }

  /** The current content of a message that is being edited. */
  editOf(entry: string): MessageEdit | undefined {
    return this.#saved.edits.find((edit) => edit.entry === entry);
  }

  keepEdit(edit: MessageEdit): void {
    this.change({ edits: [...this.#saved.edits.filter(({ entry }) => entry !== edit.entry), edit] });
  }

  endEdit(entry: string): void {
    this.change({ edits: this.#saved.edits.filter((edit) => edit.entry !== entry) });
  }

  fieldsOf(kind: FieldKind, chat: string): readonly TypedField[] {
    return this.#saved.fields.filter((field) => field.kind === kind && field.chat === chat);
  }

  keepField(field: TypedField): void {
    this.#save(changeField(this.#saved, field));
  }

  dropFields(kind: FieldKind, chat: string, ids: readonly string[] = []): void {
    const isKept = (field: TypedField): boolean => field.kind !== kind || field.chat !== chat || ids.includes(field.id);
    // This runs with each event of the chat, and mostly finds nothing to drop.
    if (!this.#saved.fields.every(isKept)) this.change({ fields: this.#saved.fields.filter(isKept) });
  }

  /** All edited messages, and the fields of the shown chat. */
  get typed(): Pick<DraftIntent, "edits" | "fields"> {
    const { chat, edits, fields } = this.#saved;
    return {
      edits: edits.map((edit) => ({ ...edit, without: [...edit.without] })),
      fields: fields.flatMap((field) =>
        field.chat === chat ? { kind: field.kind, id: field.id, text: field.text } : [],
      ),
    };
  }

  /** Adds what was typed in that chat on another page. It replaces the texts of the same messages and fields. */
  addTyped(chat: string, { edits, fields }: TypedTexts): void {
    for (const edit of edits) this.keepEdit(edit);
    for (const field of fields) this.keepField({ ...field, chat });
  }

  /** Drops what has moved to another page, except a text that was changed since. */
  dropTyped(chat: string, { edits = [], fields = [] }: Partial<TypedTexts>): void {
    const isMovedEdit = ({ entry, text, without }: MessageEdit): boolean =>
      edits.some((one) => one.entry === entry && one.text === text && String(one.without) === String(without));
    const isMovedField = (field: TypedField): boolean =>
      field.chat === chat &&
      fields.some(({ kind, id, text }) => kind === field.kind && id === field.id && text === field.text);
    this.change({
      edits: this.#saved.edits.filter((edit) => !isMovedEdit(edit)),
      fields: this.#saved.fields.filter((field) => !isMovedField(field)),
    });
  }

  keepAnchor(anchor: Anchor | undefined): void {
    const { anchor: _before, ...saved } = this.#saved;
    this.#save({ ...saved, ...definedFields({ anchor }) });
  }

  #save(state: SavedState): void {
    this.#saved = state;
    this.#host.setState(state);
  }
}
