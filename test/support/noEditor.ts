/** An editor without any information, for tests without VS Code. */
import type { EditorPort } from "../../src/domain/tools/toolPorts";

export const noEditor: EditorPort = {
  symbolsOf: () => Promise.resolve([]),
  findSymbols: () => Promise.resolve([]),
  definitionsOf: () => Promise.resolve([]),
  referencesTo: () => Promise.resolve([]),
  problems: () => [],
  openEditors: () => [],
  changes: () => Promise.resolve(undefined),
  diffOf: () => Promise.resolve(undefined),
};
