/** The form for media in the host, one a window: keeps its fields and pictures, answers its page, and submits as the steps of the pick do (T15). */
import { isDeepStrictEqual } from "node:util";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { maxReferenceBytes } from "../../../domain/environment";
import { definedFields } from "../../../base/definedFields";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { Emitter } from "../../../base/event";
import { imagePixelCap } from "../../../domain/chat/imageTypes";
import { AppFailure, toAppError } from "../../../domain/errors/appError";
import { pictureEndings } from "../../../domain/media/pictureTypes";
import type { Connection, Connections, ReadyConnection } from "../../../domain/ports";
import type { ExactSize } from "../../../domain/task/exactFiles";
import { sizeToAskFor } from "../../../domain/task/exactFiles";
import { type MediaKind, mediaOf, taskTypeFacts, typeThatMakes, withoutEnding } from "../../../domain/task/taskTypes";
import {
  emptyMediaFields,
  exactOf,
  type ExactPlaces,
  type MediaFields,
  typedPathOf,
  problemsOf,
} from "../../../domain/task/mediaFields";
import { nameFromPrompt } from "../../../domain/task/destination";
import { homeMark, otherHomeError } from "../../../domain/task/sameHome";
import { type TaskIntent, type TaskType, taskTypes } from "../../../domain/task/task";
import { describeError, type ErrorDescription } from "../../../domain/words/describeError";
import { cutLabel } from "../../../domain/words/label";
import type { MediaFormIntent, MediaFormSnapshot, MediaModelChoice } from "../../contract/mediaFormPageContract";
import type { Handlers } from "../../../base/pageContract";
import { imageReference, addressReference, type Reference } from "../../submit/references";
import { actionsOf } from "../../view/taskActions";
import { createTimes } from "../../../domain/words/timeFormats";
import { commands, internalCommands } from "../../../vscode/ids";
import { askForFiles } from "../../../vscode/interface/fileDialogs";
import { runCommand, runForTask } from "../../../vscode/interface/runCommand";
import { notifyInformation } from "../../../vscode/interface/show";
import type { FormContent, FormMemory, KeptReference } from "./draftMemory";
import {
  type CarriedOver,
  draftOfFields,
  type DraftDestination,
  emptyDraft,
  fieldsOfDraft,
  type TaskDraft,
  withCarried,
  withoutCarried,
} from "./taskDraft";
import {
  askForKnownType,
  carriedWords,
  gatewayView,
  lastChoicesOf,
  modelChoices,
  openPlace,
  priceWords,
  problemOf,
  rootName,
  sameTask,
  type ShownProblem,
  submittedView,
  typeChoices,
} from "./mediaFormView";
import { draftOfTask, reservedFiles } from "./taskOrders";
import { describeImageReference, describeReferenceProblem } from "../../view/requestWords";
import { freePath, openFolder, resultsFolder, rootOf } from "./destinationStep";
import type { PictureOrigin } from "./pictureOrigin";
import { readReference, askForResult } from "./referenceSteps";
import { makeReal, retryOutcomes, submitConfirmed } from "./submitDraft";
import type { SubmitOptions } from "./submitOptions";

export interface MediaFormOptions extends SubmitOptions {
  readonly connections: Pick<Connections, "current">;
  readonly formMemory: FormMemory;
  readonly saveResult: (id: string) => Promise<string>;
  /** Resolves when a button that has submitted may be pressed again: later than the second click of a double click. */
  readonly pause: () => Promise<void>;
}

/** Characters of a picture's prompt that the form shows before it is used. */
const maxShownPrompt = 120;
/** Models that are sent to the page. */
const maxListed = 300;
const maxRefusals = 5;
/** Reference images of one form, and their characters as data URLs: each task of a submission has all of them in its body. */
const maxReferences = 16;
const maxReferenceText = 64 * 1024 * 1024;
/** Drafts that can be brought back: each keeps its pictures in memory. */
const maxEarlier = 5;

/** Values with which a document or a chat fills in the form. */
export interface FormPrefill {
  /** The type that was chosen last is taken where this is left out. */
  readonly media?: MediaKind;
  readonly fields: Partial<Omit<MediaFields, "type" | "model">>;
  /** The size of the wanted file. */
  readonly pixels?: ExactSize;
}

