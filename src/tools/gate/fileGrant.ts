/** What a longer yes to a change of a file would cover: none where there is a caution. */
import type { GrantSubject } from "../../domain/tools/grant";
import type { GatedFile } from "./fileGate";

type FileGrant = Extract<GrantSubject, { type: "file" }>;

export function fileGrant(change: FileGrant["change"], ...files: readonly GatedFile[]): { readonly grant?: FileGrant } {
  const path = files.at(-1)?.label;
  if (path === undefined || files.some(({ cautions }) => cautions.length > 0)) return {};
  return { grant: { type: "file", change, path } };
}
