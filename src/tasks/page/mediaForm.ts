/** The form for media: owns the fields while it is shown, sends each change, and submits by its button or Ctrl+Enter (T15). */
import "../../webview/styles/page.css";
import "../../webview/styles/fields.css";
import "../../webview/styles/mediaForm.css";
import {
  type MediaFormPageContract,
  maxPromptLength,
  type MediaFormIntent,
  type MediaFormSnapshot,
  type MediaModelChoice,
} from "../contract/mediaFormPageContract";
import { followRemovals, nextState, startPage, type PageActions } from "../../webview/page";
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { nameFromPrompt } from "../../domain/task/destination";
import type { ExactFile } from "../../domain/task/exactFiles";
import { pixelWords } from "../../domain/words/sizeWords";
import {
  countCharacters,
  exactOf,
  type FieldProblems,
  maxMediaCount,
  type MediaFieldName,
  type MediaFields,
  optionsOf,
  problemsOf,
} from "../../domain/task/mediaFields";
import {
  eachOption,
  takesOption,
  type TaskOption,
  taskOptionFacts,
  taskOptions,
  usualValues,
} from "../../domain/task/commonOptions";
import { taskTypeFacts } from "../../domain/task/taskTypes";
import { optionChoiceWords, taskOptionWords } from "../../domain/words/taskOptionWords";
import { describeSubmit } from "../../domain/words/taskTypeWords";
import { revealName } from "../../webview/hiddenCharacters";
import { consumeKey } from "../../webview/keys";
import { firstClick, icon } from "../../webview/pageParts";
import {
  choiceField,
  formField,
  valueOf,
  describeFieldProblem,
  lengthWords,
  listenToPictures,
  referenceField,
} from "./formFields";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { plural } from "../../domain/words/plural";
import { ownWords } from "../../domain/words/ownWords";

/** Fields with a list to which any other value can be typed. */
type TypedField = "model" | Exclude<TaskOption, "seed">;

class MediaFormPage {
  readonly #actions: PageActions<MediaFormIntent>;
  #snapshot: MediaFormSnapshot | undefined;
  #fields: MediaFields | undefined;
  #version: number | undefined;
  /** Fields that the person has left, or all of them after an attempt to submit: only these show what is wrong. */
  readonly #checked = new Set<MediaFieldName>();
  readonly #typed = new Set<TypedField>();
  /** The element that gets the focus with the next render. */
  #focus: string | undefined;
  #hadFocus = false;
  #isOver = false;
  /** Pictures that the page is reading for the host. */
  #reading = 0;

