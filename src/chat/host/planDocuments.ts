/** The documents of plans in editors: they are stored while they are edited, follow the steps of the plan, and have *Start*, *Start This Step* and *Comment* (A13). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { SerialQueue } from "../../base/async/serialQueue";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Event } from "../../base/event";
import type { ShownChat } from "../storage/shownChat";
import { modeOf } from "../../domain/chat/choices";
import type { PlanPlace, PlanStep } from "../../domain/chat/plan";
import { documentSteps, followSteps, joinSteps, planDocumentCap } from "../../domain/chat/planDocument";
import type { Log } from "../../domain/ports";
import { whyNotChosen } from "../../domain/words/modeWords";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { commands, planScheme } from "../../vscode/ids";
import { askText, createLens, notifyInformation, notifyWarning } from "../../vscode/interface/show";
import { addReplacement } from "../../vscode/replaceText";
import { isMissingFile } from "../../base/systemErrors";
import type { ChatSessions } from "../storage/chatSessions";
import { isSessionId } from "../storage/sessionFolder";
import { findPlanDocument, type PlanText, stepsOfPlace } from "../../domain/chat/planOfChat";
import { lineReplacements, linesWithEnds } from "../undo/lineDiff";
import type { PlanFileSystem } from "./lazyPlanFiles";

/** Milliseconds after the last edit until the document is stored. */
const storeDelay = 1000;
/** The maximum length of a comment, in characters. */
const longestComment = 10_000;

/** How often an edit of a document is tried in a row. */
const maxAttempts = 3;

export interface PlanDocumentOptions {
  readonly files: PlanFiles;
  readonly dialogs: Dialogs;
  readonly clock: Clock;
  readonly log: Log;
  /** Shows the chat on a page and resolves with that page; `undefined` for a chat that is gone. */
  readonly showChat: (id: string) => Promise<PlanPage | undefined>;
}

/** The page with the chat of a plan. */
export interface PlanPage {
  readonly chat: ShownChat;
  insert(text: string, chat: string): void;
}

export interface PlanDocuments extends Disposable {
  /** Opens the plan in an editor. */
  open(address: PlanAddress, title: string): Promise<void>;
  /** Has the model carry out the plan. */
  start(address: PlanAddress, title: string): Promise<void>;
}

export function createPlanDocuments(options: PlanDocumentOptions): PlanDocuments {
  const { dialogs, clock } = options;
  const store = new DisposableStore();
  const edits = new Map<string, AbortController>();
  const keep = async (document: vscode.TextDocument, signal: AbortSignal): Promise<void> => {
    await clock.delay(storeDelay, signal);
    if (document.isDirty && !document.isClosed) await document.save();
  };
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const key = document.uri.toString();
      if (document.uri.scheme !== planScheme || !document.isDirty) return;
      edits.get(key)?.abort();
      const edit = new AbortController();
      edits.set(key, edit);
      keep(document, edit.signal).catch(() => undefined);
    }),
  );
  store.add({
    dispose: () => {
      for (const edit of edits.values()) edit.abort();
    },
  });
  const following = new SerialQueue();
  const follow = (): void =>
    void following
      .run(() => followAll(options.files))
      .catch((error: unknown) => {
        options.log.warn("The document of a plan could not follow it.", { message: String(error) });
      });
  store.add(options.files.onDidChange(follow));
  store.add(vscode.languages.registerCodeLensProvider({ scheme: planScheme }, { provideCodeLenses: lensesOf }));
  const withPlan = async (uri: unknown, work: (plan: OpenPlan) => Promise<void>): Promise<void> => {
    const plan = await openPlan(uri);
    if (plan === undefined) void notifyInformation(t("No plan is open in an editor."));
    else await work(plan);
  };
  store.add(dialogs.register(commands.startPlan, (uri) => withPlan(uri, (plan) => startPlan(options, plan))));
  store.add(
    dialogs.register(commands.startPlanStep, (uri, line) =>
      withPlan(uri, (plan) => startStep(options, plan, typeof line === "string" ? Number(line) : undefined)),
    ),
  );
  store.add(
    dialogs.register(commands.commentPlan, (uri, line) =>
      withPlan(uri, (plan) => commentOn(options, plan, typeof line === "string" ? Number(line) : undefined)),
    ),
  );
  return {
    async open(address, title) {
      const document = await vscode.workspace.openTextDocument(planUri(address, title));
      await vscode.window.showTextDocument(document, { preview: false });
    },
    async start(address, title) {
      const document = await vscode.workspace.openTextDocument(planUri(address, title));
      await startPlan(options, { document, address });
    },
    dispose: () => store.dispose(),
  };
}

