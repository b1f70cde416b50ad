/** Tool: the lines that contain a text or match a pattern. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { alias, folderAlias, opposite, patternAlias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reportQuoted } from "../gate/quotedFiles";
import { compileGlobs } from "../search/globs";
import { compileSearched } from "../search/lineFinder";
import { gateSearched, labelOfSearched, prepareSearch, reasonsToAskForSearch } from "../search/prepareSearch";
import { foundFiles } from "../search/foundFiles";
import { describeAsPattern, patternMeant } from "../search/patternMeant";
import type { FileSearch, TextSearch } from "../search/searchJob";

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
      opposite("match_case", "case_insensitive", "ignore_case", "-i"),
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
          const find = (wanted: Pick<TextSearch, "text" | "isPattern">): Promise<string> =>
            search.run({ ...job, ...wanted }, running, (files) => effects?.activity({ type: "files-visited", files }));
          const literal = await find({ text, isPattern });
          const meant = !isPattern && literal.startsWith("(no hits)") ? patternMeant(text) : undefined;
          const found = meant === undefined ? literal : describeAsPattern(await find({ text: meant, isPattern: true }));
          const quoted = await foundFiles(workspace, found, "text", folders);
          await reportQuoted(workspace, quoted, running, effects);
          return found;
        },
      };
    },
  });
}
