/** Asks for the alt text of a picture. Proposes the prompt or, only after a click, the sentence in which the chat's model describes the picture. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { imageSizeCap } from "../../../domain/chat/imageTypes";
import { isAbort } from "../../../base/async/abort";
import { toAppError } from "../../../domain/errors/appError";
import type { Connections, Log, Model } from "../../../domain/ports";
import { mediaKindOf } from "../../../domain/task/taskTypes";
import { describeError } from "../../../domain/words/describeError";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import { streamText } from "../../../gateway/textRequest";
import { createTextBox, type ShownTextBox } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import { altRequest, hasSight, sentenceIn } from "../../results/altText";
import { cutAlt, markupOf } from "../../results/reference";

export interface AltOptions {
  readonly connections: Pick<Connections, "ready">;
  readonly models: Pick<ModelCatalog, "chatModel">;
  readonly log: Log;
}

export interface DescribedPicture {
  readonly file: vscode.Uri;
  /** The prompt that the picture was made from; empty where it is not known. */
  readonly prompt: string;
  /** The person has already asked for a description, so the request is sent at once. */
  readonly isAskedFor?: boolean;
}

/** Whether a reference to that file in that document has an alt text: neither a video nor a plain path has one. */
export function hasAlt(document: Pick<vscode.TextDocument, "languageId">, file: vscode.Uri): boolean {
  return markupOf(document.languageId) !== undefined && mediaKindOf(file.path) === "image";
}

/** Resolves with the text, which may be empty, for a picture that only decorates; `undefined` when the person leaves. */
export function askForAlt(options: AltOptions, picture: DescribedPicture): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const question = new AltQuestion(options, picture, resolve);
  return promise.finally(() => question.close());
}

/** Characters of the note below the text box. */
const maxNote = 300;

class AltQuestion {
  readonly #options: AltOptions;
  readonly #picture: DescribedPicture;
  readonly #box: ShownTextBox = createTextBox();
  readonly #closing = new AbortController();
  /** A request is on its way. */
  #isLooking = false;

  constructor(options: AltOptions, picture: DescribedPicture, resolve: (alt: string | undefined) => void) {
    this.#options = options;
    this.#picture = picture;
    const box = this.#box;
    const prompt = cutAlt(picture.prompt);
    box.title = shownLine(t("Alt Text"));
    box.placeholder = shownLine(t("What the picture shows; empty if it only decorates"));
    box.value = picture.isAskedFor === true ? "" : prompt;
    this.#say(origin(prompt));
    box.onDidTriggerButton(() => void this.#look());
    box.onDidAccept(() => {
      if (!this.#isLooking) resolve(box.value);
    });
    box.onDidHide(() => resolve(undefined));
    box.show();
    void (picture.isAskedFor === true ? this.#look() : this.#offerSight());
  }

  /** Also aborts the request. */
  close(): void {
    this.#closing.abort();
    this.#box.dispose();
  }

  /** This may read the list of models, and sends no other request to the gateway. */
  async #offerSight(): Promise<void> {
    const model = await this.#options.models.chatModel().catch(() => undefined);
    if (this.#closing.signal.aborted) return;
    if (model === undefined || !hasSight(model)) {
      this.#say(origin(cutAlt(this.#picture.prompt)), whyBlind(model));
      return;
    }
    const tooltip = shownLine(t("Have {0} describe the picture", model.id));
    this.#box.buttons = [{ iconPath: new vscode.ThemeIcon("eye"), tooltip }];
  }

  /** Text that the person types meanwhile is kept. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    const box = this.#box;
    const before = box.value;
    this.#isLooking = box.busy = true;
    this.#say(t("Looking at the picture…"));
    try {
      const sentence = await this.#describe();
      if (sentence !== undefined && box.value === before) box.value = sentence;
    } catch (failure) {
      if (isAbort(failure)) return;
      const { title, meaning } = describeError(toAppError(failure), "chat");
      this.#offerPrompt(before, `${title} ${meaning}`);
    } finally {
      this.#isLooking = box.busy = false;
    }
  }

  /** Sends one small paid request. Resolves with `undefined` where there is nothing to send or no sentence came; the box then says why. */
  async #describe(): Promise<string | undefined> {
    const { connections, models, log } = this.#options;
    const { file, prompt } = this.#picture;
    const { signal } = this.#closing;
    const before = this.#box.value;
    const { size } = await vscode.workspace.fs.stat(file);
    // A larger file is not read; empty bytes are then refused as no picture.
    const bytes = size > imageSizeCap ? new Uint8Array() : await vscode.workspace.fs.readFile(file);
    const { gateway } = await connections.ready(signal);
    const model = await models.chatModel();
    signal.throwIfAborted();
    const request =
      model && hasSight(model) ? altRequest(model, bytes, { prompt, language: vscode.env.language }) : undefined;
    if (model === undefined || request === undefined) {
      const isBlind = model === undefined || !hasSight(model);
      this.#offerPrompt(
        before,
        isBlind ? whyBlind(model) : t("A picture of this type or size can't be sent to a model."),
      );
      return undefined;
    }
    const { text, tokens } = await streamText(gateway, request, signal);
    log.info("A picture was described.", { model: model.id, ...tokens });
    const sentence = sentenceIn(text);
    if (sentence === "") this.#offerPrompt(before, t("{0} wrote no description.", model.id));
    else {
      const [taken, written] = [tokens.input, tokens.output].map((count) => count.toLocaleString(vscode.env.language));
      this.#say(t("{0} looked at the picture: {1} tokens in, {2} out", model.id, taken ?? "", written ?? ""));
    }
    return sentence || undefined;
  }

  /** Proposes the prompt instead, and says why no model has described the picture. */
  #offerPrompt(before: string, why: string): void {
    const prompt = cutAlt(this.#picture.prompt);
    if (before === "" && this.#box.value === "") this.#box.value = prompt;
    this.#say(origin(this.#box.value === prompt ? prompt : ""), why);
  }

  #say(...sentences: readonly string[]): void {
    this.#box.prompt = shownLine(sentences.filter((one) => one !== "").join(" "), maxNote);
  }
}

function origin(prompt: string): string {
  return prompt === "" ? "" : t("This is the prompt, not what can be seen.");
}

function whyBlind(model: Model | undefined): string {
  return model === undefined ? t("No model is chosen in the chat.") : t("{0} can't look at pictures.", model.id);
}
