/** The fields of the form for media: label, control, and below it a hint or the validation error; the reference images; and the sentences. */
import { html, type TemplateResult, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { t } from "@vscode/l10n";
import { repeat } from "lit-html/directives/repeat.js";
import { taskOptions } from "../../domain/task/commonOptions";
import type { MediaFieldName, FieldProblem, OptionProblem } from "../../domain/task/mediaFields";
import { icon, firstClick } from "../../webview/pageParts";
import type { DropIntent, MediaFormIntent, MediaFormSnapshot } from "../contract/mediaFormPageContract";
import { base64Of, listenToDrops, pastedImages } from "../../webview/dropTarget";
import { revealName } from "../../webview/hiddenCharacters";
import { taskOptionWords } from "../../domain/words/taskOptionWords";
import { plural, textLanguage } from "../../domain/words/plural";

interface FormField {
  readonly name: MediaFieldName;
  readonly label: string;
  /** The line below the control. A problem takes its place, so that nothing moves. */
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
}

/** The attributes by which a screen reader reads a control out with its line. */
interface ControlAttributes {
  readonly id: string;
  readonly note: string;
  readonly isInvalid: boolean;
}

export function formField(
  { name, label, hint = "", problem }: FormField,
  control: (attributes: ControlAttributes) => TemplateResult,
): TemplateResult {
  const note = `${name}-note`;
  return html`<div class="field field-${name}">
    <label for=${name}>${label}</label>
    ${control({ id: name, note, isInvalid: problem !== undefined })}
    <p class="field-note ${problem === undefined ? "" : "field-problem"}" id=${note}>
      ${problem === undefined ? hint : html`${icon("error")}<span>${problem}</span>`}
    </p>
  </div>`;
}

/** The value of the last option, which a person can't type. */
const other = "\n";

interface ChoiceField extends FormField {
  readonly value: string;
  readonly choices: readonly (readonly [value: string, name: string])[];
  /** Set where a value may be typed: the label of the last option, whether it is chosen, and an example. */
  readonly typed?: { readonly label: string; readonly isChosen: boolean; readonly example: string };
  readonly change: (value: string, isTyped: boolean) => void;
  /** The person has left the typed value. */
  readonly leave?: () => void;
}

/** A list; its last option opens a line for any other value. */
export function choiceField(field: ChoiceField): TemplateResult {
  const { label, value, choices, typed, change, leave } = field;
  const isTyped = typed !== undefined && (typed.isChosen || choices.every(([one]) => one !== value));
  const options = typed === undefined ? choices : [...choices, [other, typed.label] as const];
  const chosen = isTyped ? other : value;
  return formField(field, ({ id, note, isInvalid }) => {
    const invalid = isInvalid ? "true" : "false";
    return html`<select
        id=${id}
        aria-describedby=${note}
        aria-invalid=${isTyped ? "false" : invalid}
        @change=${(event: Event) => {
          const now = valueOf(event);
          change(now === other ? "" : now, now === other);
        }}
      >
        ${options.map(([one, name]) => html`<option value=${one} .selected=${live(one === chosen)}>${name}</option>`)}
      </select>
      ${
        isTyped
          ? html`<input
              type="text"
              class="other-value"
              id="${id}-typed"
              placeholder=${typed.example}
              aria-label=${t("{0}: another value", label)}
              aria-describedby=${note}
              aria-invalid=${invalid}
              spellcheck="false"
              .value=${live(value)}
              @input=${(event: Event) => change(valueOf(event), true)}
              @change=${leave}
            />`
          : ""
      }`;
  });
}

export function valueOf({ currentTarget }: Event): string {
  return currentTarget instanceof HTMLInputElement ||
    currentTarget instanceof HTMLSelectElement ||
    currentTarget instanceof HTMLTextAreaElement
    ? currentTarget.value
    : "";
}

// Reference images are small pictures that can be removed, dropped, pasted and chosen.

type SendFormIntent = (intent: MediaFormIntent) => void;

export function referenceField(
  { references, refusals }: Pick<MediaFormSnapshot, "references" | "refusals">,
  isOver: boolean,
  send: SendFormIntent,
): TemplateResult {
  const choose = (from: "files" | "results", label: string): TemplateResult =>
    html`<button type="button" class="button secondary" @click=${() => send({ type: "references-choose", from })}>
      ${label}
    </button>`;
  return html`<fieldset class="references ${isOver ? "dropping" : ""}">
    <legend>${t("Reference images")}</legend>
    ${
      references.length === 0
        ? nothing
        : html`<ul class="thumbnails">
            ${repeat(
              references,
              ({ id }) => id,
              ({ id, words, url }) => {
                const name = revealName(words);
                return html`<li title=${name}>
                  <span class="thumbnail-frame"
                    >${
                      url === undefined
                        ? icon("file-media")
                        : html`<img src=${url} alt="" loading="lazy" decoding="async" />`
                    }<button
                      type="button"
                      class="icon-button"
                      title=${t("Remove {0}", name)}
                      aria-label=${t("Remove {0}", name)}
                      @click=${firstClick(() => send({ type: "reference-remove", id }))}
                    >
                      ${icon("close")}
                    </button></span
                  >
                  <span class="thumbnail-name">${name}</span>
                </li>`;
              },
            )}
          </ul>`
    }
    <div class="buttons">
      ${choose("files", t("Choose Files…"))} ${choose("results", t("From Results…"))}
      <span class="quiet-text">${t("or paste pictures, or drop them here while you hold Shift")}</span>
    </div>
    <div role="alert">
      ${refusals.map(
        (refusal) => html`<p class="field-note field-problem">${icon("error")}<span>${revealName(refusal)}</span></p>`,
      )}
    </div>
  </fieldset>`;
}

interface ReferenceIntakeOptions {
  readonly send: (intent: DropIntent) => void;
  /** Is called when something is dragged over the page, and when it has left. */
  readonly mark: (isOver: boolean) => void;
  /** Is called with 1 when the reading of a picture begins, and with -1 when it ends. */
  readonly reading: (change: 1 | -1) => void;
  /** Bytes of one picture. */
  readonly limit: () => number;
}

/** Sends dropped and pasted pictures to the host, which judges them by their first bytes. */
export function listenToPictures({ send, mark, reading, limit }: ReferenceIntakeOptions): void {
  const add = (files: readonly File[]): void => {
    const large = files.filter(({ size }) => size > limit());
    if (large.length > 0) send({ type: "pictures-refuse", names: namesOf(large), why: "too-large" });
    for (const file of files) {
      if (large.includes(file)) continue;
      reading(1);
      void base64Of(file)
        .then(
          (data) => send({ type: "picture-add", name: nameOf(file), data }),
          () => send({ type: "pictures-refuse", names: namesOf([file]), why: "no-image" }),
        )
        .finally(() => reading(-1));
    }
  };
  listenToDrops(document.body, mark, {
    images: add,
    uris: (uris) => send({ type: "references-add", uris: [...uris] }),
    refuse: (files) => send({ type: "pictures-refuse", names: namesOf(files), why: "no-image" }),
  });
  document.addEventListener("paste", (event) => {
    const images = pastedImages(event.clipboardData);
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    const isInText = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (images.length > 0) add(images);
    else if (!isInText && /^(?:https?|file):\/\/\S{1,4000}$/.test(text)) send({ type: "references-add", uris: [text] });
    else return;
    event.preventDefault();
  });
}

/** Empty for `image.png`: the browser gives a picture from the clipboard this name. */
function nameOf({ name }: File): string {
  return name === "image.png" ? "" : name.slice(0, 255);
}

function namesOf(files: readonly File[]): string[] {
  return files.slice(0, 100).map(({ name }) => name.slice(0, 255));
}

// Describes the problem of a field, and the length of a prompt.

const problems: Readonly<Record<FieldProblem, () => string>> = {
  "no-model": () => t("Choose a model, or type the id of one."),
  "no-prompt": () => t("Describe what should be made."),
  "too-long": () => t("Shorten the prompt: the model takes no longer one."),
  ...(Object.fromEntries(taskOptions.map((name) => [`no-${name}`, taskOptionWords[name].problem])) as Record<
    OptionProblem,
    () => string
  >),
  "no-path": () => t("Type a path inside of the workspace folder, as in assets/hero."),
};

export function describeFieldProblem(problem: FieldProblem): string {
  return problems[problem]();
}

export function lengthWords(count: number, limit: number | undefined): string {
  const number = new Intl.NumberFormat(textLanguage());
  return limit === undefined
    ? plural(count, { one: "1 character", other: "{0} characters" }, number.format(count))
    : plural(limit, { other: "{0} of {1} characters" }, number.format(count), number.format(limit));
}
