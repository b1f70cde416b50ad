/** Reference images of a task: from the workspace, this machine, an address or the clipboard, checked before they are sent. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { pictureEndings } from "../../../domain/media/pictureTypes";
import { joinWords } from "../../../domain/words/joinWords";
import { defaultReferenceField, imageReference, addressReference, type Reference } from "../../submit/references";
import { type PickChoice, StepPicker } from "../../../vscode/interface/pickSteps";
import { askForFiles } from "../../../vscode/interface/fileDialogs";
import { notifyWarning } from "../../../vscode/interface/show";
import { describeImageReference, describeReferenceProblem } from "../../view/requestWords";
import type { Step, StepContext } from "./firstSteps";
import type { TaskDraft } from "./taskDraft";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { cutLabel } from "../../../domain/words/label";
import { variantOf } from "../../view/taskRow";
import { createTimes } from "../../../domain/words/timeFormats";

const imageEndings = pictureEndings("reference");
const maxFiles = 500;

type Choice =
  | { readonly does: "done" | "disk" | "paste" | "url" | "field" | "workspace" }
  | { readonly does: "remove"; readonly reference: Reference };

/** Asks until the person is done. */
export const askForReferences: Step = async (context, before) => {
  let draft = before;
  for (;;) {
    const answer = await askOnce(context, draft);
    if (answer === "cancelled") return { draft, next: "left" };
    if (answer === "back" || answer.value.does === "done")
      return { draft, next: draft.prompts.length > 0 ? "review" : "prompt" };
    const changed = await act(context, draft, answer.value);
    if (changed === "cancelled") return { draft, next: "left" };
    draft = changed;
  }
};

function askOnce(
  { picker, at }: StepContext,
  { references, referenceField }: TaskDraft,
): ReturnType<typeof picker.ask<Choice>> {
  const done: PickChoice<Choice> = {
    icon: "check",
    label: references.length === 0 ? t("No Reference Image") : t("Done"),
    value: { does: "done" },
  };
  const workspace: PickChoice<Choice>[] = vscode.workspace.workspaceFolders
    ? [{ icon: "add", label: t("Choose in the Workspace…"), value: { does: "workspace" } }]
    : [];
  const choices: readonly PickChoice<Choice>[] = [
    done,
    ...workspace,
    { icon: "file-media", label: t("Choose on This Machine…"), value: { does: "disk" } },
    { icon: "link", label: t("Type an Address…"), value: { does: "url" } },
    { icon: "clippy", label: t("Paste an Address or Path"), value: { does: "paste" } },
    {
      icon: "tag",
      label: t("Name of the Field"),
      description: referenceField,
      value: { does: "field" },
    },
    ...references.map((reference) => ({
      icon: "trash" as const,
      label: t("Remove {0}", describeImageReference(reference)),
      value: { does: "remove", reference } as const,
    })),
  ];
  return picker.ask<Choice>({
    ...at("last"),
    placeholder:
      references.length === 0
        ? t("Which images should the result be made from?")
        : t("With the task are sent: {0}", joinWords(references.map(describeImageReference))),
    choices,
    preselected: done,
  });
}

async function act(context: StepContext, draft: TaskDraft, choice: Choice): Promise<TaskDraft | "cancelled"> {
  switch (choice.does) {
    case "done":
      return draft;
    case "remove":
      return { ...draft, references: draft.references.filter((reference) => reference !== choice.reference) };
    case "workspace":
      return addFromWorkspace(context, draft);
    case "disk": {
      // VS Code shows its own dialog in the place of the pick.
      context.picker.stepAside();
      const files = await askForFiles(t("Reference Images"), t("Images"), imageEndings);
      return addFiles(draft, files, context.referenceLimit);
    }
    case "url":
      return addAddress(context, draft);
    case "paste":
      return addFromClipboard(draft, context.referenceLimit);
    case "field":
      return askForField(context, draft);
  }
}

/** Reads files as references; says which of them can't be sent, and why. */
export async function addFiles(draft: TaskDraft, files: readonly vscode.Uri[], limit: number): Promise<TaskDraft> {
  const read: Reference[] = [];
  for (const file of files) {
    const result = await readReference(file, limit);
    if (typeof result === "string") void notifyWarning(result);
    else read.push(result);
  }
  return { ...draft, references: [...draft.references, ...read] };
}

/** Reads a picture as a reference, or says why it cannot be one. */
export async function readReference(file: vscode.Uri, limit: number): Promise<Reference | string> {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  try {
    // The size is checked first, so that a file that is too large is not read.
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > limit) return describeReferenceProblem(name, "too-large", limit);
    const result = imageReference(name, await vscode.workspace.fs.readFile(file), limit);
    return typeof result === "string" ? describeReferenceProblem(name, result, limit) : result;
  } catch {
    return t("{0} can't be read.", name);
  }
}

