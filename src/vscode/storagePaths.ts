/** Where this extension keeps its files on this machine. */
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
  /** What the windows share of balances that gateways have stated. */
  readonly balances: string;
  /** What models of VS Code's own chat need back of their answers. */
  readonly modelAnswers: string;
  /** Copies of workspaces that commands work on. */
  readonly copies: string;
  /** What is being written into a `sluice.lock`, and whose turn it is. */
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
