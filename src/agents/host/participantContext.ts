/** What a prompt to `@sluice` brings along: attached files and code, and for `/explain` the open code. Through the gate of the tools where one could read it. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../base/definedFields";
import { fenceCode } from "../../base/text/codeFence";
import { plural } from "../../domain/words/plural";
import { type FileReference, labelForModel } from "../../domain/chat/attachmentSchema";
import { attachFiles } from "../../tools/attachFiles";
import { quoteRange } from "../../chat/host/codeQuestions";
import { askToSend } from "../../chat/host/context/askToSend";
import { linesOf, referenceTo, referenceToSelection } from "../../chat/host/context/fileReferences";
import { problemsToAttach } from "../../chat/host/context/problemList";
import { targetEditor } from "../../vscode/interface/targetEditor";
import { createWorkspaceFiles } from "../../tools/host/workspaceFiles";

export interface GivenContext {
  /** Each with its name, fenced. */
  readonly texts: readonly string[];
  /** What could not be read, in words for the person. */
  readonly problems: readonly string[];
}

/** References of one prompt, and characters of all of them. */
const maxReferences = 20;
const maxText = 200_000;

type GivenReference = Pick<vscode.ChatPromptReference, "value" | "modelDescription">;

/** Rejects with an abort only. */
export async function readGiven(
  references: readonly GivenReference[],
  withEditor: boolean,
  signal: AbortSignal,
): Promise<GivenContext> {
  const texts: string[] = [];
  const problems: string[] = [];
  let left = maxText;
  const add = (text: string): void => {
    const kept = text.slice(0, Math.max(0, left)).toWellFormed();
    left -= kept.length;
    if (kept !== "") texts.push(kept);
    if (kept.length < text.length)
      problems.push(
        plural(maxText, { other: "What is attached is larger than {0} characters: the rest was left out." }),
      );
  };
  const given = references
    .slice(0, maxReferences)
    .map(({ value }) => placeOf(value))
    .filter((one) => one !== undefined);
  for (const place of given) {
    if (typeof place === "string") add(fenceCode(place));
    else await addPlace(place, add, problems, signal);
  }
  if (withEditor && given.length === 0) {
    const editor = targetEditor();
    const shown = editor?.selection.isEmpty === false ? editor.selection : editor?.visibleRanges[0];
    if (editor && shown) {
      const reference = referenceToSelection(editor) ?? referenceTo(editor.document.uri);
      await addPlace(
        { uri: editor.document.uri, range: reference?.lines ? editor.selection : shown },
        add,
        problems,
        signal,
      );
    }
  }
  return { texts, problems: [...new Set(problems)] };
}

interface GivenPlace {
  readonly uri: vscode.Uri;
  readonly range?: vscode.Range;
}

/** A file, a part of one, or a text. Other values are of other extensions. */
function placeOf(value: unknown): GivenPlace | string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof vscode.Location) return { uri: value.uri, range: value.range };
  return value instanceof vscode.Uri ? { uri: value } : undefined;
}

async function addPlace(
  { uri, range }: GivenPlace,
  add: (text: string) => void,
  problems: string[],
  signal: AbortSignal,
): Promise<void> {
  const file = referenceTo(uri);
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (file === undefined) {
    // No tool could read it: what an editor shows is quoted.
    if (document)
      add(quoteRange(document, range ?? document.validateRange(new vscode.Range(0, 0, document.lineCount, 0))));
    else problems.push(t("{0} is in no folder of a trusted workspace and was not sent.", uri.path));
    return;
  }
  const reference: FileReference = { ...file, ...definedFields({ lines: range && linesOf(range) }) };
  for (const one of await attachFiles(createWorkspaceFiles(), [reference], askToSend, signal, problemsToAttach)) {
    const label = labelForModel(one).replaceAll(/\s/g, " ");
    if (one.type === "text") add(`The person attached ${label}:\n${fenceCode(one.text)}`);
    else problems.push(t("{0} was not sent: it could not be read, or you did not allow it.", label));
  }
}
