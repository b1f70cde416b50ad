/** Tool: what files there are. */
import { t } from "@vscode/l10n";
import * as z from "zod/mini";
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool } from "./defineTool";
import { guardPath } from "./pathGuard";
import { walk } from "./walk";

const cap = 500;

export function listFiles(workspace: Workspace): Tool {
  return defineTool({
    name: "list_files",
    description: "Lists the files below a folder of the workspace, except those that git ignores.",
    parameters: z.strictObject({
      path: z.optional(
        z.string().check(z.describe("Folder, relative to the workspace. Left out: the whole workspace.")),
      ),
    }),
    async prepare({ path = "." }, signal) {
      const folder = await guardPath(workspace, path);
      signal.throwIfAborted();
      return {
        title: folder.label === "." ? t("List files") : t("List files in {0}", folder.label),
        ...(folder.secret === undefined ? {} : { ask: { reason: folder.secret } }),
        async run(running) {
          const files: string[] = [];
          for await (const { way } of walk(workspace, folder.root, folder.path, running)) {
            if (files.length === cap) return `${files.join("\n")}\n(more than ${cap} files; name a folder to see less)`;
            files.push(way);
          }
          return files.length === 0 ? "(no files)" : files.join("\n");
        },
      };
    },
  });
}
