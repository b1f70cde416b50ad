/** One tool call from its arguments to its end: each change of its state is an event, and after the end nothing is emitted. */
import { createHash, randomUUID } from "node:crypto";
import { definedFields } from "../../base/definedFields";
import type { ResultImage } from "../../domain/chat/attachmentSchema";
import { capText } from "../../domain/chat/cappedText";
import type { Instructions } from "../../domain/chat/environmentSchema";
import type { ShownImage } from "../../domain/tools/toolPorts";
import {
  type CallEffects,
  type Explored,
  type PersonAnswer,
  type PlanOutcome,
  type SeenTexts,
  ToolRefusal,
} from "../../domain/tools/tool";
import type {
  Allowed,
  ArgumentReading,
  Input,
  PersonQuestion,
  ToolAction,
  ToolCallBlock,
  ToolProgress,
  WaitingCall,
} from "../../domain/chat/chat";
import { type PlanStep, withStepIds } from "../../domain/chat/plan";
import { adoptSteps } from "../../domain/chat/planDocument";
import type { FileChanges } from "../../domain/tools/workspace";
import type { Guard } from "../approval/guard";
import { planText } from "../request/modeTexts";
import type { FittedResult, ResultRoom } from "../request/resultRoom";
import type { SessionChanges, TurnSession } from "./sessionOptions";
import { untrustedSent } from "./untrusted";

/** The turn that the call belongs to, with its guard and its changes of files. */
export interface TurnParts extends TurnSession {
  readonly guard: Guard;
  readonly changes: SessionChanges;
}

/** How the call was allowed, and the source of untrusted text in its result. */
export interface CallEndFacts {
  readonly allowed?: Allowed;
  readonly untrusted?: string;
}

export class OpenCall implements CallEffects {
  readonly name: string;
  readonly input: Input;
  readonly id: string;
  /** Set when an allowed call starts. */
  files?: FileChanges;
  /** Bytes. Set when the call starts. */
  room?: number;
  readonly #answer: string;
  readonly #results: ResultRoom;
  readonly #turn: TurnParts;
  #action: ToolAction;
  #facts: CallEndFacts = {};
  #isRead = false;
  #started = false;
  #ended = false;
  #isDone = false;
  #result: string | undefined;
  #cutFrom: number | undefined;
  #isHeldBack = false;
  readonly #tasks: string[] = [];
  readonly #images: ShownImage[] = [];

  constructor(answer: string, { call, name }: ToolCallBlock, input: Input, results: ResultRoom, turn: TurnParts) {
    this.#turn = turn;
    this.#answer = answer;
    this.id = call;
    this.name = name;
    this.input = input;
    this.#results = results;
    this.#action = { type: "call", name };
  }