async function addFromWorkspace(
  { picker, at, referenceLimit }: StepContext,
  draft: TaskDraft,
): Promise<TaskDraft | "cancelled"> {
  const found = await vscode.workspace.findFiles(`**/*.{${imageEndings.join(",")}}`, undefined, maxFiles);
  const choices = found
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), value: uri }))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
  const answer = await picker.ask({
    ...at("last"),
    placeholder: t("Image in the workspace"),
    choices,
    preselected: choices[0],
    empty: t("The workspace has no images."),
  });
  if (typeof answer === "string") return answer === "back" ? draft : answer;
  return addFiles(draft, [answer.value], referenceLimit);
}

async function addAddress(
  { picker, at, referenceLimit }: StepContext,
  draft: TaskDraft,
): Promise<TaskDraft | "cancelled"> {
  const answer = await picker.ask<Reference>({
    ...at("last"),
    placeholder: t("Address of the image; the gateway reads it"),
    choices: [],
    empty: t("Nothing is typed yet."),
    typed: (text) => {
      const read = addressReference(text);
      if (typeof read === "string")
        return { icon: "warning", label: describeReferenceProblem(text, read, referenceLimit) };
      return { icon: "link", label: t("Use This Address"), detail: text, value: read };
    },
  });
  if (typeof answer === "string") return answer === "back" ? draft : answer;
  return { ...draft, references: [...draft.references, answer.value] };
}

/** VS Code gives extensions the clipboard's text only. */
async function addFromClipboard(draft: TaskDraft, limit: number): Promise<TaskDraft> {
  const text = (await vscode.env.clipboard.readText()).trim();
  const address = addressReference(text);
  if (typeof address === "object") return { ...draft, references: [...draft.references, address] };
  if (/^(?:file:\/\/|\/|[A-Za-z]:[\\/])/.test(text) && !text.includes("\n")) {
    return addFiles(draft, [text.startsWith("file:") ? vscode.Uri.parse(text) : vscode.Uri.file(text)], limit);
  }
  void notifyWarning(
    t(
      "The clipboard holds no address or path of an image. VS Code gives a picture itself to documents only: choose Edit in Editor and paste or drop it there.",
    ),
  );
  return draft;
}

async function askForField({ picker, at }: StepContext, draft: TaskDraft): Promise<TaskDraft | "cancelled"> {
  const usual: PickChoice<string> = {
    label: defaultReferenceField,
    description: t("images, when there are several"),
    value: defaultReferenceField,
  };
  const answer = await picker.ask<string>({
    ...at("last"),
    placeholder: t("Field of input_assets_json; the gateway's document names none"),
    choices: [usual, ...["first_frame", "reference_images"].map((label) => ({ label, value: label }))],
    preselected: usual,
    typed: (text) => ({ label: text, description: t("as typed"), value: text }),
  });
  if (typeof answer === "string") return answer === "back" ? draft : answer;
  return { ...draft, referenceField: answer.value };
}

// Rows of picks that ask for a result: those of one batch differ by their picture, variant and time.

const maxListed = 300;

export function resultPicks(tasks: readonly Task[], now: number): readonly PickChoice<Task>[] {
  const times = createTimes(vscode.env.language, now);
  return tasks.map((task) => {
    const { prompt, model, createdAt, variant } = task.intent;
    const { remote, saved } = acceptedOf(task) ?? {};
    const seed = remote?.assets?.kind === "assets" ? remote.assets.seed : undefined;
    const differsBy = variant === undefined && seed !== undefined ? [t("seed {0}", seed)] : variantOf(task);
    return {
      label: cutLabel(prompt),
      description: joinWords([...differsBy, model, times.exact(createdAt)]),
      value: task,
      ...(saved?.icon === undefined ? { icon: "file-media" } : { picture: saved.icon }),
    };
  });
}

/** Asks for a result that becomes a reference image. Resolves with the id of the task; `undefined` when the person leaves. */
export async function askForResult(tasks: readonly Task[], now: number): Promise<string | undefined> {
  const newest = tasks.toSorted((one, other) => other.intent.createdAt - one.intent.createdAt).slice(0, maxListed);
  const picker = new StepPicker(t("Reference Images"));
  const answer = await picker.ask({
    placeholder: t("Result that becomes a reference image"),
    choices: resultPicks(newest, now),
    empty: t("No task has made a picture yet."),
  });
  picker.dispose();
  return typeof answer === "string" ? undefined : answer.value.intent.id;
}
