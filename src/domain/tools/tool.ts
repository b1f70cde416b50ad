/** A function that a model may call. It prepares a call without changing anything, and runs exactly what was prepared. */
import type { CappedText } from "../chat/cappedText";
import type { GrantSubject } from "./grant";
import type { ToolDeclaration } from "../chat/message";
import type { PlanStep } from "../chat/plan";
import type { ToolEffect } from "../chat/chatMode";
import type { Price } from "../prices/priceList";
import type { Task } from "../task/task";
import type { TaskTarget, WantedTask } from "../task/taskPort";
import type { ShownImage } from "./toolPorts";
import type { FileChanges } from "./workspace";
import type { ArgumentReading, AskReason, DiffPreview, PersonQuestion, ToolAction, ToolActivity } from "../chat/chat";

export interface Tool {
  readonly declaration: ToolDeclaration;
  /** The most that its calls can do. A mode of the chat that does not offer this has the tool neither declared nor run. */
  readonly effect: ToolEffect;
  /** Whether the tool is declared to the model of that id; without it, to each model. It can be called all the same. */
  readonly isFor?: (model: string) => boolean;
  /**
   * Reads the arguments and looks at the workspace, without changing it. Rejects with a `ToolRefusal`, whose message is
   * for the model, when the arguments don't match the schema or the path is not allowed.
   */
  prepare(input: unknown, signal: AbortSignal, context?: PrepareContext): Promise<PreparedCall>;
  /** Returns how `prepare` reads arguments in another form than the schema's, to be shown; `undefined` for those in its own. */
  read?(input: unknown): ArgumentReading | undefined;
}

/** What a call can use in addition to the workspace. */
export interface PrepareContext {
  /** The id of the chat that calls. */
  readonly chat?: string;
  /** The texts that files will have when the changes before this one in the same answer are made, by `ProposedChange.file`. */
  readonly pending?: PendingTexts;
  readonly seen?: SeenTexts;
  /** The same as in `CallEffects`. */
  readonly wrote?: CallEffects["wrote"];
}

/** The texts of files that the model has read or written in this chat. `file`: as the editor names it. */
export interface SeenTexts {
  note(file: string, text: string): void;
  /**
   * Notes some lines of the text, counted from 1; `of` is the number of all. The whole counts as seen once all lines from the first on were shown.
   */
  noteLines(
    file: string,
    text: string,
    lines: { readonly first: number; readonly last: number; readonly of: number },
  ): void;
  /** False when the model has seen another text last, a part of it, or none. */
  has(file: string, text: string): boolean;
}

export type PendingTexts = ReadonlyMap<string, string>;

export type PreparedCall = FreeCall | CallToApprove;

interface CallFacts {
  /** The action of the call; a person is shown it in words. */
  readonly action: ToolAction;
  /** The change that the call would write to a file. */
  readonly change?: ProposedChange;
  /** The actions on several files, in place of `change`, with what each writes. */
  readonly changes?: readonly PartChange[];
  /**
   * The source of text that others may have written, as shown to the person, where every result of the call contains such text. While that is part of
   * requests, no rule applies.
   */
  readonly untrusted?: string;
  /** The call looks at something that goes on without it: the same call may give the same result any number of times. */
  readonly waits?: true;
}

/** `change` is missing where a file is only renamed, or not shown. */
export interface PartChange {
  readonly action: ToolAction;
  readonly change?: ProposedChange;
}

/** May run at once. */
export interface FreeCall extends CallFacts {
  readonly reasons?: undefined;
  /** Does exactly what `action` states. The text is the result for the model. */
  run(signal: AbortSignal, effects?: CallEffects): Promise<string>;
}

/** Needs a person's yes first. */
export interface CallToApprove extends CallFacts {
  /** The reasons why it asks; at least one. */
  readonly reasons: readonly AskReason[];
  /** The subject of the rule that a yes for the session or the workspace would make; without it each call asks. */
  readonly grant?: GrantSubject;
  /** The call works on a copy of the workspace in the system's sandbox, which prevents what `reasons` warn of: no question is needed. */
  readonly isConfined?: true;
  /** The task that the question names where it does not show the arguments. */
  readonly asked?: AskedTask;
  /** Runs like a free call, or resolves with the next step, which asks again, because what that one shows could not be known before this yes. */
  run(signal: AbortSignal, effects?: CallEffects): Promise<string | CallToApprove>;
  /** For a step after the first: the result where the person does not allow it, since what came before it has one. Rejects as `run` does. */
  leave?(): Promise<string>;
  /** The action that its row shows once it has ended, where that is not the `action` of this step. */
  readonly whole?: ToolAction;
}

