/** Reads where a chat works, through the workspace and the editor. */
import { isAbort, abortable } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { localDate } from "../../base/localDay";
import type { Log } from "../../domain/ports";
import type { PlacePort } from "../../domain/tools/toolPorts";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import {
  findInstructions,
  findInstructionsAbove,
  type InstructionRules,
  readAllowed,
} from "../../tools/context/findInstructions";
import { findSkills } from "../../tools/context/findPromptFiles";
import { readFacts } from "../../tools/context/readFacts";
import type { ChatEnvironment, Instructions, PromptContext } from "../../domain/chat/environmentSchema";
import type { Chat, SessionEvent, ToolAction } from "../../domain/chat/chat";

export interface WorkspaceContextParts {
  readonly workspace: ReadableWorkspace;
  readonly place: PlacePort;
  readonly clock: Clock;
  readonly log: Log;
}

export function openWorkspaceContext({ workspace, place, clock, log }: WorkspaceContextParts): WorkspaceContext {
  const rules: InstructionRules = {
    workspace,
    own: () => place.instructions(),
    isAllowed: (real) => place.allowed.has(real),
  };
  const day = (): string => localDate(clock.now());
  /** Resolves with `other` where the work fails, because a disk that fails must not end a turn. */
  const orElse = async <T>(other: T, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isAbort(error)) throw error;
      log.warn("Where the chat works could not be read.", { message: String(error) });
      return other;
    }
  };
  return {
    promptContext: () => ({ day: day(), ...definedFields({ editor: place.activeEditor() }) }),
    roots: () => workspace.roots().map(({ path }) => path),
    readEnvironment: (signal) =>
      orElse(
        undefined,
        Promise.all([
          readFacts(workspace, signal),
          findInstructions(rules, signal),
          findSkills(workspace, signal),
        ]).then(([roots, { instructions, offered }, skills]) => ({
          ...place.host,
          day: day(),
          roots,
          instructions,
          offered,
          ...(skills.length === 0 ? {} : { skills }),
        })),
      ),
    instructionsAbove: (file, known, signal) =>
      orElse({ instructions: [], offered: [] }, findInstructionsAbove(rules, file, known, signal)),
    async allowInstructions(path, known) {
      const read = await orElse(undefined, readAllowed(rules, path, known));
      if (read) place.allowed.add(read.real);
      return read?.instructions;
    },
  };
}

/** Methods that return a promise reject with an `AbortError` only. */
export interface WorkspaceContext {
  /** The day, and the active editor with its selection. */
  promptContext(): PromptContext;
  /** Paths of the folders whose files tools can use, as in the environment. */
  roots(): readonly string[];
  /** `undefined` where it can't be read now. */
  readEnvironment(signal: AbortSignal): Promise<ChatEnvironment | undefined>;
  /** Instructions of the folders that a file lies in, below its root. `known`: bytes of those that the chat has, by path. */
  instructionsAbove(file: string, known: ReadonlyMap<string, number>, signal: AbortSignal): Promise<FoundInstructions>;
  /** Lets a file that was offered guide the model from now on. `undefined` where it can't be read. */
  allowInstructions(path: string, known: ReadonlyMap<string, number>): Promise<Instructions | undefined>;
}

export interface FoundInstructions {
  readonly instructions: readonly Instructions[];
  /** The offered files, in the form of the environment. */
  readonly offered: readonly string[];
}

/** Reads the environment into the chat, unless it was read for the same roots. Rejects with an `AbortError` only. */
export async function readEnvironment(
  chat: () => Chat,
  workspaceContext: WorkspaceContext,
  emit: (event: SessionEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const known = chat().environment?.roots.map(({ path }) => path);
  if (known !== undefined && isSame(known, workspaceContext.roots())) return;
  const environment = await abortable(workspaceContext.readEnvironment(signal), signal);
  if (environment !== undefined) emit({ type: "environment-read", environment });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path, index) => path === other[index]);
}

/** The day, and the active editor with its selection; `undefined` for neither. */
export function promptContextOf(workspaceContext: Pick<WorkspaceContext, "promptContext">): PromptContext | undefined {
  const context = workspaceContext.promptContext();
  return Object.keys(context).length === 0 ? undefined : context;
}

/** Actions that read the file of their path. */
const reading: ReadonlySet<ToolAction["type"]> = new Set(["read-file", "list-symbols", "edit-file", "create-file"]);

export class NestedInstructions {
  readonly #workspaceContext: Pick<WorkspaceContext, "instructionsAbove">;
  readonly #chat: () => Chat;
  readonly #sent: () => ReadonlyMap<string, number>;
  readonly #emit: (event: SessionEvent) => void;
  /** Bytes of the files that were returned, by path. Of calls that run at the same time, only the first to find a file returns it. */
  readonly #given = new Map<string, number>();

  /** `sent`: bytes of those that the next request holds, by path. */
  constructor(
    workspaceContext: Pick<WorkspaceContext, "instructionsAbove">,
    chat: () => Chat,
    sent: () => ReadonlyMap<string, number>,
    emit: (event: SessionEvent) => void,
  ) {
    this.#workspaceContext = workspaceContext;
    this.#chat = chat;
    this.#sent = sent;
    this.#emit = emit;
  }

  /** The instructions that go with the result of a call that has run. Rejects with an `AbortError` only. */
  async of(action: ToolAction, signal: AbortSignal): Promise<readonly Instructions[]> {
    const path = reading.has(action.type) && "path" in action ? action.path : undefined;
    if (path === undefined) return [];
    const known = new Map([...this.#sent(), ...this.#given]);
    const { instructions, offered } = await this.#workspaceContext.instructionsAbove(path, known, signal);
    const before = this.#chat().environment?.offered ?? [];
    const paths = offered.filter((one) => !before.includes(one));
    if (paths.length > 0) this.#emit({ type: "instructions-offered", paths });
    const fresh = instructions.filter((one) => !this.#given.has(one.path));
    for (const one of fresh) this.#given.set(one.path, Buffer.byteLength(one.text));
    return fresh;
  }
}
