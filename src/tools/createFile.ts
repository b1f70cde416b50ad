/** Tool: a new file with its folders, shown whole and made only after a yes. */
import * as z from "zod/mini";
import { type Tool, ToolRefusal } from "../domain/tools/tool";
import type { Workspace } from "../domain/tools/workspace";
import { alias, fileAlias } from "./base/argumentRules";
import { defineTool, pathArgument } from "./base/defineTool";
import { createPreview } from "./edit/changePreview";
import type { NewProblems } from "./edit/newProblems";
import { reasonsToAskForChange } from "./gate/cautions";
import { gateAgain, gatePlace } from "./gate/fileGate";
import { fileGrant } from "./gate/fileGrant";
import { filesInWorkspace, reportQuoted } from "./gate/quotedFiles";

const textCap = 500_000;

export function createFile(workspace: Workspace, problems: NewProblems): Tool {
  return defineTool({
    name: "create_file",
    description:
      "Makes a new text file in the workspace, with the folders that it needs. There must be nothing at that path yet: use edit_file for a file that exists. The person is asked first.",
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      text: z.string().check(z.maxLength(textCap), z.describe("All that the file holds.")),
    }),
    rules: [fileAlias, alias("text", "content", "contents", "file_text", "code", "file_content")],
    async prepare({ path, text }, signal) {
      if (!text.isWellFormed() || text.includes("\0")) throw new ToolRefusal("text holds what no text file can hold.");
      const place = await gatePlace(workspace, path, signal);
      const preview = createPreview(place.label, "", text);
      return {
        action: { type: "create-file", path: place.label },
        reasons: reasonsToAskForChange(place.cautions),
        ...fileGrant("create", place),
        change: { file: place.path, before: "", after: text, preview },
        async run(running, effects) {
          const now = await gateAgain(gatePlace, workspace, place, running);
          running.throwIfAborted();
          const create = (): Promise<void> =>
            (effects?.files ?? workspace).create(now.path, new TextEncoder().encode(text));
          const { report, related } = await problems.after(
            [{ file: now.path, label: now.label, isNew: true }],
            create,
            running,
          );
          await reportQuoted(workspace, await filesInWorkspace(workspace, related), running, effects);
          return `Created ${now.label}.${report}`;
        },
      };
    },
  });
}
