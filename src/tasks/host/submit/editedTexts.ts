/** A prompt or metadata that is edited in a document of its own, in the middle of *Submit Selection as Task…*. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { readSinglePrompt } from "../../prompts/directives";
import { expandAlone } from "../../prompts/variants";
import { readMetadata } from "../../submit/requestBody";
import { closeWithoutSaving } from "../../../vscode/interface/runCommand";
import { notifyWarning } from "../../../vscode/interface/show";
import { addReplacement, withPlainLineEnds } from "../../../vscode/replaceText";
import { promptOf, type TaskDraft } from "./taskDraft";
import { describeProblem } from "../../view/promptWords";
import type { KeptDrafts } from "./draftMemory";
import { draftOf, UnusableSetting } from "./draftsOf";

export type EditedPart = "prompt" | "metadata";

interface Edited {
  readonly part: EditedPart;
  readonly draft: TaskDraft;
}

export class EditedTexts {
  readonly #edited = new Map<string, Edited>();
  readonly #changed: (isEditing: boolean) => void;
  readonly #kept: Pick<KeptDrafts, "keep">;

  /** `changed` is called each time that such a document is opened or closed, with whether any is open. */
  constructor(changed: (isEditing: boolean) => void, kept: Pick<KeptDrafts, "keep">) {
    this.#changed = changed;
    this.#kept = kept;
  }

  async open(part: EditedPart, draft: TaskDraft): Promise<void> {
    const isPrompt = part === "prompt";
    const content = isPrompt ? promptOf(draft) : JSON.stringify(draft.metadata, undefined, 2);
    const document = await vscode.workspace.openTextDocument({ content, language: isPrompt ? "markdown" : "json" });
    await setText(document, content);
    this.#edited.set(document.uri.toString(), { part, draft });
    this.#changed(true);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  partOf(document: vscode.Uri): EditedPart | undefined {
    return this.#edited.get(document.toString())?.part;
  }

  /** Closes the document and returns the draft with its text; `undefined` when the text can't be used yet. */
  async finish(document: vscode.TextDocument, limit: number): Promise<TaskDraft | undefined> {
    const edited = this.#edited.get(document.uri.toString());
    if (!edited) return undefined;
    const draft =
      edited.part === "prompt" ? await withPrompt(document, edited.draft, limit) : withObject(document, edited.draft);
    if (!draft) return undefined;
    // The document is the only place of its text, and the steps that follow may fail or be left.
    const kept = await this.#kept.keep(draft);
    this.forget(document.uri);
    await closeWithoutSaving(document);
    return kept;
  }

  forget(document: vscode.Uri): void {
    if (this.#edited.delete(document.toString())) this.#changed(this.#edited.size > 0);
  }
}

/**
 * VS Code names a new document like one that was closed, such as Untitled-1, and takes its text from that one's backup, which it removes only some
 * time after the closing. The text is then replaced, because the person would pay for another prompt than theirs.
 */
async function setText(document: vscode.TextDocument, content: string): Promise<void> {
  if (withPlainLineEnds(document.getText()) === withPlainLineEnds(content)) return;
  const edit = new vscode.WorkspaceEdit();
  addReplacement(edit, document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
  await vscode.workspace.applyEdit(edit);
}

async function withPrompt(
  document: vscode.TextDocument,
  draft: TaskDraft,
  limit: number,
): Promise<TaskDraft | undefined> {
  const whole = withPlainLineEnds(document.getText());
  const { text, settings, problems } = readSinglePrompt(whole);
  if (text === "") {
    void notifyWarning(t("The prompt is empty."));
    return undefined;
  }
  const { variants, problems: ofVariants } = expandAlone({ text, settings });
  const [problem] = [...problems, ...ofVariants];
  if (problem !== undefined) {
    void notifyWarning(describeProblem(problem));
    return undefined;
  }
  try {
    const { edited: _former, each: _variants, places: _places, ...before } = draft;
    return await draftOf({ ...draft, typed: "", edited: { text: whole, before } }, variants, document.uri, limit);
  } catch (error) {
    if (!(error instanceof UnusableSetting)) throw error;
    void notifyWarning(error.message);
    return undefined;
  }
}

function withObject(document: vscode.TextDocument, draft: TaskDraft): TaskDraft | undefined {
  const read = readMetadata(document.getText());
  if ("object" in read) return { ...draft, metadata: read.object };
  void notifyWarning(t("Metadata has to be a JSON object: {0}", read.problem));
  return undefined;
}