/**
 * Writes the changed steps into the open documents, line by line, so that the cursor stays and *Undo* takes it back. The document is stored like an
 * edit of the person: VS Code then never finds it changed behind its back, which it would ask about.
 */
async function followAll(files: PlanFiles): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme !== planScheme) continue;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const followed = files.follow(document);
      if (followed === undefined) break;
      const edit = new vscode.WorkspaceEdit();
      for (const { range, lines } of changedLines(document, followed.text))
        addReplacement(edit, document.uri, range, lines);
      // VS Code refuses the edit where the person has typed meanwhile.
      if (await vscode.workspace.applyEdit(edit)) followed.accept();
    }
  }
}

function changedLines(
  document: vscode.TextDocument,
  text: string,
): readonly { readonly range: vscode.Range; readonly lines: string }[] {
  const [before, now] = [linesWithEnds(document.getText()), linesWithEnds(text)];
  const changes = lineReplacements(before, now) ?? [{ start: 0, end: before.length, nowStart: 0, nowEnd: now.length }];
  const offsetOf = (line: number): number => before.slice(0, line).join("").length;
  return changes.map(({ start, end, nowStart, nowEnd }) => ({
    range: new vscode.Range(document.positionAt(offsetOf(start)), document.positionAt(offsetOf(end))),
    lines: now.slice(nowStart, nowEnd).join(""),
  }));
}

interface OpenPlan {
  readonly document: vscode.TextDocument;
  readonly address: PlanAddress;
}

/** The plan of the argument, or else the one in the active editor. */
async function openPlan(given: unknown): Promise<OpenPlan | undefined> {
  const uri =
    given instanceof vscode.Uri
      ? given
      : typeof given === "string"
        ? vscode.Uri.parse(given)
        : vscode.window.activeTextEditor?.document.uri;
  const address = uri && planAddress(uri);
  if (uri === undefined || address === undefined) return undefined;
  return { document: await vscode.workspace.openTextDocument(uri), address };
}

/** What is checked off is not offered to be started: a step as soon as it is, the plan once each step is. */
function lensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
  const uri = document.uri.toString();
  const steps = documentSteps(document.getText());
  const isDone = steps.length > 0 && steps.every(({ isChecked }) => isChecked === true);
  return [
    ...(isDone ? [] : [createLens(0, t("Start"), commands.startPlan, [uri])]),
    createLens(0, t("Comment…"), commands.commentPlan, [uri]),
    ...steps.flatMap(({ first, isChecked }) => [
      ...(isChecked === true
        ? []
        : [createLens(first, t("Start This Step"), commands.startPlanStep, [uri, String(first)])]),
      createLens(first, t("Comment…"), commands.commentPlan, [uri, String(first)]),
    ]),
  ];
}

async function startPlan(options: PlanDocumentOptions, plan: OpenPlan): Promise<void> {
  const text = plan.document.getText().trim();
  await send(options, plan, `${t("Carry out this plan:")}\n\n${text}`, true);
}