  readonly activity: CallEffects["activity"] = (activity) => {
    if (this.#ended) return;
    this.#turn.emit({ type: "tool-activity", id: this.#answer, call: this.id, activity });
  };

  readonly output: CallEffects["output"] = (written) => {
    if (this.#ended || written === "") return;
    const output = typeof written === "string" ? capText(written) : written;
    this.#turn.emit({ type: "tool-output", id: this.#answer, call: this.id, output });
  };

  readonly untrusted = (untrusted: string): void => {
    this.#facts = { ...this.#facts, untrusted };
  };

  readonly did = (action: ToolAction): void => {
    this.#action = action;
  };

  readonly heldBack = (): void => {
    this.#isHeldBack = true;
  };

  readonly shortened = (from: number): void => {
    this.#cutFrom = from;
  };

  get seen(): SeenTexts {
    return this.#turn.changes.seen;
  }

  readonly wrote = (path: string): Promise<boolean> => this.#turn.changes.wrote(path);

  readonly submitted: CallEffects["submitted"] = (id) => {
    this.#tasks.push(id);
  };

  readonly image = (image: ShownImage): void => {
    if (!this.#ended) this.#images.push(image);
  };

  readonly ask = async (question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> => {
    const { id, answer } = this.#turn.questions.ask(signal);
    const { input } = this;
    if (!this.#ended) this.#report({ state: "asking", input, action: this.#action, id, question });
    const given = await answer;
    if (!this.#ended) this.#report({ state: "running", input, action: this.#action });
    return given;
  };

  readonly explore = async (question: string, signal: AbortSignal): Promise<Explored> => {
    const { explore, emit } = this.#turn;
    if (explore === undefined) throw new ToolRefusal("There is no reader here.");
    const of = { id: this.#answer, call: this.id };
    const { untrusted, ...explored } = await explore(question, signal, {
      step: (step) => {
        if (!this.#ended) emit({ type: "tool-step", ...of, step });
      },
      took: (calls, tokens) => this.activity({ type: "exploring", calls, tokens }),
    });
    if (untrusted !== undefined) this.untrusted(untrusted);
    return explored;
  };

  readonly setPlan = (given: readonly Omit<PlanStep, "id">[]): PlanOutcome => {
    const { chat, emit } = this.#turn;
    const { plan } = chat();
    if (this.#ended) return {};
    if (plan?.isEdited === true) {
      emit({ type: "plan-told" });
      return { refused: planText(plan.steps) };
    }
    this.#markSource();
    const { document } = plan ?? {};
    const adopted = plan && document && adoptSteps(plan.steps, given, randomUUID);
    const steps = adopted ?? withStepIds(plan?.steps ?? [], given, randomUUID);
    const hasLeft =
      document !== undefined && adopted === undefined && plan?.steps.some(({ state }) => state !== "done");
    this.did({
      type: "update-plan",
      steps,
      ...definedFields({ document: adopted && document, leftDocument: hasLeft ? true : undefined }),
    });
    const isAsGiven = steps.length === given.length && steps.every(({ text }, at) => text === given[at]?.text);
    return isAsGiven ? {} : { kept: planText(steps) };
  };

  readonly presentPlan = (): void => this.#markSource();

  /** Marks the call with the source of untrusted text, because the plan outlives the text in requests that the model had read. */
  #markSource(): void {
    const source = untrustedSent(this.#turn.chat());
    if (source !== undefined) this.untrusted(source);
  }

  /** Emits the reading only once, because a call may be prepared twice. */
  noteReading(reading: ArgumentReading | undefined): void {
    if (this.#isRead || reading === undefined) return;
    this.#isRead = true;
    this.#turn.emit({ type: "tool-reading", id: this.#answer, call: this.id, reading });
  }

  wait(action: ToolAction, asked: Pick<WaitingCall, "approval" | "change" | "changes">): void {
    this.#action = action;
    this.#started = false;
    this.#report({ state: "waiting", input: this.input, action, ...asked });
  }

  /** Called when the call was allowed together with others and waits for those before it. */
  waitForOthers(): void {
    this.#report({ state: "ready", input: this.input });
  }

  start(action: ToolAction, facts: CallEndFacts = {}): void {
    const { allowed } = facts;
    this.#action = action;
    this.#facts = facts;
    // A call that needs no approval changes no files.
    if (allowed !== undefined) this.files = this.#turn.changes.filesOf(this.#answer, this.id, allowed);
    this.#started = true;
    this.room ??= this.#results.reserve();
    this.#report({ state: "running", input: this.input, action, ...definedFields({ allowed }) });
  }

  /** The whole result; where a person did not allow the call, their note. `undefined` before its end, and after a stop. */
  get result(): string | undefined {
    return this.#result;
  }

  /** Whether the call has succeeded and was one that changes files. */
  get hasChangedFiles(): boolean {
    return this.#isDone && /^(?:(?:edit|create|rename|delete)-file|change-files)$/.test(this.#action.type);
  }

  /** `nested`: instructions that go with the result. */
  finish(result: string, nested: readonly Instructions[] = []): void {
    this.#isDone = true;
    this.#result = result;
    const instructions = nested.length > 0 ? nested : undefined;
    const tasks = this.#tasks.length > 0 ? [...this.#tasks] : undefined;
    const { images, text } = this.#keepImages(result);
    const done = { input: this.input, action: this.#action, ...this.#fit(text), ...this.#facts };
    this.#end({ state: "done", ...done, ...this.#profileEnd, ...definedFields({ tasks, images, instructions }) });
  }

  fail({ message }: ToolRefusal): void {
    this.#result = message;
    const failed = { input: this.input, action: this.#action, ...this.#fit(message), ...this.#facts };
    const heldBack = this.#isHeldBack ? { heldBack: true as const } : {};
    this.#end({ state: "failed", ...failed, ...heldBack, ...this.#profileEnd });
  }

  #fit(result: string): FittedResult {
    const room = this.room ?? this.#results.reserve();
    const fitted = this.#results.fit(this.name, result, room, this.#facts.untrusted);
    return { ...definedFields({ cutFrom: this.#cutFrom }), ...fitted };
  }

  /** Ends the profile of the session when the result has untrusted text, because that text may ask for commands. */
  get #profileEnd(): { readonly profileEnded?: true } {
    return !this.#ended && this.#facts.untrusted !== undefined && this.#turn.guard.endProfile(this.#turn.chat())
      ? { profileEnded: true }
      : {};
  }

  deny(note: string | undefined): void {
    // An empty note counts as none.
    const said = note === "" ? undefined : note;
    this.#result = note ?? "";
    this.#end({ state: "denied", input: this.input, action: this.#action, ...definedFields({ note: said }) });
  }

  stop(): void {
    const { allowed } = this.#facts;
    const ended = { input: this.input, action: this.#action, started: this.#started };
    this.#end({ state: "stopped", ...ended, ...definedFields({ allowed }) });
  }

  #keepImages(text: string): { readonly text: string; readonly images?: readonly ResultImage[] } {
    if (this.#ended || this.#images.length === 0) return { text };
    const kept = this.#images.map((image) => keepImage(this.#turn, image));
    const images = kept.filter((image) => image !== undefined);
    const note = images.length === kept.length ? "" : "\n(Not all images are here: the chat holds too many already.)";
    return { text: `${text}${note}`, ...(images.length === 0 ? {} : { images }) };
  }

  #end(progress: ToolProgress): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#report(progress);
  }

  #report(progress: ToolProgress): void {
    this.#turn.emit({ type: "tool-progress", id: this.#answer, call: this.id, progress });
  }
}

/** Characters of all images of a chat as base64. They are limited, because the whole chat is in memory while it is open. */
const totalCap = 64 * 1024 * 1024;

/** Stores the image in the chat, once for all results that have it. `undefined` where the images of the chat would be too large. */
function keepImage(
  { chat, emit }: TurnParts,
  { name, mimeType, bytes, width, height }: ShownImage,
): ResultImage | undefined {
  const id = createHash("sha256").update(bytes).digest("hex");
  const { images = [] } = chat();
  if (!images.some((image) => image.id === id)) {
    const data = Buffer.from(bytes).toString("base64");
    if (images.reduce((sum, image) => sum + image.data.length, data.length) > totalCap) return undefined;
    emit({ type: "image-stored", image: { id, mimeType, data } });
  }
  return { id, mimeType, size: bytes.length, name, width, height };
}
