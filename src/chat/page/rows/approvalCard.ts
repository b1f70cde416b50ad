/**
 * The content of a question in the transcript. The bar above the composer has its buttons, and reads here how much of the content has been in view.
 */
import { html, nothing, type TemplateResult } from "lit-html";
import { t } from "@vscode/l10n";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import { guard } from "lit-html/directives/guard.js";
import { ref } from "lit-html/directives/ref.js";
import type { ToolCallBlock, WaitingCall, Input } from "../../../domain/chat/chat";
import { describeReasons } from "../../../domain/words/describeTool";
import { type RowActions, iconButton } from "../shared/controls";
import type { QuestionCard } from "../shared/questionCards";
import { icon } from "../../../webview/pageParts";
import { revealName, type RevealedPart, revealLine, rightToLeft } from "../../../webview/hiddenCharacters";
import { type AskedCall, askedCalls, askedTitle, cardTitle, isGroup, groupLines, linesByFile } from "./approvalGroup";
import { callInput, decodedArguments, questionTitle } from "./toolText";
import { type ChangeLine, changeLinesOf, textLines } from "./changeLines";

/** The numbers of lines that are rendered at first, and that are added when their end comes into view. Thousands of nodes would block the page. */
const firstLines = 400;
const moreLines = 1000;
/** Pixels of the previous view that stay in view, so that the person finds the place again. */
const overlap = 24;

class ApprovalCard extends AsyncDirective implements QuestionCard {
  #actions: RowActions | undefined;
  #call: WaitingCall | undefined;
  /** All calls of the question; the first one is `#call`. */
  #group: readonly AskedCall[] = [];
  #lines: readonly ChangeLine[] = [];
  #watch: ViewWatch | undefined;
  #section: Element | undefined;
  #box: HTMLElement | undefined;
  #start: Element | undefined;
  #end: Element | undefined;
  #more: Element | undefined;
  #shown = firstLines;
  /** The calls whose change was opened in an editor. */
  readonly #opened = new Set<string>();
  /** The marks that have been in view; `undefined` until the observer reports, a frame after the card was rendered. */
  #viewed: Viewed | undefined;

