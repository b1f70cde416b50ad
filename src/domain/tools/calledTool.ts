/** Finds the declared tool that a model means by the name that it calls, and words the refusal where there is none (A10). */
import { comparedNames, nearestName, comparableName } from "../../base/text/cutText";
import { schemaLine } from "./rootObject";
import type { ToolDeclaration } from "../chat/message";

/** The declared name that a call means; `undefined` where it means none, or none for certain. */
export function declaredName(called: string, declared: readonly string[]): string | undefined {
  if (declared.includes(called)) return called;
  const bare = bareName(called);
  if (declared.includes(bare)) return bare;
  const plain = comparableName(bare);
  const same = declared.filter((name) => comparableName(name) === plain);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const names = Object.hasOwn(namesElsewhere, plain) ? namesElsewhere[plain] : undefined;
  return names?.find((name) => declared.includes(name));
}

/** The result of a call whose tool was not declared. */
export function describeUnknownTool(called: string, declared: readonly ToolDeclaration[]): string {
  const there = `There is no tool ${called.slice(0, 100).toWellFormed()}.`;
  if (declared.length === 0) return `${there} No tools are declared now: answer without them.`;
  const names = declared.map(({ name }) => name);
  const near = nearestName(bareName(called.slice(0, 200)), comparedNames(names));
  const nearest = declared.find(({ name }) => name === near);
  const hint =
    nearest === undefined ? "" : ` The nearest is ${nearest.name}, which takes ${schemaLine(nearest.parameters)}.`;
  return `${there}${hint} The tools: ${names.join(", ")}.`;
}

/** Removes the name space that a service's template puts before a name, and what a broken template leaves after it. */
function bareName(called: string): string {
  return called
    .trim()
    .replace(/<\|.*$/s, "")
    .replace(/^(?:functions?|tools?|default_api|api|multi_tool_use|namespace)\s*[.:/]\s*/i, "")
    .replace(/:\d+$/, "")
    .replace(/\(\)?$/, "")
    .trim();
}

/**
 * The names under which other agents declare such tools, which models have learnt. No tool does more here than its namesake there; tools that cost
 * money have no such names.
 */
const namesElsewhere: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (
    [
      [["read_file"], "read view viewfile openfile cat getfile getfilecontent getfilecontents readfilecontent"],
      [
        ["edit_file"],
        "edit update strreplace searchreplace replace replaceinfile replacestringinfile editexistingfile",
      ],
      [["edit_file"], "multiedit multireplacestringinfile strreplacebasededittool strreplaceeditor modifyfile"],
      [["write_file"], "write writetofile writefile savefile createfile createnewfile newfile"],
      [["delete_file"], "delete remove removefile rm"],
      [["rename_file"], "move movefile rename mv"],
      [["run_command"], "bash shell sh exec terminal execcommand executecommand runshellcommand runinterminal"],
      [["run_command"], "runterminalcommand runterminalcmd localshell containerexec executebash"],
      [["find_text"], "grep ripgrep grepsearch searchfiles searchfilecontent searchtext searchcode findtextinfiles"],
      [["find_files"], "glob filesearch findfile searchfilesbyname searchfilenames"],
      [["list_files"], "ls list listdir listdirectory listdirectories listfolder readfolder"],
      [["list_problems"], "geterrors getproblems getdiagnostics diagnostics readlints"],
      [["list_changes"], "getchangedfiles gitdiff gitstatus getdiff"],
      [["list_symbols"], "listcodedefinitionnames documentsymbols getsymbols outline"],
      [["find_symbols"], "workspacesymbols searchsymbols findsymbol"],
      [["find_definition"], "gotodefinition definition godefinition"],
      [["find_references"], "listcodeusages findusages references gotoreferences"],
    ] as const
  ).flatMap(([names, elsewhere]) => elsewhere.split(" ").map((name) => [name, names] as const)),
);