interface Submitted {
  readonly intents: readonly TaskIntent[];
  /** What was submitted. The line about these tasks goes once the form has other contents. */
  readonly content: FormContent;
  readonly at: number;
  /** Set where the tasks are a chat's: those that are made real of them become the chat's too. */
  readonly onWritten: TaskDraft["onWritten"];
}

export class MediaForm implements Disposable {
  readonly #options: MediaFormOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  #content: FormContent;
  /** The refusals since the last submission, removal or choice of references. They are collected, because the files of a drop are read one by one. */
  #refusals: readonly string[] = [];
  /** Changes when the contents are replaced: pictures that are still being read belong to the former ones. */
  #version = 1;
  /** Counts the times that fields were filled in without a new `#version`. The page takes over the fields when either changes. */
  #fills = 0;
  #attempt = 0;
  #isSubmitting = false;
  #sends: MediaFormSnapshot["sends"];
  /** Resolves when the pictures that are being added are in the form. */
  #adding: Promise<void> = Promise.resolve();
  #submitted: Submitted | undefined;
  #problem: ErrorDescription | undefined;
  /** The contents that were cleared, kept until the form has a prompt or a reference again. */
  #cleared: FormContent | undefined;
  /** Contents that the form had and no other place has, the one to bring back next first. */
  #earlier: readonly FormContent[] = [];
  /** What the form was last filled in with from elsewhere: as long as it has just this, nothing of a person's is in it. */
  #filled: FormContent | undefined;
  /** Called with the next submission: the chat whose prompt these contents are gets its tasks. */
  #onWritten: TaskDraft["onWritten"];
  /** The origin of the last added picture that has one. */
  #origin: PictureOrigin | undefined;
  /** The task that the form is to be filled in from, while its request is read. */
  #wanted: string | undefined;
  #page: { readonly isShown: boolean } | undefined;

  private constructor(options: MediaFormOptions, content: FormContent) {
    const { dialogs } = options;
    // The visible form shows the same error itself, next to the submission.
    const showError: typeof dialogs.showError = (...given) =>
      this.#page?.isShown === true ? Promise.resolve() : dialogs.showError(...given);
    this.#options = { ...options, dialogs: { ...dialogs, showError } };
    this.#content = content;
    const changed = (): void => this.#changed.fire();
    this.#store.add(options.connections.current.onDidChange(changed));
    this.#store.add(options.models.models.onDidChange(changed));
    this.#store.add(options.board.onDidChange(changed));
  }

  static async open(options: MediaFormOptions): Promise<MediaForm> {
    const { fields, references, lost, isCarriedLost, carried } = await options.formMemory.read();
    const last = lastChoicesOf(options, readyOf(options.connections.current.current));
    const content = { fields: fields ?? emptyMediaFields(last.type ?? taskTypes[0] ?? "video"), references, carried };
    const form = new MediaForm(options, content);
    const isLost = isCarriedLost === true ? [t("What the form sent of the former task can't be read any more.")] : [];
    form.#refusals = [...lost.map(cantBeRead), ...isLost];
    return form;
  }

