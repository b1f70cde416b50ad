/** The problems that VS Code shows for files of the workspace, as text for the model. */
import * as vscode from "vscode";
import { referenceTo } from "./fileReferences";

const cap = 300;
const words = ["error", "warning", "info", "hint"];

/** One problem a line, errors first, up to a cap that the text names; of the file of that path, or of all for an empty one. */
export function listProblems(path: string): string {
  const found = vscode.languages.getDiagnostics().flatMap(([uri, problems]) => {
    const file = referenceTo(uri)?.path;
    if (file === undefined || (path !== "" && file !== path)) return [];
    return problems.map((problem) => ({ file, problem }));
  });
  found.sort((one, other) => one.problem.severity - other.problem.severity);
  const lines = found.slice(0, cap).map(({ file, problem: { severity, message, range, source = "" } }) => {
    const place = `${file}:${range.start.line + 1}:${range.start.character + 1}`;
    return `${place} ${words[severity] ?? ""}: ${message.replace(/\s+/g, " ")}${source === "" ? "" : ` [${source}]`}`;
  });
  if (found.length > cap) lines.push(`(the first ${cap} of ${found.length} problems)`);
  return lines.join("\n");
}
