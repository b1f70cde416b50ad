/** The file system of plans as it is registered with VS Code. The chat is loaded only with its first use. */
import * as vscode from "vscode";

export type PlanFileSystem = Pick<vscode.FileSystemProvider, "stat" | "readFile" | "writeFile">;

/** Implements what VS Code requires of a file system. Operations that plans do not need are refused. */
export function lazyPlanFiles(load: () => Promise<PlanFileSystem>): vscode.FileSystemProvider {
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  return {
    onDidChangeFile: () => ({ dispose: () => undefined }),
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => (await load()).stat(uri),
    readFile: async (uri) => (await load()).readFile(uri),
    writeFile: async (uri, content, options) => (await load()).writeFile(uri, content, options),
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}
