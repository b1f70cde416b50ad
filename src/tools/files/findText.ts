/** Tools that search: the lines that contain a text or match a pattern, and files by their names. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { alias, folderAlias, acceptOpposite, patternAlias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reportQuoted, fileOfPath, type QuotedFile } from "../gate/quotedFiles";
import { compileGlobs } from "../search/globs";
import { compileSearched } from "../search/lineFinder";
import { gateSearched, labelOfSearched, prepareSearch, reasonsToAskForSearch } from "../search/prepareSearch";
import type { FileSearch, FoundPage, TextSearch } from "../search/searchJob";
import type { GatedFolder } from "../gate/fileGate";
import { listedName } from "../gate/pathNames";

const textCap = 1000;

const globs = (what: string): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString>> =>
  z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(500))).check(z.maxLength(20), z.describe(what)));

export function findText(workspace: ReadableWorkspace, search: FileSearch): Tool {
  return defineTool({
    name: "find_text",
    effect: "reads",
    description:
      "Finds a text or a regular expression, line by line, in the files of the workspace except secrets and those that git ignores. Gives file:line: text. The text is taken as it is unless is_pattern is true; where it has no hit and reads like a regular expression, it is tried as one.",
    parameters: z.strictObject({
      text: z.string().check(z.minLength(1), z.maxLength(textCap), z.describe("What to look for.")),
      is_pattern: z.optional(z.boolean().check(z.describe("Whether the text is a JavaScript regular expression."))),
      match_case: z.optional(z.boolean().check(z.describe("Whether case counts. Left out: it does not."))),
      path: z.optional(pathArgument("Folder to look in. Left out: the whole workspace.")),
      include: globs('Only files that match one of these, for example ["*.ts", "src/**/test"]; relative to path.'),
      exclude: globs("No files that match one of these."),
      context_lines: z.optional(z.int().check(z.gte(0), z.lte(10), z.describe("Lines to show around each hit."))),
      skip: z.optional(
        z.int().check(z.gte(0), z.lte(100_000), z.describe("Hits to leave out: those that an earlier call gave.")),
      ),
    }),
    rules: [
      alias("is_pattern", "is_regexp", "is_regex", "use_regex", "regexp"),
      patternAlias("text", "is_pattern", "pattern", "query", "regex", "search", "search_pattern", "search_query"),
      alias("match_case", "case_sensitive"),
      acceptOpposite("match_case", "case_insensitive", "ignore_case", "-i"),
      alias("include", "glob", "include_pattern", "file_pattern", "include_globs", "includes"),
      alias("exclude", "exclude_pattern", "exclude_globs", "excludes"),
      alias("context_lines", "context", "-C"),
      folderAlias,
    ],
    async prepare({ text, path, is_pattern: isPattern = false, match_case: matchCase = false, ...input }, signal) {
      const { include = [], exclude = [], context_lines: contextLines = 0, skip = 0 } = input;
      if (!isPattern && /[\n\r]/.test(text)) throw new ToolRefusal("The text has several lines; look for one of them.");
      // Both throw refusals for what they can't compile.
      compileGlobs([...include, ...exclude]);
      compileSearched({ text, isPattern, matchCase });
      const folders = await gateSearched(workspace, path, signal);
      return {
        action: {
          type: "find-text",
          text,
          ...definedFields({ folder: labelOfSearched(folders), isPattern: isPattern ? true : undefined }),
        },
        ...definedFields({ reasons: reasonsToAskForSearch(folders) }),
        async run(running, effects) {
          const prepared = await prepareSearch(workspace, folders, running);
          const job = { ...prepared, type: "text", matchCase, include, exclude, contextLines, skip } as const;
          const find = (wanted: Pick<TextSearch, "text" | "isPattern">): Promise<FoundPage> =>
            search.run({ ...job, ...wanted }, running, (files) => effects?.activity({ type: "files-visited", files }));
          const literal = await find({ text, isPattern });
          const meant = !isPattern && literal.text.startsWith("(no hits)") ? patternMeant(text) : undefined;
          const found = meant === undefined ? literal : await find({ text: meant, isPattern: true });
          await reportQuoted(workspace, await foundFiles(workspace, found, folders), running, effects);
          return meant === undefined ? found.text : describeAsPattern(found.text);
        },
      };
    },
  });
}