async function startStep(options: PlanDocumentOptions, plan: OpenPlan, line: number | undefined): Promise<void> {
  const at = line ?? vscode.window.activeTextEditor?.selection.active.line ?? 0;
  const step = documentSteps(plan.document.getText()).find(({ first, last }) => first <= at && at <= last);
  if (step === undefined) {
    void notifyInformation(t("There is no numbered step on this line of the plan."));
    return;
  }
  await send(options, plan, `${t("Carry out this step of the plan, and no other one:")}\n\n${step.text}`, false);
}

/** Sends the prompt, with which the chat changes to Agent mode. A running turn keeps its mode to its end. `isWhole`: with the whole document. */
async function send(
  options: PlanDocumentOptions,
  { document, address }: OpenPlan,
  text: string,
  isWhole: boolean,
): Promise<void> {
  const page = await options.showChat(address.chat);
  const known = await options.files.find(document.uri);
  if (page === undefined || known === undefined) {
    void notifyWarning(t("The chat of this plan is gone."));
    return;
  }
  const { chat } = page;
  // Writes the document's current text into the chat, even if it is not saved, so that the model gets what the person reads.
  if (!(await chat.session.current.writePlan(address, document.getText(), isWhole))) {
    void notifyWarning(t("Another window writes this chat: start the plan there."));
    return;
  }
  if (known.untrusted !== undefined) chat.quote(text, known.untrusted);
  void chat.submit(chat.stored.id, text, [], { mode: "agent" });
}

/** Quotes the selection, or else the step of that line, in the composer, with the person's comment below. */
async function commentOn(
  options: PlanDocumentOptions,
  { document, address }: OpenPlan,
  line: number | undefined,
): Promise<void> {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const selected = editor === undefined ? "" : document.getText(editor.selection).trim();
  const step = documentSteps(document.getText()).find(({ first }) => first === line);
  const about = selected === "" ? (step?.text ?? "") : selected;
  const comment = await askText({
    title: t("Comment on the Plan"),
    prompt: t("It is put into the message box of the chat; the model revises the plan when you send it."),
    value: "",
    longest: longestComment,
  });
  if (comment === undefined || comment.trim() === "") return;
  await document.save();
  const page = await options.showChat(address.chat);
  if (page === undefined) {
    void notifyWarning(t("The chat of this plan is gone."));
    return;
  }
  await turnToPlan(page.chat);
  const known = await options.files.find(document.uri);
  const quoted = about === "" ? "" : about.replaceAll(/^/gm, "> ");
  if (known?.untrusted !== undefined && quoted !== "") page.chat.quote(quoted, known.untrusted);
  page.insert(`${quoted === "" ? "" : `${quoted}\n\n`}${comment.trim()}\n\n`, address.chat);
}

/** Chooses Plan mode. A running turn keeps its mode, because it may be the one that carries out the plan. */
async function turnToPlan({ session }: ShownChat): Promise<void> {
  const { current } = session;
  if (modeOf(current.chat) === "plan") return;
  if (current.isRunning)
    void notifyInformation(t("An answer is running in this chat. Choose Plan before you send the comment."));
  else if (!(await current.setMode("plan"))) void notifyWarning(whyNotChosen());
}

/** Identifies a plan by its chat, its answer and its call. */
export interface PlanAddress extends PlanPlace {
  readonly chat: string;
}