  constructor(actions: PageActions<MediaFormIntent>) {
    this.#actions = actions;
    document.addEventListener("keydown", (event) => this.#onKey(event));
    window.addEventListener("focus", this.#focusPrompt);
    listenToPictures({
      send: actions.send,
      limit: () => this.#snapshot?.referenceLimit ?? 0,
      reading: (change) => {
        this.#reading += change;
        actions.redraw();
      },
      mark: (isOver) => {
        this.#isOver = isOver;
        actions.redraw();
      },
    });
  }

  render(snapshot: MediaFormSnapshot): TemplateResult {
    this.#snapshot = snapshot;
    const fields = this.#take(snapshot);
    const problems = problemsOf(fields, modelOf(snapshot, fields)?.promptLimit);
    const shown = (name: MediaFieldName): string | undefined => {
      const problem = this.#checked.has(name) ? problems[name] : undefined;
      return problem && describeFieldProblem(problem);
    };
    return html`<form class="page media-form fields" novalidate @submit=${(event: Event) => event.preventDefault()}>
      <header>
        <h1>${t("New Media")}</h1>
        ${this.#gateway(snapshot)}
      </header>
      <div class="field-pair">
        ${this.#typeField(snapshot, fields)} ${this.#modelField(snapshot, fields, shown("model"))}
      </div>
      ${this.#promptField(snapshot, fields, shown("prompt"))} ${originLine(snapshot, this.#actions.send)}
      ${this.#options(snapshot, fields, shown)}
      ${
        // References that are there are sent, so they are shown for any type.
        taskTypeFacts(fields.type).options.references || snapshot.references.length > 0
          ? referenceField(snapshot, this.#isOver, this.#actions.send)
          : nothing
      }
      ${
        fields.isTransparent === undefined
          ? nothing
          : html`<label class="check"
              ><input
                type="checkbox"
                .checked=${live(fields.isTransparent)}
                @change=${() => this.#change({ isTransparent: fields.isTransparent !== true })}
              />${t("Transparent background")}</label
            >`
      }
      ${carriedLine(snapshot, this.#actions.send)} ${this.#destination(snapshot, fields, shown("destination"))}
      ${this.#foot(snapshot, fields)}
    </form>`;
  }

  rendered(): void {
    const focus = this.#focus;
    this.#focus = undefined;
    if (focus === undefined) this.#focusPrompt();
    else document.getElementById(focus)?.focus();
  }

  /** Focuses the prompt once: VS Code gives an opened tab the focus before or after the first render, and a tab behind another none. */
  readonly #focusPrompt = (): void => {
    const prompt = document.getElementById("prompt");
    if (prompt === null || this.#hadFocus || !document.hasFocus()) return;
    this.#hadFocus = true;
    if (document.activeElement === document.body) prompt.focus();
  };

  /** The fields, taken from the host if it has changed them. An empty model is filled in, so that the person can see it. */
  #take(snapshot: MediaFormSnapshot): MediaFields {
    if (this.#version !== snapshot.version || this.#fields === undefined) {
      this.#version = snapshot.version;
      this.#fields = snapshot.fields;
      this.#checked.clear();
      this.#typed.clear();
    }
    const model = this.#fields.model === "" && !this.#typed.has("model") ? firstModel(snapshot, this.#fields) : "";
    if (model !== "") {
      this.#fields = { ...this.#fields, model };
      this.#actions.send({ type: "fields-change", fields: this.#fields });
    }
    return this.#fields;
  }

  #change(change: Partial<MediaFields>): void {
    if (this.#fields === undefined) return;
    this.#fields = { ...this.#fields, ...change };
    this.#actions.send({ type: "fields-change", fields: this.#fields });
    this.#actions.redraw();
  }

  #leave(name: MediaFieldName): void {
    this.#checked.add(name);
    this.#actions.redraw();
  }

  #gateway({ gateway }: MediaFormSnapshot): TemplateResult {
    const name = gateway.name === "" ? t("Choose Gateway") : revealName(gateway.name);
    return html`<p class="quiet-text">
      ${t("Goes to")}
      <button type="button" class="link" @click=${() => this.#actions.send({ type: "gateway-choose" })}>${name}</button>
    </p>`;
  }