  /** The folder of the pictures on this machine. */
  get folder(): vscode.Uri {
    return vscode.Uri.file(this.#options.formMemory.folder);
  }

  readonly handlers: Handlers<MediaFormIntent> = {
    "fields-change": ({ fields }) => this.#change({ fields }),
    "tasks-submit": ({ fields, attempt, target, isRehearsal }) =>
      void this.submit(fields, attempt, target, isRehearsal),
    "picture-add": ({ name, data }) => void this.#add([() => this.#readPicture(name, data)]),
    "pictures-refuse": ({ names, why }) =>
      this.#refuse(names.map((name) => describeReferenceProblem(name, why, maxReferenceBytes))),
    "references-add": ({ uris }) => void this.#add(uris.map((uri) => () => this.#readUri(uri))),
    "references-choose": ({ from }) => {
      this.#refusals = [];
      void (from === "files" ? this.#chooseFiles() : this.#chooseResult());
    },
    "reference-remove": ({ id }) => {
      this.#refusals = [];
      this.#origin = undefined;
      this.#change({ references: this.#content.references.filter((one) => one.id !== id) });
    },
    "carried-remove": () => {
      const { carried } = this.#content;
      if (!this.#isSubmitting && carried !== undefined) this.#change({ carried: withoutCarried(carried) });
    },
    "form-clear": () => {
      // During a submission the pictures belong to it. A second press would replace the kept contents by an empty form.
      if (this.#isSubmitting || this.#cleared !== undefined) return;
      const { fields } = this.#content;
      const cleared = this.#content;
      this.#replace({ fields: emptyMediaFields(fields.type, fields.model), references: [] });
      this.#cleared = cleared;
      this.#changed.fire();
    },
    "form-restore": () => !this.#isSubmitting && this.#cleared && this.#replace(this.#cleared),
    "earlier-restore": () => {
      const [next, ...others] = this.#earlier;
      if (this.#isSubmitting || next === undefined) return;
      // What is left goes to the end, so that pressing on comes back to it.
      this.#earlier = isEmpty(this.#content) ? others : [...others, this.#content];
      this.#replace(next);
    },
    "origin-use": () => this.#useOrigin(),
    "gateway-choose": () => void runCommand(commands.chooseGateway),
    "problem-act": ({ index }) => {
      const { board, dialogs } = this.#options;
      const { buttons = [], sendAgain = [] } = this.#shownProblem ?? {};
      const button = buttons[index];
      if (button) dialogs.act(button.id, () => void retryOutcomes(this.#options, board.see(...sendAgain)));
    },
    "submitted-make-real": () => void this.#makeReal(),
    "submitted-open": () => {
      const [first] = this.#submitted?.intents ?? [];
      if (first) void runForTask(first.batch === undefined ? commands.openTask : internalCommands.openBatch, first.id);
    },
  };

  /**
   * Fills the form in anew, from a document or a task. Its former contents are kept, and can be brought back. The type is the one that was chosen
   * last for that kind of media, the size one that the model lists.
   */
  prefill({ media, fields, pixels }: FormPrefill, references: readonly vscode.Uri[] = []): void {
    if (this.#refuseWhileSubmitting()) return;
    const { models } = this.#options.models;
    const last = lastChoicesOf(this.#options, readyOf(this.#options.connections.current.current));
    const makes = (type: TaskType | undefined): type is TaskType =>
      type !== undefined && (media === undefined || mediaOf(type) === media);
    const plain = media && typeThatMakes(media);
    const isListed = (type: TaskType): boolean =>
      models.current.list.some(({ taskTypes: made }) => made?.includes(type));
    const type =
      [last.type, this.#content.fields.type].find(makes) ??
      // The plain type is tried before one with a style.
      [plain, ...taskTypes].find((one) => makes(one) && isListed(one)) ??
      plain ??
      this.#content.fields.type;
    const model =
      last.models[type]?.[0] ?? models.current.list.find(({ taskTypes: made }) => made?.includes(type))?.id ?? "";
    const sizes =
      models.current.list.find(({ id }) => id === model)?.taskOptions?.sizes ?? taskTypeFacts(type).options.sizes;
    const size = (pixels && sizeToAskFor(pixels, sizes)) ?? "";
    const content = { fields: { ...emptyMediaFields(type, model), size, ...fields }, references: [] };
    this.#fillAnew(content);
    void this.#add(
      references.map((file) => () => this.#readFile(file)),
      true,
    );
  }

  /**
   * Fills the form in anew with the prompt of a chat; an empty one leaves the contents as they are. `onWritten` is called with the tasks of the next
   * submission, once all of them are on disk, unless the page is closed or filled in anew before it is submitted.
   */
  fillFromChat(prompt: string, onWritten: NonNullable<TaskDraft["onWritten"]>): void {
    if (this.#refuseWhileSubmitting()) return;
    if (prompt !== "") this.prefill({ fields: { prompt } });
    this.#onWritten = onWritten;
  }

  /**
   * Fills the form in anew with everything of a task. Its former contents are kept, and can be brought back. A message says where it is not filled in.
   * Of several requests the last one counts, because the request of a task is read from the disk. Resolves with false where there is nothing to show:
   * the task is gone, or the person has left the question for its type.
   */
  async fillFromTask(id: string): Promise<boolean> {
    if (this.#refuseWhileSubmitting()) return true;
    this.#wanted = id;
    const draft = await draftOfTask(this.#options, id);
    const type = draft === undefined ? undefined : (draft.type ?? (await this.#askForTypeLike(id)));
    if (this.#wanted !== id) return true;
    this.#wanted = undefined;
    if (draft === undefined) void notifyInformation(t("This task is no longer on the list."));
    if (draft === undefined || type === undefined) return false;
    // Submit may have been pressed while the task was read. What is paid for then is what the form showed.
    if (this.#refuseWhileSubmitting()) return true;
    const { fields, carried } = fieldsOfDraft({ ...draft, type }, rootOf(emptyDraft)?.toString());
    this.#fillAnew({ fields, references: [], carried });
    await this.#add(
      draft.references.map((reference) => () => Promise.resolve(reference)),
      true,
    );
    return true;
  }

  #askForTypeLike(id: string): Promise<TaskType | undefined> {
    const { board, connections } = this.#options;
    const { type = "" } = board.all.get(id)?.intent ?? {};
    return askForKnownType(this.#options, type, readyOf(connections.current.current));
  }

  /** Whether a submission is under way, whose contents nothing may replace. A message says so. */
  #refuseWhileSubmitting(): boolean {
    if (this.#isSubmitting)
      void notifyInformation(t("The form was not filled in: it is being submitted. Try again in a moment."));
    return this.#isSubmitting;
  }

  /** The results of these tasks become references. */
  async addResults(ids: readonly string[]): Promise<void> {
    const { board, saveResult } = this.#options;
    const pictures = ids.filter((id) => {
      const task = board.all.get(id);
      return task !== undefined && actionsOf(task).includes("use-as-reference");
    });
    await this.#add(
      pictures.map((id) => async () => {
        const path = await saveResult(id).catch(() => undefined);
        const { prompt = "" } = board.all.get(id)?.intent ?? {};
        return path === undefined ? cantBeRead(cutLabel(prompt)) : this.#readFile(vscode.Uri.file(path));
      }),
    );
  }

  /** These pictures become references. */
  addFiles(files: readonly vscode.Uri[]): void {
    void this.#add(files.map((file) => () => this.#readFile(file)));
  }

  /** Prompt and seed of that picture are put into the fields. */
  async fillFrom(file: vscode.Uri): Promise<void> {
    const [{ originIn }, bytes] = await Promise.all([import("./pictureOrigin"), vscode.workspace.fs.readFile(file)]);
    const origin = originIn(file.path.split("/").at(-1) ?? "", bytes);
    if (origin === undefined) return;
    this.#origin = origin;
    this.#useOrigin();
  }

  /** Submits once for each `attempt` that the page has shown: a second message with the same one submits nothing. */
  async submit(fields: MediaFields, attempt: number, target: string, isRehearsal = false): Promise<void> {
    if (this.#isSubmitting || attempt !== this.#attempt) return;
    this.#attempt += 1;
    this.#isSubmitting = true;
    this.#sends = isRehearsal ? "rehearsal" : undefined;
    this.#problem = undefined;
    this.#submitted = undefined;
    this.#refusals = [];
    this.#change({ fields });
    const pause = this.#options.pause();
    const { references, carried } = this.#content;
    // The page may be closed before the tasks are on disk. They are the chat's all the same.
    const onWritten = this.#onWritten;
    try {
      // Pictures that are still being read belong to this submission. Where one is refused, nothing is submitted and the refusal is shown.
      await this.#adding;
      const isShown = ({ id }: KeptReference): boolean => references.some((reference) => reference.id === id);
      const arrived = this.#content.references.filter((reference) => !isShown(reference));
      const content = { fields, references: [...references, ...arrived], carried };
      const intents = this.#refusals.length > 0 ? undefined : await this.#submit(content, target, isRehearsal);
      if (intents) {
        onWritten?.(intents);
        this.#onWritten = undefined;
        this.#submitted = { intents, content, at: this.#options.now(), onWritten };
        this.#changed.fire();
      }
    } catch (failure) {
      if (!(failure instanceof AppFailure)) void this.#options.dialogs.showFailure(failure, "submit");
      this.#problem = describeError(toAppError(failure), "submit");
    }
    await pause;
    this.#isSubmitting = false;
    this.#changed.fire();
  }

  view(urlOf: (file: vscode.Uri) => string): MediaFormSnapshot {
    const { connections } = this.#options;
    const { fields, references } = this.#content;
    const connection = connections.current.current;
    const ready = readyOf(connection);
    const problem = this.#shownProblem;
    const submitted = this.#shownSubmitted();
    const shown = references.map((reference) => ({
      id: reference.id,
      words: describeImageReference(reference),
      ...(mayShow(reference) ? { url: urlOf(vscode.Uri.joinPath(this.folder, reference.id)) } : {}),
    }));
    return {
      version: this.#version + this.#fills,
      fields,
      references: shown,
      refusals: this.#refusals,
      referenceLimit: maxReferenceBytes,
      gateway: gatewayView(connection),
      types: typeChoices(this.#options, ready),
      models: this.#models(),
      attempt: this.#attempt,
      isSubmitting: this.#isSubmitting,
      ...(this.#isSubmitting ? definedFields({ sends: this.#sends }) : {}),
      canRestore: this.#cleared !== undefined,
      ...definedFields({
        origin: this.#shownOrigin(),
        folder: rootOf(emptyDraft) && resultsFolder(),
        hasEarlier: this.#earlier.length === 0 ? undefined : (true as const),
        price: ready && priceWords(this.#options, this.#content, ready.home),
        carried: carriedWords(this.#content),
        sameAt: ready && this.#sameAt(ready),
        rootName: rootName(),
        submitted,
        problem: problem && { text: problem.text, actions: problem.buttons.map(({ label }) => label) },
      }),
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The problem to show: why nothing can be or was submitted, or what the gateway has not accepted of it since. */
  get #shownProblem(): ShownProblem | undefined {
    const { board, connections } = this.#options;
    return problemOf(connections.current.current, board, this.#problem, this.#submitted?.intents ?? []);
  }

  /** Attaches the page that shows the form from now on. */
  attach(page: { readonly isShown: boolean }): Disposable {
    this.#page = page;
    return {
      dispose: () => {
        if (this.#page !== page) return;
        this.#page = undefined;
        this.#onWritten = undefined;
      },
    };
  }

  /** `content` is as the page showed it when Submit was pressed: that of the form may be edited while its pictures are read or a gateway starts. */
  async #submit(
    { fields, references, carried }: FormContent,
    target: string,
    isRehearsal: boolean,
  ): Promise<readonly TaskIntent[] | undefined> {
    const options = this.#options;
    const limit = options.models.models.current.list.find(({ id }) => id === fields.model.trim())?.taskOptions;
    if (Object.keys(problemsOf(fields, limit?.promptLimit)).length > 0) return undefined;
    const connection = await options.ready();
    // The person has agreed to the gateway and account that the page showed.
    if (homeMark(connection.home) !== target) throw new AppFailure(otherHomeError);
    const draft = withCarried(draftOfFields(fields, references, await this.#placeOf(fields, carried)), carried);
    return submitConfirmed(options, isRehearsal ? { ...draft, isRehearsal } : draft, connection);
  }

  async #makeReal(): Promise<void> {
    const { board, now } = this.#options;
    const { intents: rehearsed = [], content, onWritten } = this.#submitted ?? {};
    const rehearsals = rehearsed.flatMap(({ id }) => board.all.get(id) ?? []);
    if (this.#isSubmitting || content === undefined || rehearsals.length === 0) return;
    this.#isSubmitting = true;
    this.#sends = "real";
    this.#problem = undefined;
    this.#changed.fire();
    const intents = await makeReal(this.#options, rehearsals, onWritten);
    if (intents !== undefined) this.#submitted = { intents, content, at: now(), onWritten };
    this.#isSubmitting = false;
    this.#changed.fire();
  }

  async #placeOf(fields: MediaFields, carried: CarriedOver | undefined): Promise<DraftDestination | undefined> {
    const { isPlaced, destination, prompt } = fields;
    const exact = exactOf(fields);
    if (exact) return exactPlace(exact);
    const isReserved = reservedFiles(this.#options);
    const elsewhere = isPlaced ? undefined : openPlace(carried?.place);
    if (elsewhere) return { ...elsewhere, path: await freePath({ isReserved }, elsewhere.root, elsewhere.path) };
    const root = isPlaced ? rootOf(emptyDraft) : undefined;
    if (!root) return undefined;
    const typed = withoutEnding(typedPathOf(destination));
    const wanted = typed === "" ? `${resultsFolder()}/${nameFromPrompt(prompt)}` : typed;
    return { root, path: await freePath({ isReserved }, root, wanted) };
  }

  #change(change: Partial<FormContent>): void {
    this.#set({ ...this.#content, ...change });
  }

  #set(content: FormContent): void {
    this.#content = content;
    // Only a prompt or a reference counts, because the page fills in a model without a click.
    if (this.#content.fields.prompt !== "" || this.#content.references.length > 0) this.#cleared = undefined;
    this.#options.formMemory.keep(this.#content);
    this.#changed.fire();
  }

  /** Replaces the contents and ends what belongs to the former ones. The page takes over the fields too. */
  #replace(content: FormContent): void {
    this.#version += 1;
    // A press of the button that the page sent before it had these contents was meant for the former ones.
    this.#attempt += 1;
    this.#origin = undefined;
    this.#onWritten = undefined;
    this.#refusals = [];
    this.#submitted = undefined;
    this.#problem = undefined;
    // Nothing is merged: what was carried over from a task belongs to the former contents.
    this.#set(content);
  }

  /** Replaces the contents. The former ones can be brought back, unless they are the new ones or just what the form was last filled in with. */
  #fillAnew(content: FormContent): void {
    const before = this.#content;
    this.#wanted = undefined;
    this.#replace(content);
    const isKnown = [content, this.#filled].some((one) => one && isSameContent(one, before));
    if (!isEmpty(before) && !isKnown) this.#keepEarlier(before);
    this.#filled = content;
    this.#changed.fire();
  }

  #keepEarlier(content: FormContent): void {
    const others = this.#earlier.filter((one) => !isSameContent(one, content));
    this.#earlier = [content, ...others].slice(0, maxEarlier);
  }

  #useOrigin(): void {
    if (this.#origin === undefined || this.#isSubmitting) return;
    const { prompt, seed } = this.#origin;
    const { fields } = this.#content;
    // The pictures stay, so only fields that someone has changed are kept.
    if (fields.prompt.trim() !== "" && !isDeepStrictEqual(fields, this.#filled?.fields))
      this.#keepEarlier(this.#content);
    this.#fills += 1;
    this.#change({ fields: { ...fields, prompt, seed: seed === undefined ? "" : String(seed) } });
    this.#filled = { ...this.#content, references: this.#filled?.references ?? [] };
  }

  /** A line about tasks that are on their way, or were made of what the form has: it would else stand over another draft. */
  #shownSubmitted(): MediaFormSnapshot["submitted"] {
    const { board } = this.#options;
    const view = this.#submitted && submittedView(board, this.#submitted, (at) => this.#timeOf(at));
    if (this.#submitted === undefined || view === undefined) return undefined;
    const isSending = view.isSending || this.#isSubmitting;
    return isSending || isSameContent(this.#submitted.content, this.#content) ? { ...view, isSending } : undefined;
  }

  /** The origin is not offered while its prompt is in the fields already. */
  #shownOrigin(): MediaFormSnapshot["origin"] {
    if (this.#origin === undefined || this.#content.fields.prompt === this.#origin.prompt) return undefined;
    return { ...this.#origin, prompt: cutLabel(this.#origin.prompt, maxShownPrompt) };
  }

  #refuse(sentences: readonly string[]): void {
    this.#refusals = [...new Set([...this.#refusals, ...sentences])].slice(-maxRefusals);
    this.#changed.fire();
  }

  /**
   * Reads pictures one after the other and adds each that is not there yet. A refusal becomes one of `#refusals`. `isFilled`: they belong to what the
   * form is filled in with.
   */
  #add(reads: readonly (() => Promise<Reference | string>)[], isFilled = false): Promise<void> {
    const version = this.#version;
    this.#adding = this.#adding.then(async () => {
      for (const read of reads) {
        const one = this.#tooMany() ?? (await read());
        const kept = typeof one === "string" ? one : await this.#keep(one);
        const { originOf } = await import("./pictureOrigin");
        // The contents of the form were replaced meanwhile.
        if (version !== this.#version) return;
        if (typeof kept === "string") this.#refuse([kept]);
        else if (this.#content.references.every(({ id }) => id !== kept.id)) {
          this.#origin = originOf(kept) ?? this.#origin;
          if (isFilled && this.#filled)
            this.#filled = { ...this.#filled, references: [...this.#filled.references, kept] };
          this.#change({ references: [...this.#content.references, kept] });
        }
      }
    });
    return this.#adding;
  }

  #tooMany(): string | undefined {
    const { references } = this.#content;
    const isFull =
      references.length >= maxReferences ||
      references.reduce((sum, { url }) => sum + url.length, 0) >= maxReferenceText;
    return isFull
      ? t("No more pictures can be added: {0} at most, {1} MB in all.", maxReferences, maxReferenceText / 1024 ** 2)
      : undefined;
  }

  /** The models that the gateway lists first, and the chosen one. */
  #models(): readonly MediaModelChoice[] {
    const all = this.#options.models.models.current.list.flatMap(modelChoices);
    const chosen = this.#content.fields.model.trim();
    return all.filter(({ id }, index) => index < maxListed || id === chosen);
  }

  #keep(reference: Reference): Promise<KeptReference | string> {
    return this.#options.formMemory.keepReference(reference).catch(() => cantBeKept(reference.name));
  }

  #readPicture(name: string, data: string): Promise<Reference | string> {
    const limit = maxReferenceBytes;
    const shown = name === "" ? t("Pasted image") : name;
    const read = imageReference(shown, Buffer.from(data, "base64"), limit);
    return Promise.resolve(typeof read === "string" ? describeReferenceProblem(shown, read, limit) : read);
  }

  #readFile(file: vscode.Uri): Promise<Reference | string> {
    return readReference(file, maxReferenceBytes);
  }

  #readUri(uri: string): Promise<Reference | string> {
    const address = addressReference(uri);
    if (typeof address === "object") return Promise.resolve(address);
    try {
      return this.#readFile(vscode.Uri.parse(uri, true));
    } catch {
      return Promise.resolve(describeReferenceProblem(uri, "bad-url", 0));
    }
  }

  async #chooseFiles(): Promise<void> {
    const files = await askForFiles(t("Reference Images"), t("Images"), pictureEndings("reference"));
    await this.#add(files.map((file) => () => this.#readFile(file)));
  }

  async #chooseResult(): Promise<void> {
    const { board, now } = this.#options;
    const pictures = [...board.all.values()].filter((task) => actionsOf(task).includes("use-as-reference"));
    const id = await askForResult(pictures, now());
    if (id !== undefined) await this.addResults([id]);
  }

  #sameAt(ready: ReadyConnection): string | undefined {
    const same = sameTask(this.#options, this.#content.fields, ready.home);
    const isOwn = this.#submitted?.intents.some(({ id }) => id === same?.id) === true;
    const isShown = isOwn && this.#shownSubmitted() !== undefined;
    return same && !isShown ? this.#timeOf(same.createdAt) : undefined;
  }

  #timeOf(at: number): string {
    return createTimes(vscode.env.language, this.#options.now()).short(at);
  }
}

/** Whether a person would miss nothing of it: the form has a type and a model in any case. */
function isEmpty({ fields, references }: FormContent): boolean {
  return fields.prompt.trim() === "" && references.length === 0;
}

function isSameContent(one: FormContent, other: FormContent): boolean {
  const partsOf = ({ fields, references, carried }: FormContent): unknown => [
    fields,
    references.map(({ id }) => id),
    carried,
  ];
  return isDeepStrictEqual(partsOf(one), partsOf(other));
}

/** `undefined` where its folder is not open any more. */
function exactPlace({ root, files, document }: ExactPlaces): DraftDestination | undefined {
  const folder = openFolder(root);
  const [first] = files;
  if (folder === undefined || first === undefined) return undefined;
  const named = document === undefined ? {} : { document: vscode.Uri.parse(document) };
  return { root: folder, path: first.file, exact: files, ...named };
}

/** A picture of a few bytes can need gigabytes of memory, so its pixels are limited. */
function mayShow({ size }: KeptReference): boolean {
  return size !== undefined && size.width * size.height <= imagePixelCap;
}

function readyOf(connection: Connection): ReadyConnection | undefined {
  return connection.state === "ready" ? connection : undefined;
}

function cantBeRead(name: string): string {
  return t("{0} can't be read.", name);
}

function cantBeKept(name: string): string {
  return t("{0} can't be kept on this machine: look whether its disk is full.", name);
}