/** The file name is made from the title, because VS Code shows it as the name of the tab. */
function planUri({ chat, answer, call }: PlanAddress, title: string): vscode.Uri {
  const name = title
    .replaceAll(/[\p{C}\\/:*?"<>|]+/gu, " ")
    .trim()
    .slice(0, 60)
    .toWellFormed();
  const query = new URLSearchParams({ chat, answer, call }).toString();
  return vscode.Uri.from({ scheme: planScheme, path: `/${name === "" ? "plan" : name}.md`, query });
}

/** `undefined` for an address that belongs to no plan. */
function planAddress({ scheme, query }: vscode.Uri): PlanAddress | undefined {
  if (scheme !== planScheme) return undefined;
  const given = new URLSearchParams(query);
  const [chat = "", answer = "", call = ""] = ["chat", "answer", "call"].map((name) => given.get(name) ?? "");
  return isSessionId(chat) && answer !== "" && call !== "" ? { chat, answer, call } : undefined;
}

export class PlanFiles implements PlanFileSystem {
  readonly #chats: ChatSessions;
  /** The time of the last write in this window, by the query of the URI. */
  readonly #times = new Map<string, number>();
  /** The steps of the plan that the editor's text has, by the query of the URI. */
  readonly #steps = new Map<string, readonly PlanStep[]>();
  /** Fires when steps of a plan may have changed. */
  readonly onDidChange: Event<void>;

  constructor(chats: ChatSessions) {
    this.#chats = chats;
    this.onDidChange = chats.onDidChange;
  }

  /** `undefined` where the chat or the plan is gone. */
  async find(uri: vscode.Uri): Promise<FoundPlan | undefined> {
    const address = planAddress(uri);
    if (address === undefined) return undefined;
    try {
      return await this.#chats.use(address.chat, ({ session: { chat } }) => {
        const found = findPlanDocument(chat, address);
        return Promise.resolve(found && { ...found, ...definedFields({ steps: stepsOfPlace(chat, address) }) });
      });
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text } = await this.#read(uri);
    const mtime = this.#times.get(uri.query) ?? 1;
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { text, steps } = await this.#read(uri);
    this.#setSteps(uri, steps);
    return Buffer.from(text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = planAddress(uri);
    const text = Buffer.from(content).toString();
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    if (text.length > planDocumentCap) throw new vscode.FileSystemError(t("The plan is too long to be stored."));
    await this.#read(uri);
    const isWritten = await this.#chats.use(address.chat, async ({ session }) => {
      const steps = stepsOfPlace(session.chat, address);
      // The text of an editor that does not follow yet lacks what the model has just checked off: the person has not unchecked it.
      const whole = steps === undefined ? text : this.#followed(uri, text, steps);
      const isStored = await session.writePlan(address, whole);
      if (isStored && whole === text) this.#setSteps(uri, stepsOfPlace(session.chat, address));
      return isStored;
    });
    if (!isWritten)
      throw vscode.FileSystemError.NoPermissions(t("Another window writes this chat: the plan can be edited there."));
    this.#times.set(uri.query, Date.now());
  }

  /** The text that an open document is to have, because the steps of the plan have changed; `accept` is called once it has it. */
  follow(document: vscode.TextDocument): FollowedText | undefined {
    const { uri } = document;
    const address = planAddress(uri);
    const stored = address && this.#chats.open.get(address.chat);
    // Where another window writes the chat, its document can't be stored from here.
    if (address === undefined || stored?.access.current.state !== "writing") return undefined;
    const steps = stepsOfPlace(stored.session.chat, address);
    if (steps === undefined || this.#steps.get(uri.query) === steps) return undefined;
    const text = document.getText();
    const now = this.#followed(uri, text, steps);
    const accept = (): void => this.#setSteps(uri, steps);
    if (now !== text) return { text: now, accept };
    accept();
    return undefined;
  }

  /** The steps of a text are not known where its document was opened before the start of the plan, or kept by VS Code over a reload. */
  #followed({ query }: vscode.Uri, text: string, steps: readonly PlanStep[]): string {
    const before = this.#steps.get(query);
    return before === undefined ? joinSteps(text, steps) : followSteps(text, before, steps);
  }

  #setSteps({ query }: vscode.Uri, steps: readonly PlanStep[] | undefined): void {
    if (steps === undefined) this.#steps.delete(query);
    else this.#steps.set(query, steps);
  }

  async #read(uri: vscode.Uri): Promise<FoundPlan> {
    const found = await this.find(uri);
    if (found === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }
}

interface FollowedText {
  readonly text: string;
  readonly accept: () => void;
}

/** `steps`: those of the plan, where the document is started. */
interface FoundPlan extends PlanText {
  readonly steps?: readonly PlanStep[];
}