  #typeField(snapshot: MediaFormSnapshot, fields: MediaFields): TemplateResult {
    return choiceField({
      name: "type",
      label: t("Type"),
      hint: revealName(snapshot.types.find(({ type }) => type === fields.type)?.about ?? ""),
      value: fields.type,
      choices: snapshot.types.map(({ type, name }) => [type, name]),
      change: (value) => {
        const type = snapshot.types.find((one) => one.type === value)?.type ?? fields.type;
        const next = { ...fields, type };
        // A model that makes the other type too stays.
        const isKept = modelOf(snapshot, fields)?.types.includes(type) === true;
        this.#typed.clear();
        const model = isKept ? fields.model : firstModel(snapshot, next);
        // Sizes and durations of one type may not be those of another; a seed is a number for each.
        this.#change({ type, model, ...eachOption(() => ""), seed: fields.seed });
      },
    });
  }

  #modelField(snapshot: MediaFormSnapshot, fields: MediaFields, problem: string | undefined): TemplateResult {
    const ids = snapshot.models.filter(({ types }) => types.includes(fields.type)).map(({ id }) => id);
    const last = snapshot.types.find(({ type }) => type === fields.type)?.lastModel;
    const listed = [...new Set([...(last === undefined ? [] : [last]), ...ids])];
    const hint = modelOf(snapshot, fields)?.note;
    return this.#typedChoice(fields, "model", {
      label: t("Model"),
      hint: hint === undefined ? undefined : revealName(ownWords(hint)),
      problem,
      choices: listed.map((id) => [id, revealName(id)]),
      typed: t("Type another id…"),
      example: t("Id of the model"),
    });
  }

  #promptField(snapshot: MediaFormSnapshot, { prompt }: MediaFields, problem: string | undefined): TemplateResult {
    const limit = modelOf(snapshot, this.#fields)?.promptLimit;
    const count = countCharacters(prompt.trim());
    const isOver = limit !== undefined && count > limit;
    const length = lengthWords(count, limit);
    const hint =
      snapshot.sameAt === undefined ? length : t("{0} · the same was submitted {1}", length, snapshot.sameAt);
    const wrong = isOver ? describeFieldProblem("too-long") : problem;
    const shown = wrong && (count === 0 ? wrong : t("{0} {1}", length, wrong));
    return formField(
      { name: "prompt", label: t("Prompt"), hint, problem: shown },
      ({ id, note, isInvalid }) =>
        html`<textarea
          id=${id}
          rows="4"
          placeholder=${t("Say what should be made")}
          aria-describedby=${note}
          aria-invalid=${isInvalid ? "true" : "false"}
          maxlength=${maxPromptLength}
          .value=${live(prompt)}
          @input=${(event: Event) => this.#change({ prompt: valueOf(event) })}
        ></textarea>`,
    );
  }

  #options(
    snapshot: MediaFormSnapshot,
    fields: MediaFields,
    shown: (name: MediaFieldName) => string | undefined,
  ): TemplateResult {
    return html`<div class="field-row">
      ${choiceField({
        name: "count",
        label: t("Count"),
        value: String(fields.count),
        choices: Array.from({ length: maxMediaCount }, (_, at) => [String(at + 1), String(at + 1)]),
        change: (value) => this.#change({ count: Number(value) }),
      })}
      ${taskOptions.map((name) => {
        if (!takesOption(fields.type, name)) return nothing;
        if (name === "seed") return this.#seedField(fields, shown(name));
        const { value, another } = optionChoiceWords[name];
        const values = usualValues(fields.type, name, modelOf(snapshot, fields));
        return this.#typedChoice(fields, name, {
          label: taskOptionWords[name].label(),
          problem: shown(name),
          choices: [["", t("Model's default")], ...values.map((one) => [String(one), value(one)] as const)],
          typed: another(),
          example: taskOptionFacts(name).example,
        });
      })}
    </div>`;
  }

  #seedField(fields: MediaFields, problem: string | undefined): TemplateResult {
    const { seed } = optionsOf(fields);
    const hint = seed !== undefined && fields.count > 1 ? t("{0} to {1}", seed, seed + fields.count - 1) : undefined;
    return formField(
      { name: "seed", label: taskOptionWords.seed.label(), hint, problem },
      ({ id, note, isInvalid }) =>
        html`<input
          type="text"
          inputmode="numeric"
          id=${id}
          placeholder=${t("Model's default")}
          aria-describedby=${note}
          aria-invalid=${isInvalid ? "true" : "false"}
          .value=${live(fields.seed)}
          @input=${(event: Event) => this.#change({ seed: valueOf(event) })}
          @change=${() => this.#leave("seed")}
        />`,
    );
  }

  #typedChoice(
    fields: MediaFields,
    name: TypedField,
    {
      typed: label,
      example,
      ...field
    }: Omit<Parameters<typeof choiceField>[0], "name" | "value" | "typed" | "change"> & {
      readonly typed: string;
      readonly example: string;
    },
  ): TemplateResult {
    return choiceField({
      ...field,
      name,
      value: fields[name],
      typed: { label, example, isChosen: this.#typed.has(name) },
      change: (value, isTyped) => {
        const isOpened = isTyped && value === "" && document.getElementById(`${name}-typed`) === null;
        if (isTyped) this.#typed.add(name);
        else this.#typed.delete(name);
        if (isOpened) this.#focus = `${name}-typed`;
        this.#change({ [name]: value });
      },
      leave: () => this.#leave(name),
    });
  }

  #destination({ folder }: MediaFormSnapshot, fields: MediaFields, problem: string | undefined): TemplateResult {
    const { isPlaced, destination, prompt } = fields;
    const exact = exactOf(fields);
    if (folder === undefined)
      return html`<p class="quiet-text">${t("No folder is open: the result is kept outside of a project.")}</p>`;
    const hint =
      exact === undefined ? t("The result brings its file ending. Several results get a number each.") : undefined;
    return html`<div class="destination">
      <label class="check"
        ><input
          type="checkbox"
          .checked=${live(isPlaced)}
          @change=${() => this.#change({ isPlaced: !isPlaced })}
        />${t("Save into the project")}</label
      >
      ${
        isPlaced
          ? formField(
              { name: "destination", label: this.#pathLabel(), hint, problem },
              ({ id, note, isInvalid }) =>
                html`<input
                  type="text"
                  id=${id}
                  placeholder="${folder}/${nameFromPrompt(prompt)}"
                  aria-describedby=${note}
                  aria-invalid=${isInvalid ? "true" : "false"}
                  spellcheck="false"
                  .value=${live(destination)}
                  @input=${(event: Event) => this.#change({ destination: valueOf(event) })}
                  @change=${() => this.#leave("destination")}
                />`,
            )
          : nothing
      }
      ${exact === undefined ? nothing : html`<p class="quiet-text">${exactWords(exact.files)}</p>`}
    </div>`;
  }

  #pathLabel(): string {
    const { rootName } = this.#snapshot ?? {};
    return rootName === undefined ? t("Path in the workspace") : t("Path in {0}", revealName(rootName));
  }

  #foot(snapshot: MediaFormSnapshot, { type, count }: MediaFields): TemplateResult {
    const { send } = this.#actions;
    const { isSubmitting, sends, canRestore, hasEarlier, price, gateway } = snapshot;
    return html`<footer>
      <div class="outcome">${submitOutcome(snapshot, send)}</div>
      <div class="buttons">
        <button
          type="button"
          class="button"
          title=${t("Submit (Ctrl+Enter)")}
          aria-disabled=${isSubmitting || gateway.isStarting || this.#reading > 0}
          @click=${firstClick(() => this.#submit())}
        >
          ${this.#reading > 0 ? t("Reading pictures…") : isSubmitting && sends === undefined ? t("Submitting…") : describeSubmit(taskTypeFacts(type).media, count)}
        </button>
        ${price === undefined ? nothing : html`<span class="quiet-text price">${price}</span>`}
        <button
          type="button"
          class="button secondary"
          title=${t("Makes placeholders of the same size and at the same path, for nothing")}
          aria-disabled=${isSubmitting || gateway.isStarting || this.#reading > 0}
          @click=${firstClick(() => this.#submit(true))}
        >
          ${isSubmitting && sends === "rehearsal" ? t("Rehearsing…") : t("Rehearse")}
        </button>
        <button
          type="button"
          class="button secondary"
          aria-disabled=${isSubmitting}
          @click=${firstClick(() => send({ type: canRestore ? "form-restore" : "form-clear" }))}
        >
          ${canRestore ? t("Undo Clear") : t("Clear")}
        </button>
        ${
          hasEarlier === true
            ? html`<button
                type="button"
                class="button secondary"
                aria-disabled=${isSubmitting}
                @click=${firstClick(() => send({ type: "earlier-restore" }))}
              >
                ${t("Back to Earlier Draft")}
              </button>`
            : nothing
        }
      </div>
    </footer>`;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    consumeKey(event);
    if (!event.repeat) this.#submit();
  }

  /** Submits, or shows the problems and focuses the first field that has one; the host checks again. */
  #submit(isRehearsal = false): void {
    const [snapshot, fields] = [this.#snapshot, this.#fields];
    if (snapshot === undefined || fields === undefined || snapshot.isSubmitting || snapshot.gateway.isStarting) return;
    if (this.#reading > 0) return;
    const { attempt, gateway, problem } = snapshot;
    // Without a connection there are no models to choose from either, so the problem's button gets the focus.
    if (gateway.target === "" && problem !== undefined && problem.actions.length > 0) {
      this.#focus = "problem-action-0";
      this.#actions.redraw();
      return;
    }
    const problems: FieldProblems = problemsOf(fields, modelOf(snapshot, fields)?.promptLimit);
    const [first] = Object.keys(problems) as MediaFieldName[];
    if (first === undefined) {
      const rehearses = isRehearsal ? { isRehearsal } : {};
      this.#actions.send({ type: "tasks-submit", fields, attempt, target: gateway.target, ...rehearses });
      return;
    }
    for (const name of Object.keys(problems) as MediaFieldName[]) this.#checked.add(name);
    this.#focus = document.getElementById(`${first}-typed`) === null ? first : `${first}-typed`;
    this.#actions.redraw();
  }
}

