/** What is started for a command line: the program itself for plain words, else a shell that reads the line. */
import type { ChildCommand, ChildProcesses } from "../../domain/tools/childProcesses";
import type { Argv } from "./lineParts";

/** `argv`: missing when the line is more than plain words. */
export function childArguments(
  line: string,
  argv: Argv | undefined,
  { isWindows, environment }: Pick<ChildProcesses, "isWindows" | "environment">,
): Pick<ChildCommand, "argv" | "isVerbatim"> {
  if (!isWindows) return { argv: argv ?? ["/bin/sh", "-c", "--", line] };
  // Also for plain words, of which no character means anything to cmd.exe: only it finds and runs an `npm.cmd`. By its
  // path, so that none of the workspace is found in its place. `/d`: no AutoRun. `/s` takes the outer quotation marks off.
  const folder = environment["SystemRoot"] ?? environment["SYSTEMROOT"] ?? String.raw`C:\Windows`;
  return { argv: [String.raw`${folder}\System32\cmd.exe`, "/d", "/s", "/c", `"${line}"`], isVerbatim: true };
}
