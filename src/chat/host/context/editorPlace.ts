/** The place where a chat works: the operating system, the active editor, the person's instructions and the files allowed as such. */
import type { Memento } from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { PlacePort } from "../../../domain/tools/toolPorts";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { lineNumbersOf, referenceTo } from "./fileReferences";

/** The key in VS Code's memory of the workspace for the paths of the instruction files that the person has allowed. */
const key = "allowedInstructions";
/** The maximum length of the active file's path, in characters, because each prompt contains it. */
const maxPathLength = 500;

const systems: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" };

/** `instructions` reads the setting `sluice.instructions`; `memory` is that of the workspace. */
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
      return {
        path,
        ...definedFields({ lines: editor.selection.isEmpty ? undefined : lineNumbersOf(editor.selection) }),
      };
    },
    instructions,
    allowed: {
      has: (path) => allowed().includes(path),
      add: (path) => void memory.update(key, [...new Set([...allowed(), path])]),
    },
  };
}