/** Paths that are named one by one. */
const maxNamed = 6;

/** Names the files that the result is made into. */
function exactWords(files: readonly ExactFile[]): string {
  const named = files.slice(0, maxNamed).map(({ file, width, height }) => {
    const size = width === undefined || height === undefined ? "" : ` (${pixelWords({ width, height })})`;
    return `${revealName(file)}${size}`;
  });
  const rest = files.length - named.length;
  const all = rest > 0 ? [...named, t("{0} more", rest)] : named;
  return t("Will be saved exactly as {0}.", all.join(", "));
}

/** The model that the form sends, with the facts that the gateway lists for it. */
function modelOf({ models }: MediaFormSnapshot, fields: MediaFields | undefined): MediaModelChoice | undefined {
  return models.find(({ id }) => id === fields?.model.trim());
}

/** The model that was used last for the type, else the first that is listed for it; empty where there is none. */
function firstModel({ types, models }: MediaFormSnapshot, { type }: MediaFields): string {
  const last = types.find((one) => one.type === type)?.lastModel;
  return last ?? models.find((model) => model.types.includes(type))?.id ?? "";
}

/** One line about the prompt in an added picture, with a button that uses it. */
function originLine({ origin }: MediaFormSnapshot, send: (intent: MediaFormIntent) => void): unknown {
  if (origin === undefined) return nothing;
  const { name, prompt, seed } = origin;
  const text = t("{0} was made from “{1}”.", revealName(name), revealName(prompt));
  const action = seed === undefined ? t("Use Its Prompt") : t("Use Its Prompt and Seed");
  return lineWithAction(html`<span>${text}</span>`, action, () => send({ type: "origin-use" }));
}

