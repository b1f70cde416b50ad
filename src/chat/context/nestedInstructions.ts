/** Instructions of the folders in which a call has read a file: each is given once, with the result of that call. For one turn. */
import type { Chat, SessionEvent, ToolAction } from "../../domain/chat/chat";
import type { Instructions } from "../../domain/chat/environmentSchema";
import type { Surroundings } from "./surroundings";

/** Actions that read the file of their path. */
const reading: ReadonlySet<ToolAction["type"]> = new Set(["read-file", "list-symbols", "edit-file", "create-file"]);

export class NestedInstructions {
  readonly #surroundings: Pick<Surroundings, "instructionsAbove">;
  readonly #chat: () => Chat;
  readonly #sent: () => ReadonlyMap<string, number>;
  readonly #emit: (event: SessionEvent) => void;
  /** Of calls that run at the same time, the first to find a file gives it. */
  readonly #given = new Map<string, number>();

  /** `sent`: bytes of those that the next request holds, by path. */
  constructor(
    surroundings: Pick<Surroundings, "instructionsAbove">,
    chat: () => Chat,
    sent: () => ReadonlyMap<string, number>,
    emit: (event: SessionEvent) => void,
  ) {
    this.#surroundings = surroundings;
    this.#chat = chat;
    this.#sent = sent;
    this.#emit = emit;
  }

  /** What goes with the result of a call that has run. Rejects with an `AbortError` only. */
  async of(action: ToolAction, signal: AbortSignal): Promise<readonly Instructions[]> {
    const path = reading.has(action.type) && "path" in action ? action.path : undefined;
    if (path === undefined) return [];
    const known = new Map([...this.#sent(), ...this.#given]);
    const { instructions, offered } = await this.#surroundings.instructionsAbove(path, known, signal);
    const before = this.#chat().environment?.offered ?? [];
    const paths = offered.filter((one) => !before.includes(one));
    if (paths.length > 0) this.#emit({ type: "instructions-offered", paths });
    const fresh = instructions.filter((one) => !this.#given.has(one.path));
    for (const one of fresh) this.#given.set(one.path, Buffer.byteLength(one.text));
    return fresh;
  }
}
