/**
 * The page's own state. VS Code gets each change at once and keeps it while a hidden page is destroyed, but writes it to the disk only once a minute.
 * The host therefore gets what is typed too, see `pageStates`.
 */
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

/** Milliseconds for which the host may lack what was typed. */
const delay = 300;

/** The parts that hold what a person has typed or attached. */
const typedParts = ["chat", "draft", "references", "drafts", "edits", "fields"] as const;

export class SavedStateStore implements DraftKeeper, FieldKeeper {
  readonly #host: Pick<HostLink, "setState" | "postMessage">;
  readonly #opened: Set<string>;
  #saved: SavedState;
  #isPostDue = false;

  /** `kept`: the state that the host has kept. It is the newer one if VS Code was killed before it wrote its own. */
  constructor(host: HostLink, kept: unknown) {
    this.#host = host;
    const [own, ofHost] = [readSavedState(host.getState()), readSavedState(kept)];
    this.#saved = { ...(ofHost.changes > own.changes ? ofHost : own), page: ofHost.page };
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
    const isTyped = typedParts.some((part) => state[part] !== this.#saved[part]);
    const isCleared = state.draft === "" && this.#saved.draft !== "";
    this.#saved = { ...state, changes: this.#saved.changes + 1 };
    this.#host.setState(this.#saved);
    // A text that was sent must not come back as a draft, so the host gets an emptied composer at once.
    if (isCleared) this.#post();
    else if (isTyped) this.#postLater();
  }

  #post(): void {
    this.#host.postMessage({ type: "state-changed", state: { ...this.#saved } } satisfies ChatPageIntent);
  }

  /** Does not wait for a pause in typing, because a person may type for minutes without one. */
  #postLater(): void {
    if (this.#isPostDue) return;
    this.#isPostDue = true;
    setTimeout(() => {
      this.#isPostDue = false;
      this.#post();
    }, delay);
  }
}