/** Characters of what is carried over that fit into the lines that are shown of it; more can be scrolled. */
const carriedInSight = 300;

/** Lines about what is sent of the former task besides the fields, all of it, with a button that leaves it out. */
function carriedLine({ carried }: MediaFormSnapshot, send: (intent: MediaFormIntent) => void): unknown {
  if (carried === undefined) return nothing;
  const text = t("Also sent, as by the former task: {0}", revealName(carried));
  const said = html`<span class="carried-words" tabindex=${carried.length > carriedInSight ? 0 : nothing}
    >${text}</span
  >`;
  return lineWithAction(said, t("Leave Out"), () => send({ type: "carried-remove" }));
}

function lineWithAction(said: TemplateResult, action: string, onClick: () => void): TemplateResult {
  return html`<p class="quiet-text origin-line" role="status">
    ${said}
    <button type="button" class="link" @click=${firstClick(onClick)}>${action}</button>
  </p>`;
}

/** The outcome of the last press of the form's button, and what can be done about it. */
function submitOutcome(
  { submitted, problem }: Pick<MediaFormSnapshot, "submitted" | "problem">,
  send: (intent: MediaFormIntent) => void,
): TemplateResult {
  return html`<div role="status">
      ${
        submitted === undefined
          ? nothing
          : html`<p>
              ${icon(submitted.isSending ? "cloud-upload" : submitted.succeeded === 0 ? "error" : "check")}
              <span>${submittedWords(submitted)}</span>
              <button type="button" class="link" @click=${() => send({ type: "submitted-open" })}>
                ${submitted.isBatch ? t("Open Batch") : t("Open Task")}
              </button>
              ${
                submitted.canMakeReal === true
                  ? html`<button
                      type="button"
                      class="link"
                      @click=${firstClick(() => send({ type: "submitted-make-real" }))}
                    >
                      ${taskActionLabel("make-real")}
                    </button>`
                  : nothing
              }
            </p>`
      }
    </div>
    <div role="alert">
      ${
        problem === undefined
          ? nothing
          : html`<p class="field-problem">
              ${icon("error")}
              <span>${revealName(problem.text)}</span>
              ${problem.actions.map(
                (label, index) =>
                  html`<button
                    type="button"
                    class="link"
                    id="problem-action-${index}"
                    @click=${firstClick(() => send({ type: "problem-act", index }))}
                  >
                    ${label}
                  </button>`,
              )}
            </p>`
      }
    </div>`;
}

function submittedWords({
  count,
  at,
  isSending,
  succeeded,
  isRehearsal,
}: NonNullable<MediaFormSnapshot["submitted"]>): string {
  if (isRehearsal === true && succeeded === count)
    return plural(count, { one: "1 placeholder is there.", other: "{0} placeholders are there." }, count);
  if (isRehearsal === true && succeeded === undefined)
    return plural(count, { one: "1 placeholder is being made.", other: "{0} placeholders are being made." }, count);
  if (isSending)
    return plural(count, { one: "1 task is being submitted.", other: "{0} tasks are being submitted." }, count);
  if (succeeded !== undefined) return plural(count, { other: "{0} of {1} tasks succeeded." }, succeeded, count);
  return plural(count, { one: "1 task was submitted at {1}.", other: "{0} tasks were submitted at {1}." }, count, at);
}

startPage<MediaFormPageContract>((actions) => {
  const page = new MediaFormPage(actions);
  const follow = followRemovals(".thumbnails li", ".references .buttons button");
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: () => ({ subject: "mediaForm" }),
    // Changes are in elements with a role that is read out.
    announce: () => undefined,
    rendered: () => {
      page.rendered();
      follow();
    },
  };
});
