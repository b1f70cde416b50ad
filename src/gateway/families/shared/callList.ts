/** Tool calls of the families that say where each begins: told of as they come, and complete at the end of the stream, never before (S3). */
import type { Answer } from "./answer";
import { describeArguments, readInput, type ToolInput } from "./toolInput";

export interface CallEnding {
  /** Why none of them may be run, if so. */
  readonly stopped?: string | undefined;
  /** The service ended the answer as one does after whole calls, so that no arguments means none. */
  readonly finished: boolean;
}

export interface OpenCall {
  /** The call's name in the events. */
  readonly call: string;
  readonly block: number;
  append(text: string): void;
  /** The arguments, if no text of them comes. */
  assume(input: ToolInput): void;
  /** Nothing more of it will come. */
  close(): void;
}

export interface CallList {
  open(call: { readonly name: string; readonly wireId?: string | undefined }): OpenCall;
  readonly any: boolean;
  /** Whether a call has not been closed yet, or was with arguments that are not whole. */
  isOpen(): boolean;
  end(ending: CallEnding): void;
}

interface PendingCall {
  readonly call: string;
  text: string;
  assumed: ToolInput | undefined;
  closed: boolean;
}

export function createCallList(answer: Answer): CallList {
  const calls: PendingCall[] = [];

  const tell = ({ call }: PendingCall, text: string): void => answer.emit({ type: "tool-call-delta", call, text });

  const close = (pending: PendingCall): void => {
    pending.closed = true;
    if (pending.text.trim() !== "" || pending.assumed === undefined) return;
    pending.text = JSON.stringify(pending.assumed);
    tell(pending, pending.text);
  };

  const finish = (pending: PendingCall, { stopped, finished }: CallEnding): void => {
    if (stopped === undefined) close(pending);
    const { call, text } = pending;
    const input = text.trim() === "" ? (finished ? {} : undefined) : readInput(text);
    if (stopped === undefined && input !== undefined) {
      answer.emit({ type: "tool-call-end", call, input });
      return;
    }
    const reason = stopped ?? (text.trim() === "" ? "No arguments came." : describeArguments(text));
    answer.emit({ type: "tool-call-invalid", call, text, reason });
  };

  return {
    open({ name, wireId }) {
      const pending: PendingCall = { call: `call-${calls.length}`, text: "", assumed: undefined, closed: false };
      const { call } = pending;
      calls.push(pending);
      const id = wireId === undefined ? {} : { wireId };
      const block = answer.newBlock();
      answer.emit({ type: "tool-call-start", block, call, ...id, name });
      return {
        call,
        block,
        append(text) {
          if (text === "") return;
          pending.text += text;
          tell(pending, text);
        },
        assume(input) {
          pending.assumed = input;
        },
        close: () => close(pending),
      };
    },
    get any() {
      return calls.length > 0;
    },
    isOpen: () => calls.some(({ text, closed }) => !closed || (text.trim() !== "" && readInput(text) === undefined)),
    end(ending) {
      for (const pending of calls) finish(pending, ending);
    },
  };
}
