/** One tool call from its arguments to its end: each change of its state is an event, and after the end nothing is emitted. */
import { definedFields } from "../base/definedFields";
import { capText } from "../domain/cappedText";
import type { CallReporter, ToolRefusal } from "../domain/tool";
import type { Input, SessionEvent, ToolAction, ToolCallBlock, ToolProgress, WaitingCall } from "../domain/transcript";
import type { FileChanges } from "../domain/workspace";
import type { ResultBounds } from "./callBounds";
import type { FilesOfCall } from "./sessionPorts";

export class OpenCall implements CallReporter {
  readonly name: string;
  readonly input: Input;
  readonly files?: FileChanges;
  readonly #answer: string;
  readonly #id: string;
  readonly #bounds: ResultBounds;
  readonly #emit: (event: SessionEvent) => void;
  #action: ToolAction;
  #started = false;
  #ended = false;
  readonly #tasks: string[] = [];

  constructor(
    answer: string,
    { call, name }: ToolCallBlock,
    input: Input,
    bounds: ResultBounds,
    emit: (event: SessionEvent) => void,
    filesOf?: FilesOfCall,
  ) {
    if (filesOf) this.files = filesOf(answer, call);
    this.#answer = answer;
    this.#id = call;
    this.name = name;
    this.input = input;
    this.#bounds = bounds;
    this.#emit = emit;
    this.#action = { type: "call", name };
  }

  readonly activity: CallReporter["activity"] = (activity) => {
    if (this.#ended) return;
    this.#emit({ type: "tool-activity", id: this.#answer, call: this.#id, activity });
  };

  readonly output: CallReporter["output"] = (written) => {
    if (this.#ended || written === "") return;
    const output = typeof written === "string" ? capText(written) : written;
    this.#emit({ type: "tool-output", id: this.#answer, call: this.#id, output });
  };

  readonly submitted: CallReporter["submitted"] = (id) => {
    this.#tasks.push(id);
  };

  wait(action: ToolAction, asked: Pick<WaitingCall, "approval" | "change">): void {
    this.#action = action;
    this.#started = false;
    this.#report({ state: "waiting", input: this.input, action, ...asked });
  }

  start(action: ToolAction): void {
    this.#action = action;
    this.#started = true;
    this.#report({ state: "running", input: this.input, action });
  }

  finish(result: string): void {
    const tasks = this.#tasks.length > 0 ? [...this.#tasks] : undefined;
    const done = { input: this.input, action: this.#action, result: this.#bounds.cut(result) };
    this.#end({ state: "done", ...done, ...definedFields({ tasks }) });
  }

  fail({ message }: ToolRefusal): void {
    this.#end({ state: "failed", input: this.input, action: this.#action, result: this.#bounds.cut(message) });
  }

  deny(note: string | undefined): void {
    // An empty note is none.
    const said = note === "" ? undefined : note;
    this.#end({ state: "denied", input: this.input, action: this.#action, ...definedFields({ note: said }) });
  }

  stop(): void {
    this.#end({ state: "stopped", input: this.input, action: this.#action, started: this.#started });
  }

  #end(progress: ToolProgress): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#report(progress);
  }

  #report(progress: ToolProgress): void {
    this.#emit({ type: "tool-progress", id: this.#answer, call: this.#id, progress });
  }
}