/** Tool: finds files by their names. */
export function findFiles(workspace: ReadableWorkspace, search: FileSearch): Tool {
  return defineTool({
    name: "find_files",
    effect: "reads",
    description:
      "Finds files by name. Give a part of the name or path to get the best matches first, or a glob such as src/**/*.test.ts to get all matches. Files that git ignores and files that may hold secrets are left out.",
    parameters: z.strictObject({
      name: z.string().check(z.minLength(1), z.maxLength(500), z.describe("Part of the name or path, or a glob.")),
      path: z.optional(pathArgument("Folder to search, relative to the workspace. Default: the whole workspace.")),
      skip: z.optional(
        z
          .int()
          .check(z.gte(0), z.lte(200_000), z.describe("Number of files to skip, to get the next part of a long list.")),
      ),
    }),
    rules: [
      alias("name", "pattern", "glob", "query", "glob_pattern", "file_pattern", "name_pattern", "file_name", "search"),
      folderAlias,
    ],
    async prepare({ name, path, skip = 0 }, signal) {
      compileGlobs([name]);
      const folders = await gateSearched(workspace, path, signal);
      return {
        action: { type: "find-files", name, ...definedFields({ folder: labelOfSearched(folders) }) },
        ...definedFields({ reasons: reasonsToAskForSearch(folders) }),
        async run(running, effects) {
          const { folders: searched, personalIgnoreFile } = await prepareSearch(workspace, folders, running);
          const job = { folders: searched, personalIgnoreFile, type: "names", name, skip } as const;
          const found = await search.run(job, running, (files) => effects?.activity({ type: "files-visited", files }));
          await reportQuoted(workspace, await foundFiles(workspace, found, folders), running, effects);
          return found.text;
        },
      };
    },
  });
}

/**
 * Returns the files that a result quotes or names. `folders` are those that were searched: their cautions count for each of these files.
 */
async function foundFiles(
  workspace: ReadableWorkspace,
  { paths }: FoundPage,
  folders: readonly Pick<GatedFolder, "cautions">[],
): Promise<readonly QuotedFile[]> {
  const cautions = folders.flatMap((folder) => folder.cautions);
  return Promise.all(
    paths.map(async (path) => ({ ...(await fileOfPath(workspace, path, cautions)), label: listedName(path) })),
  );
}

/** Matches what a text with a regular expression is known by: alternatives, classes, quantifiers after something, anchors, escaped letters. */
const marks = /\S\||\\[bBdDsSwW|.(){}[\]]|\.[*+]|\[[^[\]]+\]|\([^()]*\||^\^|\$$|\w[*+]\S/u;

/**
 * Returns the text as a regular expression, in which `\|` separates alternatives as in grep. Returns `undefined` if it does not read like one, is
 * invalid, or would find each line.
 */
function patternMeant(text: string): string | undefined {
  if (!marks.test(text)) return undefined;
  const pattern = text.replaceAll("\\|", "|");
  try {
    const expression = compileSearched({ text: pattern, isPattern: true, matchCase: false });
    // An expression with an empty alternative, as `hour > 18 ||` has at its end, matches each line.
    return expression.test("") && expression.test("\0") ? undefined : pattern;
  } catch {
    return undefined;
  }
}

/** Adds to the result that the text was searched for as a regular expression. */
function describeAsPattern(found: string): string {
  if (found.startsWith("(no hits)")) return `${found}\n(neither as a text nor as a regular expression)`;
  return `${found}\n(the text itself has no hit: it was taken as a regular expression, as is_pattern does)`;
}
