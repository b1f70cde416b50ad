/** Tool: where a text stands. */
import { t } from "@vscode/l10n";
import * as z from "zod/mini";
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool } from "./defineTool";
import { guardPath, isSecretPath } from "./pathGuard";
import { walk } from "./walk";

const hitCap = 200;
const shownLength = 300;
const sizeCap = 1024 * 1024;

export function findText(workspace: Workspace): Tool {
  return defineTool({
    name: "find_text",
    description: "Finds a plain text (no pattern), in any case, in the files of the workspace. Gives file:line: text.",
    parameters: z.strictObject({
      text: z.string().check(z.minLength(1), z.maxLength(1000), z.describe("What to look for.")),
      path: z.optional(z.string().check(z.describe("Folder to look in. Left out: the whole workspace."))),
    }),
    async prepare({ text, path = "." }) {
      const folder = await guardPath(workspace, path);
      return {
        title: t("Find “{0}”", text),
        ...(folder.secret === undefined ? {} : { ask: { reason: folder.secret } }),
        async run(signal) {
          const hits: string[] = [];
          for await (const file of walk(workspace, folder.root, folder.path, signal)) {
            if (isSecretPath(file.way) || (await workspace.size(file.path)) > sizeCap) continue;
            collectHits(hits, file.way, await workspace.read(file.path), text);
            if (hits.length >= hitCap) return `${hits.slice(0, hitCap).join("\n")}\n(the first ${hitCap} hits)`;
          }
          return hits.length === 0 ? "(no hits)" : hits.join("\n");
        },
      };
    },
  });
}

function collectHits(hits: string[], way: string, content: string, text: string): void {
  if (content.includes("\0")) return;
  const wanted = text.toLowerCase();
  if (!content.toLowerCase().includes(wanted)) return;
  content.split(/\r\n|\r|\n/).forEach((line, index) => {
    if (line.toLowerCase().includes(wanted)) hits.push(`${way}:${index + 1}: ${line.trim().slice(0, shownLength)}`);
  });
}
