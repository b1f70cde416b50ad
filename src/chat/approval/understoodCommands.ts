/**
 * The commands of which it is known what their words do (A3): a rule for the program and its first words lets others follow,
 * and the profile of a session covers them. Any other one asks each time, or gets a rule for exactly its words.
 */
import type { NamedPaths } from "../../domain/tools/grant";
import { findOwnProgram } from "./ownPrograms";
import { programName, runsInlineCode } from "./riskyWords";
import { findUsage } from "./usageLines";

/** What starts the program of that name, in the project. */
const wrappers: ReadonlySet<string> = new Set(["gradlew", "mvnw"]);

/** Whether it runs a file or module of the project with its words, as none of the known programs. */
export function runsOwnFile(argv: readonly string[], paths: NamedPaths): boolean {
  return findUsage(argv, paths) === undefined && findOwnProgram(argv, paths) !== undefined;
}

/** The words that a rule would name; `undefined` for a command that is not understood, or with a word that may reach beyond the project. */
export function readUnderstood(argv: readonly string[], paths: NamedPaths): readonly string[] | undefined {
  const [program = ""] = argv;
  if (runsInlineCode(argv)) return undefined;
  if (!/[\\/]/u.test(program)) return findUsage(argv, paths) ?? findOwnProgram(argv, paths);
  if (!wrappers.has(programName(program))) return findOwnProgram(argv, paths);
  return paths.files.includes(program) ? findUsage(argv, paths) : undefined;
}
