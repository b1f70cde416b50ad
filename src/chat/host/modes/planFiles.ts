/**
 * The documents of plans as files of a scheme of their own: read from the chat and written into it, so that they go with the chat and need no
 * trust of a folder. VS Code asks only for the documents that it has open.
 */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isMissingFile } from "../../../base/systemErrors";
import type { ChatSessions } from "../../storage/chatSessions";
import { isSessionId } from "../../storage/sessionFolder";
import { findPlanDocument, type PlanPlace, type PlanText } from "../../../domain/chat/planOfChat";
import { planDocumentCap } from "../../../domain/chat/plan";
import { planScheme } from "../../../vscode/ids";
import type { PlanFileSystem } from "./lazyPlanFiles";

/** Where a plan is. */
export interface PlanAddress extends PlanPlace {
  readonly chat: string;
}

/** The title is the name of the file, which is that of the tab. */
export function planUri({ chat, answer, call }: PlanAddress, title: string): vscode.Uri {
  const name = title
    .replaceAll(/[\p{C}\\/:*?"<>|]+/gu, " ")
    .trim()
    .slice(0, 60)
    .toWellFormed();
  const query = new URLSearchParams({ chat, answer, call }).toString();
  return vscode.Uri.from({ scheme: planScheme, path: `/${name === "" ? "plan" : name}.md`, query });
}

/** `undefined` for an address that no plan has. */
export function planAddress({ scheme, query }: vscode.Uri): PlanAddress | undefined {
  if (scheme !== planScheme) return undefined;
  const given = new URLSearchParams(query);
  const [chat = "", answer = "", call = ""] = ["chat", "answer", "call"].map((name) => given.get(name) ?? "");
  return isSessionId(chat) && answer !== "" && call !== "" ? { chat, answer, call } : undefined;
}

export class PlanFiles implements PlanFileSystem {
  readonly #chats: ChatSessions;
  /** By address: when it was written here last. */
  readonly #times = new Map<string, number>();

  constructor(chats: ChatSessions) {
    this.#chats = chats;
  }

  /** `undefined` where the chat or the plan is gone. */
  async find(uri: vscode.Uri): Promise<PlanText | undefined> {
    const address = planAddress(uri);
    if (address === undefined) return undefined;
    try {
      return await this.#chats.use(address.chat, ({ session }) =>
        Promise.resolve(findPlanDocument(session.chat, address)),
      );
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text } = await this.#read(uri);
    const mtime = this.#times.get(uri.query) ?? 1;
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.#read(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = planAddress(uri);
    const text = Buffer.from(content).toString();
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    if (text.length > planDocumentCap) throw new vscode.FileSystemError(t("The plan is too long to be stored."));
    await this.#read(uri);
    const isWritten = await this.#chats.use(address.chat, ({ session }) => session.writePlan(address, text));
    if (!isWritten)
      throw vscode.FileSystemError.NoPermissions(t("Another window writes this chat: the plan can be edited there."));
    this.#times.set(uri.query, Date.now());
  }

  async #read(uri: vscode.Uri): Promise<PlanText> {
    const found = await this.find(uri);
    if (found === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }
}
