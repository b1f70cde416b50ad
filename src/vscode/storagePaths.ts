/** The paths of the extension's files on this machine. */
import * as vscode from "vscode";

export interface StoragePaths {
  readonly tasks: string;
  readonly results: string;
  readonly chats: string;
  readonly rules: string;
  readonly chatIndex: string;
  /** The person's own prompt files. */
  readonly prompts: string;
  readonly localGateway: string;
  /** Balances that gateways have stated, shared by all windows. */
  readonly balances: string;
  /** Parts of answers in VS Code's own chat that the models need back with the next request. */
  readonly modelAnswers: string;
  /** Copies of workspaces that commands work on. */
  readonly copies: string;
  /** The folder for texts that are being written into a `sluice.lock`, and for the lock that lets one window write at a time. */
  readonly lock: string;
}

export function storagePaths(folder: vscode.Uri): StoragePaths {
  const file = (name: string): string => vscode.Uri.joinPath(folder, name).fsPath;
  return {
    tasks: file("tasks.db"),
    results: file("results"),
    chats: file("chats"),
    rules: file("approvals"),
    chatIndex: file("chats.db"),
    prompts: file("prompts"),
    localGateway: file("localGateway"),
    balances: file("balances"),
    modelAnswers: file("modelAnswers"),
    copies: file("copies"),
    lock: file("lock"),
  };
}
