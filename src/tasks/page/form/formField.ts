/** One field of the form: label, control, and below it a hint or the validation error. */
import { html, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { t } from "@vscode/l10n";
import type { MediaFieldName } from "../../../domain/task/mediaFields";
import { icon } from "../../../webview/pageParts";

export interface FormField {
  readonly name: MediaFieldName;
  readonly label: string;
  /** Below the control; a problem takes its place, so that nothing moves. */
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
}

/** What a control needs to be read out with its line. */
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

/** The value of the last option, which is none that a person can type. */
const other = "\n";

export interface ChoiceField extends FormField {
  readonly value: string;
  readonly choices: readonly (readonly [value: string, name: string])[];
  /** Where a value may be typed: the label of the last option, whether it is chosen, and an example. */
  readonly typed?: { readonly label: string; readonly isChosen: boolean; readonly example: string };
  readonly change: (value: string, isTyped: boolean) => void;
  /** The person has left what was typed. */
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