  // These are fields, because lit calls a ref callback again at each render if it is another function.
  readonly #onSection = (element?: Element): void => {
    this.#section = element;
  };
  readonly #onBox = (element?: Element): void => {
    this.#box = element instanceof HTMLElement ? element : undefined;
  };
  readonly #onStart = (element?: Element): void => {
    this.#start = element;
    this.#watch?.watch("start", element);
  };
  readonly #onEnd = (element?: Element): void => {
    this.#end = element;
    this.#watch?.watch("end", element);
  };
  /** Observes the end of the rendered lines, where there are more lines. */
  readonly #onMore = (element?: Element): void => {
    this.#more = element;
    this.#watch?.watch("more", element);
  };

  /** Opens the diff. `call` chooses one of several changes. */
  readonly #openDiff = (call?: string): void => {
    const { id = "" } = this.#call?.approval ?? {};
    this.#actions?.send({ type: "diff-open", approval: id, ...(call === undefined ? {} : { call }) });
    this.#opened.add(call ?? "");
    this.#actions?.questions.report();
  };

  /** `blocks`: the calls of one question, in order. */
  override render(blocks: readonly ToolCallBlock[], actions: RowActions): unknown {
    this.#actions = actions;
    const group = askedCalls(blocks);
    const [block] = blocks;
    const call = group[0]?.call;
    if (!block || !call) return nothing;
    this.#group = group;
    const before = this.#call;
    this.#call = call;
    if (call.approval.id !== before?.approval.id) {
      if (before) actions.questions.remove(before.approval.id, this);
      this.#lines = askedLines(block, group);
      this.#shown = firstLines;
      this.#opened.clear();
      this.#look();
    }
    return this.#template(call);
  }

  override disconnected(): void {
    if (this.#call) this.#actions?.questions.remove(this.#call.approval.id, this);
    this.#watch?.dispose();
    this.#watch = undefined;
  }

  override reconnected(): void {
    this.#look();
  }

  get isStartSeen(): boolean {
    return this.#viewed?.start !== false;
  }

  get isSeen(): boolean {
    return (this.#viewed?.start === true && this.#viewed.end) || this.#isOpened;
  }

  /** Whether each change was opened in a diff. A call that changes no file has no diff, so its lines have to be seen. */
  get #isOpened(): boolean {
    const calls = isGroup(this.#group)
      ? this.#lines.filter(({ kind }) => kind === "file").map(({ call }) => call)
      : [""];
    return calls.every((call) => call !== undefined && this.#opened.has(call));
  }

  openDiff(): void {
    this.#openDiff();
  }

  get linesLeft(): number | undefined {
    return this.#viewed && this.#lines.filter(({ kind }) => !uncounted.has(kind)).length - this.#countInView();
  }

  showNext(): void {
    this.#actions?.leaveEnd(0);
    if (!this.isStartSeen) {
      this.#section?.scrollIntoView({ block: "start" });
      return;
    }
    const next = this.#countInView();
    const view = this.#scroller?.getBoundingClientRect();
    const target = this.#lineElements[next] ?? this.#end ?? this.#more;
    if (!view || !target) return;
    // A line or title that is higher than the view is passed one view at a time.
    const page = Math.max(view.height - overlap, view.height / 2);
    const distance = target.getBoundingClientRect().top - view.top;
    this.#actions?.leaveEnd(distance < overlap ? page : Math.min(distance, page));
  }

  /** Starts to observe anew, and forgets what was in view. */
  #look(): void {
    this.#watch?.dispose();
    this.#viewed = undefined;
    if (this.#call) this.#actions?.questions.add(this.#call.approval.id, this);
    this.#watch = new ViewWatch((viewed) => this.#report(viewed));
    this.#watch.watch("start", this.#start);
    this.#watch.watch("end", this.#end);
    this.#watch.watch("more", this.#more);
  }

  #report(viewed: Viewed): void {
    const before = this.#viewed;
    if (before !== undefined && viewed.more && this.#shown < this.#lines.length) {
      // Otherwise the page would follow the end past lines that nobody has seen.
      this.#actions?.leaveEnd(0);
      this.#shown += moreLines;
      this.#renderAgain();
      this.#watch?.watchAgain("more");
    }
    if (before?.start === viewed.start && before.end === viewed.end) return;
    // A card that does not fit is scrolled to its start. What passed through the view meanwhile does not count as read.
    if (before === undefined && !viewed.start && this.#section && this.#actions?.showTop(this.#section)) {
      this.#look();
      return;
    }
    this.#viewed = viewed;
    this.#actions?.questions.report();
  }

  #renderAgain(): void {
    if (this.isConnected && this.#call) this.setValue(this.#template(this.#call));
  }

  get #scroller(): Element | null {
    return this.#section?.closest(".transcript") ?? null;
  }

  get #lineElements(): NodeListOf<Element> | readonly Element[] {
    return this.#box?.querySelectorAll(".diff-line") ?? [];
  }

  /** The number of lines above the lower edge of the view. A binary search finds it, because each line is below the previous one. */
  #countInView(): number {
    const bottoms = [this.#box, this.#scroller].map((place) => place?.getBoundingClientRect().bottom ?? 0);
    const edge = Math.min(...bottoms) + 1;
    const lines = this.#lineElements;
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const isAbove = (lines[middle]?.getBoundingClientRect().bottom ?? 0) <= edge;
      if (isAbove) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #template({ approval }: WaitingCall): TemplateResult {
    const calls = this.#group.map(({ call }) => call);
    return html`<section class="approval" aria-label=${askedTitle(calls)} ${ref(this.#onSection)}>
      <div class="approval-start" ${ref(this.#onStart)}></div>
      <div class="approval-title">${icon("question")}<span>${questionTitle(calls, cardTitle(calls))}</span></div>
      ${isPlainEdit(approval) ? nothing : html`<div class="approval-reason"><span>${t("Why it asks: {0}", describeReasons(approval.reasons))}</span></div>`}
      ${this.#call === undefined ? nothing : outsideReason(this.#call)} ${afterReading(approval)}
      ${afterChanges(approval.changed)} ${this.#changeBox(askedLabel(this.#group))}
    </section>`;
  }

  #changeBox(label: string): TemplateResult {
    const whole = this.#shown >= this.#lines.length;
    return html`<div
      class="diff ${isGroup(this.#group) ? "grouped" : ""}"
      tabindex="0"
      role="region"
      dir="ltr"
      aria-label=${label}
      ${ref(this.#onBox)}
    >
      ${guard([this.#lines, this.#shown], () => linesView(this.#lines.slice(0, this.#shown), this.#openDiff))}
      ${whole ? html`<div class="change-end" ${ref(this.#onEnd)}></div>` : html`<div class="change-end" ${ref(this.#onMore)}></div>`}
    </div>`;
  }
}

/** Whether the only reason of the question is that it edits a file. Then no reasons are listed, because the title of the card says it. */
function isPlainEdit({ reasons }: WaitingCall["approval"]): boolean {
  return reasons.length === 1 && reasons[0] === "writes-file";
}

/** Kinds of lines that are no lines of the change. */
const uncounted = new Set<ChangeLine["kind"]>(["gap", "note", "file"]);

export const approvalCard = directive(ApprovalCard);

/** The lines that a person reads in full before a yes: the proposed change, the command, or otherwise the arguments. `block`: the first call. */
function askedLines(block: ToolCallBlock, group: readonly AskedCall[]): readonly ChangeLine[] {
  if (isGroup(group)) return groupLines(group);
  const { change, action } = group[0]?.call ?? {};
  if (change !== undefined) return changeLinesOf(change);
  if (action?.type === "run-command") return textLines(action.command);
  if (action?.type === "submit-task") return textLines(taskText(decodedArguments(block) ?? {}));
  // After a redirect, this address differs from the one that the model named.
  if (action?.type === "fetch-url" || action?.type === "view-page") return textLines(action.url);
  return textLines(action?.type === "call" ? callInput(block) : argumentsText(block));
}

/** The arguments of a tool of Sluice's own, one a line. A value with line breaks is shown as JSON, because it could imitate another line. */
function argumentsText(block: ToolCallBlock): string {
  const named = Object.entries(decodedArguments(block) ?? {});
  if (named.length === 0) return callInput(block);
  const plain = (value: unknown): string =>
    typeof value === "string" && !/[\n\r\u2028\u2029]/u.test(value) ? value : JSON.stringify(value);
  return named.map(([key, value]) => t("{0}: {1}", plain(key), plain(value))).join("\n");
}

/** The parts of the task, one a line, the prompt first. Its type and model are in the title. */
function taskText(input: Input): string {
  const names: Readonly<Record<string, string>> = {
    prompt: t("Prompt"),
    options: t("Options"),
    references: t("References"),
    save_as: t("Saved as"),
  };
  const { prompt, type: _type, model: _model, ...others } = input;
  return Object.entries({ prompt, ...others })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => t("{0}: {1}", names[key] ?? key, typeof value === "string" ? value : JSON.stringify(value)))
    .join("\n");
}

function askedLabel(group: readonly AskedCall[]): string {
  if (isGroup(group)) return t("Proposed changes");
  const { change, action } = group[0]?.call ?? {};
  if (change !== undefined) return t("Proposed change to {0}", revealName(change.path));
  if (action?.type === "fetch-url" || action?.type === "view-page") return t("Address");
  if (action?.type === "submit-task") return t("Task");
  return action?.type === "run-command" ? t("Command") : t("Arguments");
}

/** Opens the change of that call, or the only change, in the editor's own diff. */
type OpenDiff = (call?: string) => void;

/** The lines of the question. The changes of several calls are each below a title. */
function linesView(lines: readonly ChangeLine[], openDiff: OpenDiff): unknown {
  if (lines[0]?.kind !== "file") return lines.map(changeLineView);
  return linesByFile(lines).map(
    ([head, ...changed]) =>
      html`<div class="diff-file">
          <h3>${revealName(head?.text ?? "")}</h3>
          ${head?.call === undefined ? nothing : iconButton("diff", t("Open Diff"), () => openDiff(head.call))}
        </div>
        <div class="diff-part">${changed.map(changeLineView)}</div>`,
  );
}

function afterReading({ after, profileEnded }: WaitingCall["approval"]): unknown {
  if (after === undefined) return nothing;
  const why =
    profileEnded === true
      ? t("Commands of this chat ask again after reading {0}.", revealName(after))
      : t("Your rules do not apply while the model is given {0}.", revealName(after));
  return html`<div class="approval-after">${icon("shield")}<span>${why}</span></div>`;
}

/** The model's reason to leave the sandbox. It is quoted, because it may be wrong. */
function outsideReason({ action }: WaitingCall): unknown {
  if (action.type !== "run-command" || action.outside === undefined || action.outside === "") return nothing;
  return html`<div class="approval-after">
    ${icon("shield")}<span
      >${t("Why it leaves the sandbox, as the model says: “{0}”", revealName(action.outside))}</span
    >
  </div>`;
}

/** Lists only the names of changed files. The changes themselves are in the rows above and in the chats that made them, each with its diff. */
function afterChanges(changed: readonly string[] = []): unknown {
  if (changed.length === 0) return nothing;
  const why = t("Rules let the model change these files since you last allowed a command, which may run them:");
  return html`<div class="approval-after">
    ${icon("shield")}
    <div>
      ${why}
      <ul class="approval-files">
        ${changed.map((path) => html`<li>${revealName(path)}</li>`)}
      </ul>
    </div>
  </div>`;
}

/** Renders the lines of a change or of arguments for an approval: lines are wrapped and hidden characters are marked. */
const marks = { added: "+", removed: "-", same: "", gap: "", note: "", text: "", file: "" } as const;

function changeLineView(line: ChangeLine): TemplateResult {
  const { kind, number, text } = line;
  if (kind === "gap") return html`<div class="diff-gap" aria-hidden="true">${text}</div>`;
  if (kind === "note") return html`<div class="diff-gap">${text}</div>`;
  if (kind === "text") return html`<div class="diff-line text"><span class="diff-text">${textOf(line)}</span></div>`;
  const name = kind === "added" ? t("added") : kind === "removed" ? t("removed") : undefined;
  return html`<div class="diff-line ${kind}">
    <span class="diff-number" aria-hidden="true">${number ?? nothing}</span
    ><span class="diff-mark" title=${name ?? nothing}>${marks[kind]}</span
    ><span class="diff-text">${textOf(line)}</span>
  </div>`;
}

/** Marks changed words only in a line of plain text. Markers, and the reading order of right-to-left words, are more important. */
function textOf({ text, continued, runs }: ChangeLine): unknown {
  const parts = revealLine(text, continued);
  const isPlain = parts.every((part) => typeof part === "string") && !rightToLeft.test(text);
  if (runs === undefined || !isPlain) return parts.map(partView);
  return runs.map((run) => (run.isChanged ? html`<span class="diff-word">${run.text}</span>` : run.text));
}

/** Isolates each run of right-to-left words, so that operators, numbers and quotation marks between two runs keep their order in the code. */
function inReadingOrder(text: string): unknown {
  return text.split(rightToLeft).map((run, index) => (index % 2 === 1 ? html`<bdi>${run}</bdi>` : run));
}

function partView(part: RevealedPart): unknown {
  if (typeof part === "string") return rightToLeft.test(part) ? inReadingOrder(part) : part;
  return html`<span
    class="marker ${part.kind === "hidden" ? "hidden-character" : "blank"}"
    role="img"
    aria-label=${part.name}
    title=${part.name}
    >${part.shown}</span
  >`;
}

/** Whether marks in the card have been in view: on the screen and not clipped by any scrolling box. */
interface Viewed {
  readonly start: boolean;
  readonly end: boolean;
  /** Whether the end of the lines rendered so far has been in view. */
  readonly more: boolean;
}

class ViewWatch {
  readonly #observer: IntersectionObserver;
  readonly #marks = new Map<Element, keyof Viewed>();
  #viewed: Viewed = { start: false, end: false, more: false };

  /** `onReport` is called at each report of the observer, even when nothing came into view. */
  constructor(onReport: (viewed: Viewed) => void) {
    // Without a root, the observer clips by all boxes up to the window, so that zoom and a half-hidden page are taken into account.
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        const mark = this.#marks.get(target);
        // A mark at the very edge of a box intersects it without a visible pixel.
        if (mark && isIntersecting && intersectionRatio > 0) this.#viewed = { ...this.#viewed, [mark]: true };
      }
      onReport(this.#viewed);
    });
  }

  /** Observes the element for this mark, in place of its previous element; `undefined` observes none. */
  watch(mark: keyof Viewed, element: Element | undefined): void {
    for (const [known, its] of this.#marks) {
      if (its !== mark || known === element) continue;
      this.#observer.unobserve(known);
      this.#marks.delete(known);
    }
    if (element === undefined || this.#marks.has(element)) return;
    this.#marks.set(element, mark);
    this.#observer.observe(element);
  }

  /** Forgets that the mark was in view and observes it again. */
  watchAgain(mark: keyof Viewed): void {
    this.#viewed = { ...this.#viewed, [mark]: false };
    for (const [element, its] of this.#marks) {
      if (its !== mark) continue;
      this.#observer.unobserve(element);
      this.#observer.observe(element);
    }
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#marks.clear();
  }
}
