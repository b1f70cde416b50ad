/** One tool call from its arguments to its end: each change of its state is an event, and after the end nothing is emitted. */
import { definedFields } from "../base/definedFields";
import { capText } from "../domain/chat/cappedText";
import type { Instructions } from "../domain/chat/environmentSchema";
import type { CallEffects, ToolRefusal } from "../domain/tools/tool";
import type {
  Allowed,
  ArgumentReading,
  Input,
  SessionEvent,
  ToolAction,
  ToolCallBlock,
  ToolProgress,
  WaitingCall,
} from "../domain/chat/chat";
import type { FileChanges } from "../domain/tools/workspace";
import type { FittedResult, ResultRoom } from "./resultRoom";
import type { SessionChanges } from "./sessionPorts";

/** How the call was allowed, and what its result holds that others may have written. */
export interface CallEndFacts {
  readonly allowed?: Allowed;
  readonly untrusted?: string;
}

export class OpenCall implements CallEffects {
  readonly name: string;
  readonly input: Input;
  readonly id: string;
  /** From its start on. */
  files?: FileChanges;
  /** From its start on. */
  room?: number;
  readonly #answer: string;
  readonly #results: ResultRoom;
  readonly #emit: (event: SessionEvent) => void;
  readonly #changes: SessionChanges;
  #action: ToolAction;
  #facts: CallEndFacts = {};
  #isRead = false;
  #started = false;
  #ended = false;
  #isDone = false;
  #cutFrom: number | undefined;
  readonly #tasks: string[] = [];

  constructor(
    answer: string,
    { call, name }: ToolCallBlock,
    input: Input,
    results: ResultRoom,
    emit: (event: SessionEvent) => void,
    changes: SessionChanges,
  ) {
    this.#changes = changes;
    this.#answer = answer;
    this.id = call;
    this.name = name;
    this.input = input;
    this.#results = results;
    this.#emit = emit;
    this.#action = { type: "call", name };
  }

  readonly activity: CallEffects["activity"] = (activity) => {
    if (this.#ended) return;
    this.#emit({ type: "tool-activity", id: this.#answer, call: this.id, activity });
  };

  readonly output: CallEffects["output"] = (written) => {
    if (this.#ended || written === "") return;
    const output = typeof written === "string" ? capText(written) : written;
    this.#emit({ type: "tool-output", id: this.#answer, call: this.id, output });
  };

  readonly untrusted = (untrusted: string): void => {
    this.#facts = { ...this.#facts, untrusted };
  };

  readonly shortened = (from: number): void => {
    this.#cutFrom = from;
  };

  readonly wrote = (path: string): Promise<boolean> => this.#changes.wrote(path);

  readonly submitted: CallEffects["submitted"] = (id) => {
    this.#tasks.push(id);
  };

  /** Emitted once: a call may be prepared twice. */
  noteReading(reading: ArgumentReading | undefined): void {
    if (this.#isRead || reading === undefined) return;
    this.#isRead = true;
    this.#emit({ type: "tool-reading", id: this.#answer, call: this.id, reading });
  }

  wait(action: ToolAction, asked: Pick<WaitingCall, "approval" | "change">): void {
    this.#action = action;
    this.#started = false;
    this.#report({ state: "waiting", input: this.input, action, ...asked });
  }

  /** It was allowed together with others and waits for those before it. */
  waitForOthers(): void {
    this.#report({ state: "ready", input: this.input });
  }

  start(action: ToolAction, facts: CallEndFacts = {}): void {
    const { allowed } = facts;
    this.#action = action;
    this.#facts = facts;
    // What runs without a question changes no files.
    if (allowed !== undefined) this.files = this.#changes.filesOf(this.#answer, this.id, allowed);
    this.#started = true;
    this.room ??= this.#results.reserve();
    this.#report({ state: "running", input: this.input, action, ...definedFields({ allowed }) });
  }

  /** It has ended well, and was one that changes files. */
  get hasChangedFiles(): boolean {
    return this.#isDone && /^(?:edit|create|rename|delete)-file$/.test(this.#action.type);
  }

  /** `nested`: instructions that go with the result. */
  finish(result: string, nested: readonly Instructions[] = []): void {
    this.#isDone = true;
    const instructions = nested.length > 0 ? nested : undefined;
    const tasks = this.#tasks.length > 0 ? [...this.#tasks] : undefined;
    const done = { input: this.input, action: this.#action, ...this.#fit(result), ...this.#facts };
    this.#end({ state: "done", ...done, ...definedFields({ tasks, instructions }) });
  }

  fail({ message }: ToolRefusal): void {
    this.#end({ state: "failed", input: this.input, action: this.#action, ...this.#fit(message), ...this.#facts });
  }

  #fit(result: string): FittedResult {
    const room = this.room ?? this.#results.reserve();
    const fitted = this.#results.fit(this.name, result, room, this.#facts.untrusted);
    return { ...definedFields({ cutFrom: this.#cutFrom }), ...fitted };
  }

  deny(note: string | undefined): void {
    // An empty note is none.
    const said = note === "" ? undefined : note;
    this.#end({ state: "denied", input: this.input, action: this.#action, ...definedFields({ note: said }) });
  }

  stop(): void {
    const { allowed } = this.#facts;
    const ended = { input: this.input, action: this.#action, started: this.#started };
    this.#end({ state: "stopped", ...ended, ...definedFields({ allowed }) });
  }

  #end(progress: ToolProgress): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#report(progress);
  }

  #report(progress: ToolProgress): void {
    this.#emit({ type: "tool-progress", id: this.#answer, call: this.id, progress });
  }
}