/** The task that a call would submit or cancel, as it will be sent, or whose result it would save. */
export type AskedTask =
  | {
      readonly type: "submit";
      readonly order: WantedTask;
      /** The number of such tasks, each paid; missing for one. */
      readonly count?: number;
      readonly target: TaskTarget;
      /** The place of the result, as shown to the person. */
      readonly place?: string;
      /** Looks up the newest task of the same type, model and prompt when the question is shown: an agent that stopped waiting asks a second time. */
      readonly same: () => Task | undefined;
      /** Files of the workspace that would be sent, with their sizes. */
      readonly references?: readonly string[];
      /** The price of all of them. Missing where it is not known. */
      readonly price?: readonly Price[];
    }
  | { readonly type: "cancel"; readonly task: Task; readonly reason: string }
  /** `place`: where the result goes, as shown to the person. */
  | { readonly type: "save"; readonly task: Task; readonly place: string };

/** The answer to a question: a choice by its index, a text of the person's, the decision left to the model, or a message sent in its place. */
export type PersonAnswer =
  | { readonly type: "choice"; readonly at: number }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "left-to-model" | "message" };

/** The plan in words for the model, where it is not as the model gave it. */
export interface PlanOutcome {
  /** The plan stays as the person has changed it. */
  readonly refused?: string;
  /** The steps of its document keep their words, and those that the model left out. */
  readonly kept?: string;
}

/** Receives what a person may watch while a call runs. Reports after its end are dropped. */
export interface CallEffects {
  activity(activity: ToolActivity): void;
  /** A chunk of output, as it came or capped. Only the first and the last of it are kept. */
  output(output: string | CappedText): void;
  /** Reports that this result contains text that others may have written. `what`: as `CallFacts.untrusted`. */
  untrusted?(what: string): void;
  /** The result also holds this image, which a model that takes images sees. Missing where no image can be returned. */
  image?(image: ShownImage): void;
  /** Whether the file is one that the tools of this chat made, and reads as they left it. */
  readonly wrote?: (path: string) => Promise<boolean>;
  readonly seen?: SeenTexts;
  /** The id under which the program that calls asks for the tasks of this call (MCP): kept with each. */
  readonly orderedAs?: string;
  /** The call has submitted a task: the id of its intent. It is shown under the call when that is done. */
  submitted(id: string): void;
  /**
   * Bytes that the result may have: its share of what is left of the model's context. A longer result is cut in its middle, so a tool
   * that can give the rest by another call keeps to it, and reports so.
   */
  readonly room?: number;
  /**
   * Replaces the action that the call began with: its row shows this one once the call has ended. Sent when details, such as the lines that were
   * read, are known only then.
   */
  did?(action: ToolAction): void;
  /** Reports that the sandbox which the call ran in seems to have made it fail. */
  heldBack?(): void;
  /** Reports that the result is shorter than it would be with more room. `from`: characters of the whole one. */
  shortened?(from: number): void;
  /** Asks the person and waits for the answer. Rejects with an abort only. Missing where no question can be shown. */
  ask?(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer>;
  /**
   * Has a reader with a context of its own answer a question by reading calls. Rejects with a `ToolRefusal` where it comes to no answer, or with an
   * abort.
   */
  explore?(question: string, signal: AbortSignal): Promise<Explored>;
  /** Sets the steps of the chat's plan. Where the person has changed it and the model has not got that yet, it stays. */
  setPlan?(steps: readonly Omit<PlanStep, "id">[]): PlanOutcome;
  /** Hands the document of the plan in the call's arguments over to the person. Missing where none can be shown. */
  presentPlan?(): void;
  /** Changes files and keeps what was there before for an undo. In a chat every change is made by it. */
  readonly files?: FileChanges;
}

/** The answer of a reader, and what it took. */
export interface Explored {
  readonly text: string;
  /** The number of calls that it made. */
  readonly calls: number;
  readonly tokens: number;
  readonly price?: readonly Price[];
}

/** A whole file before and after: what is shown in the editor's diff, approved and written. */
export interface ProposedChange {
  /** Absolute, as the editor names the file. */
  readonly file: string;
  /** The write is refused when the file no longer reads so. */
  readonly before: string;
  readonly after: string;
  /** The changed lines. Its path is as shown to the person. */
  readonly preview: DiffPreview;
}

/** A call that can't or may not run; the message goes back to the model. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
}

/** A change that failed after it had begun, so the file does not read as before. `left`: the text that an editor has now; missing where it is not known. */
export class ChangeInterrupted extends ToolRefusal {
  readonly left: string | undefined;

  constructor(message: string, left?: string) {
    super(message);
    this.left = left;
  }
}
