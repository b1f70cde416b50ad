/** The problems that VS Code shows for files of the workspace, as text for the model. */
import * as vscode from "vscode";
import type { FileReference } from "../../../domain/chat/attachmentSchema";
import type { ListedProblems } from "../../../tools/attachFiles";
import { referenceTo } from "./fileReferences";

const cap = 300;
const words = ["error", "warning", "info", "hint"];

/** One problem a line, errors first, up to a cap that the text names; of the file of that path or of some of its lines, or of all for an empty path. */
export function listProblems(path: string, lines?: FileReference["lines"]): string {
  return problemsToAttach(path, lines).text;
}

/** Of the file of that path, or of all for an empty one. */
export function countProblems(path: string): number {
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => {
      const file = referenceTo(uri)?.path;
      return file !== undefined && (path === "" || file === path);
    })
    .reduce((count, [, problems]) => count + problems.length, 0);
}

/** The same, with the files that they are about besides. */
export function problemsToAttach(path: string, lines?: FileReference["lines"]): ListedProblems {
  const found = vscode.languages.getDiagnostics().flatMap(([uri, problems]) => {
    const file = referenceTo(uri)?.path;
    if (file === undefined || (path !== "" && file !== path)) return [];
    return problems.filter(({ range }) => touches(range, lines)).map((problem) => ({ file, problem }));
  });
  found.sort((one, other) => one.problem.severity - other.problem.severity);
  const texts = found.slice(0, cap).map(({ file, problem: { severity, message, range, source = "" } }) => {
    const place = `${file}:${range.start.line + 1}:${range.start.character + 1}`;
    return `${place} ${words[severity] ?? ""}: ${message.replace(/\s+/g, " ")}${source === "" ? "" : ` [${source}]`}`;
  });
  if (found.length > cap) texts.push(`(the first ${cap} of ${found.length} problems)`);
  const related = found
    .slice(0, cap)
    .flatMap(({ problem: { relatedInformation = [] } }) =>
      relatedInformation.flatMap(({ location: { uri } }) => (uri.scheme === "file" ? uri.fsPath : [])),
    );
  return { text: texts.join("\n"), related };
}

/** `lines` are counted from 1, those of the range from 0. */
function touches({ start, end }: vscode.Range, lines: FileReference["lines"]): boolean {
  return lines === undefined || (start.line < lines.last && end.line >= lines.first - 1);
}
