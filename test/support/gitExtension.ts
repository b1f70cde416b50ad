/** The part of VS Code's git extension that a review needs, over the real git of a folder. `changed` is what that extension notices by itself. */
import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import type * as vscode from "vscode";
import { Emitter } from "../../src/base/event";

export interface GitFolder {
  readonly extension: vscode.Extension<unknown>;
  /** Runs git in the folder, and has the extension notice it. */
  git(...args: readonly string[]): string;
}

/** `folder`: called once it is there. */
export function gitFolder(folder: () => string): GitFolder {
  const changed = new Emitter<void>();
  const run = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const commit = (): string | undefined => {
    try {
      return run("rev-parse", "HEAD").trim();
    } catch {
      return undefined;
    }
  };
  const tree = {
    get rootUri() {
      return { fsPath: folder() };
    },
    state: {
      get HEAD() {
        return { commit: commit() };
      },
      onDidChange: changed.event,
    },
    show: (ref: string, path: string) =>
      new Promise((resolve) => resolve(run("show", `${ref}:${relative(folder(), path)}`))),
  };
  const api = { repositories: [tree], onDidOpenRepository: () => ({ dispose: () => undefined }) };
  const git = { enabled: true, getAPI: () => api };
  return {
    extension: { id: "vscode.git", activate: () => Promise.resolve(git) } as never,
    git(...args) {
      const output = run(...args);
      changed.fire();
      return output;
    },
  };
}
