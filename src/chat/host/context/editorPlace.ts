/** The place where chats work, as VS Code and the person give it. */
import type { Memento } from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { PlacePort } from "../../../domain/tools/toolPorts";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { linesOf, referenceTo } from "./fileReferences";

/** In the memory that VS Code keeps for the workspace. */
const key = "allowedInstructions";
/** Characters of a path that goes with each prompt. */
const maxPathLength = 500;

const systems: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" };

/** `instructions`: the setting `sluice.instructions`. */
export function createEditorPlace(instructions: () => string, memory: Memento): PlacePort {
  const allowed = (): readonly string[] => memory.get<readonly string[]>(key) ?? [];
  return {
    host: {
      system: systems[process.platform] ?? process.platform,
      shell: process.platform === "win32" ? "cmd.exe" : "/bin/sh",
    },
    activeEditor() {
      const editor = targetEditor();
      const path = editor && referenceTo(editor.document.uri)?.path;
      if (editor === undefined || path === undefined || path.length > maxPathLength) return undefined;
      return { path, ...definedFields({ lines: editor.selection.isEmpty ? undefined : linesOf(editor.selection) }) };
    },
    instructions,
    allowed: {
      has: (path) => allowed().includes(path),
      add: (path) => void memory.update(key, [...new Set([...allowed(), path])]),
    },
  };
}
