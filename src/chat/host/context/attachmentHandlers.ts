/** The attachments of a prompt: pasted and dropped images, files by their URI, and what the attach button offers. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { ReadonlyStore } from "../../../base/store";
import type { ChatSession } from "../../session/session";
import type { ImageFolder } from "../../storage/imageFolder";
import type { FileReference } from "../../../domain/chat/attachmentSchema";
import { imageSizeCap } from "../../../domain/chat/imageTypes";
import { pictureEndings } from "../../../domain/media/pictureTypes";
import type { Workspace } from "../../../domain/tools/workspace";
import type { AttachmentIntent, AttachmentMessage } from "../../contract/chatPageContract";
import type { Handlers } from "../../../base/pageContract";
import { type ConfirmAttachment, readImageFile } from "../../../tools/attachFiles";
import { gateFolder } from "../../../tools/gate/fileGate";
import { askToSend, isImagePath, referenceTo, referenceToSelection, findFolders } from "./fileReferences";
import { findContext, listProblems } from "./findContext";
import { cutLabel } from "../../../domain/words/label";
import { trimEnd } from "../../../base/text/cutText";
import { askForFiles } from "../../../vscode/interface/fileDialogs";
import { commands, type CommandId } from "../../../vscode/ids";
import { StepPicker, type PickChoice, type StepResult, typedId } from "../../../vscode/interface/pickSteps";
import { fillFormFrom, openFile, runCommand } from "../../../vscode/interface/runCommand";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { describeVirtualFolders } from "../../../domain/words/virtualFolders";

/** The maximum number of characters of an image's own prompt that the page shows. */
const maxShownPrompt = 120;
/** VS Code draws longer lists slowly. A folder that is not listed can be found by typing its path. */
const listedCap = 1000;

/** Resolves with the path of a folder, as tools read it. */
async function askForFolder(picker: StepPicker): Promise<StepResult<string>> {
  let listed: readonly string[] = [];
  return picker.ask<string>({
    position: { step: 2, totalSteps: 2 },
    placeholder: t("Folder of the workspace, or type its path"),
    choices: [],
    later(show) {
      void findFolders("").then((found) => {
        listed = found.slice(0, listedCap);
        show(listed.map(choiceOf));
      });
      return { dispose: () => undefined };
    },
    // While a listed folder contains the typed letters, Enter chooses that folder.
    typed(text) {
      const path = trimEnd(text.replaceAll("\\", "/"), "/");
      return path === "" || listed.some((folder) => folder.toLowerCase().includes(path.toLowerCase()))
        ? { label: text }
        : { ...typedId(path), icon: "folder" };
    },
  });
}

function choiceOf(path: string): PickChoice<string> {
  return { icon: "folder", label: `${path}/`, value: path };
}

export interface AttachmentOptions {
  readonly session: ReadonlyStore<ChatSession>;
  readonly images: ImageFolder;
  readonly workspace: Workspace;
  /** Posts to the page of the chat. */
  readonly post: (message: AttachmentMessage) => void;
}

/** The options with the chat whose draft gets the attachments. The page may show another chat while the person is asked. */
export interface AttachingOptions extends AttachmentOptions {
  readonly toChat: string;
}

export function createAttachmentHandlers(options: AttachmentOptions): Handlers<AttachmentIntent> {
  const { post } = options;
  const answer = (key: number, work: Promise<void>): void =>
    void work.finally(() => post({ type: "attaching-ended", key }));
  /** A page that has loaded no chat yet sends an empty id, which stands for the chat that it is about to show. */
  const attachTo = (chat: string): AttachingOptions => ({
    ...options,
    toChat: chat || options.session.current.chat.id,
  });
  return {
    "context-find": ({ query }) =>
      void findContext(query, (items, more) =>
        post({ type: "context-found", query, items, ...(more ? { more } : {}) }),
      ),
    "context-add": ({ chat, key, from }) => answer(key, addFrom(attachTo(chat), from)),
    "uris-add": ({ chat, key, uris }) => answer(key, addUris(attachTo(chat), uris.map(readUri))),
    "image-add": ({ chat, key, name, data }) => void addImage(attachTo(chat), name, Buffer.from(data, "base64"), key),
    "image-open": ({ id }) => void openImage(options, id),
    "origin-use": ({ id }) => void useOrigin(options, id),
    "command-run": ({ command: typed }) => {
      const [command, choice] = typedCommands[typed];
      void runCommand(command, choice);
    },
  };
}

const typedCommands = {
  approval: [commands.focusApproval],
  export: [commands.manageChat, "export"],
  find: [commands.manageChat, "find"],
  history: [commands.chatHistory],
} as const satisfies Readonly<Record<string, readonly [CommandId, string?]>>;

/**
 * A text that is no URI is refused like a document outside the workspace. VS Code drags a file of a remote window with the window's own address for
 * it. In an extension that runs where the file is, the workspace consists of plain files, so the address is converted.
 */
function readUri(text: string): vscode.Uri {
  try {
    const uri = vscode.Uri.parse(text, true);
    const isOfWindow = uri.scheme === "vscode-remote" && vscode.workspace.getWorkspaceFolder(uri) === undefined;
    return isOfWindow ? vscode.Uri.file(uri.path) : uri;
  } catch {
    return vscode.Uri.from({ scheme: "untitled", path: text.replace(/^\/+/, "") });
  }
}

/** Attaches files and images of the workspace. Others are refused with a sentence. */
export async function addUris(options: AttachingOptions, uris: readonly vscode.Uri[]): Promise<void> {
  for (const uri of uris) {
    const reference = referenceTo(uri);
    if (reference === undefined)
      options.post({
        type: "composer-hint",
        text: whyUnreadable(uri),
      });
    else if (isImagePath(uri.path)) await addImageFile(options, reference.path);
    else attach(options, (await isFolder(uri)) ? { ...reference, kind: "folder" } : reference);
  }
}

function attach({ toChat: chat, post }: AttachingOptions, reference: FileReference): void {
  post({ type: "reference-add", chat, reference });
}

function whyUnreadable(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const virtual = folder && vscode.workspace.isTrusted ? describeVirtualFolders([folder]) : undefined;
  return virtual ?? t("{0} is not in a folder of a trusted workspace, so it was not attached.", nameOf(uri));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    return false;
  }
}

async function addImageFile(options: AttachingOptions, path: string): Promise<void> {
  const asked = { isRefused: false };
  const confirm: ConfirmAttachment = async (label, reasons) => {
    asked.isRefused = !(await askToSend(label, reasons));
    return !asked.isRefused;
  };
  try {
    const { signal } = new AbortController();
    await addImage(options, path, await readImageFile(options.workspace, path, imageSizeCap, confirm, signal));
  } catch {
    // The error's message is written for the model. Nothing is shown after the person's own No.
    if (!asked.isRefused) options.post({ type: "composer-hint", text: t("{0} can't be read.", path) });
  }
}

/** `key`: the key of the page's request, where the page has the bytes already. */
async function addImage(options: AttachingOptions, path: string, bytes: Uint8Array, key?: number): Promise<void> {
  const { images, post, toChat: chat } = options;
  const refuse = (text: string): void => post({ type: "composer-hint", text, ...definedFields({ key }) });
  try {
    const image = await images.keep(bytes);
    if (image === "too-large") refuse(tooLarge(path));
    else if (image === "not-an-image") refuse(t("{0} was not attached: it is no PNG, JPEG, GIF or WebP image.", path));
    else {
      const data = key === undefined ? Buffer.from(bytes).toString("base64") : undefined;
      post({ type: "reference-add", chat, reference: { path, image }, ...definedFields({ key, data }) });
      const { originIn } = await import("../../../tasks/host/submit/pictureOrigin");
      const origin = originIn(path, bytes);
      if (origin)
        post({
          type: "picture-origin",
          id: image.id,
          prompt: cutLabel(origin.prompt, maxShownPrompt),
          hasSeed: origin.seed !== undefined,
        });
    }
  } catch {
    refuse(t("{0} was not attached: it could not be kept on this machine.", path));
  }
}

function tooLarge(path: string): string {
  const cap = (imageSizeCap / (1024 * 1024)).toLocaleString(vscode.env.language);
  return t("{0} was not attached: images over {1} MB are refused by some services.", path, cap);
}

/** Opens the media form with the stored file, from which it reads the whole prompt. The page knows only its beginning. */
async function useOrigin({ images }: AttachmentOptions, id: string): Promise<void> {
  const image = await images.read(id).catch(() => undefined);
  const file = image && (await images.fileOf(image).catch(() => undefined));
  if (file !== undefined) await fillFormFrom(vscode.Uri.file(file));
}

async function openImage({ session, images }: AttachmentOptions, id: string): Promise<void> {
  const stored = session.current.chat.images?.find((image) => image.id === id);
  const image = stored ?? (await images.read(id).catch(() => undefined));
  const file = image && (await images.fileOf(image).catch(() => undefined));
  if (file !== undefined) await openFile(file);
}

type AttachmentSource = Extract<AttachmentIntent, { type: "context-add" }>["from"];

async function addFrom(options: AttachingOptions, from: AttachmentSource): Promise<void> {
  if (from === "menu") await askWhat(options);
  else if (from === "selection") await addSelection(options);
  else addCode(options, from === "code-with-problems");
}

/** The list that the attach button of the composer opens. */
async function askWhat(options: AttachingOptions): Promise<void> {
  const picker = new StepPicker(t("Attach"));
  try {
    const answer = await picker.ask({
      placeholder: t("What to attach to the prompt"),
      choices: [
        { icon: "go-to-file", label: t("Files…"), value: "files" },
        { icon: "folder", label: t("Folders…"), value: "folders" },
        { icon: "file-media", label: t("Image…"), value: "image" },
        { icon: "edit", label: t("Selection"), value: "selection" },
        { icon: "warning", label: t("Problems"), value: "problems" },
      ] as const,
    });
    if (typeof answer === "string") return;
    if (answer.value === "folders") {
      const folder = await askForFolder(picker);
      if (folder === "back") await askWhat(options);
      else if (folder !== "cancelled") await addFolder(options, folder.value);
      return;
    }
    picker.stepAside();
    if (answer.value === "selection") await addSelection(options);
    else if (answer.value === "problems") attachProblems(options);
    else if (answer.value === "files") await addUris(options, await askForFiles(t("Attach"), t("All files"), ["*"]));
    else await addChosenImages(options, await askForFiles(t("Attach"), t("Images"), pictureEndings("prompt")));
  } finally {
    picker.dispose();
  }
}

/** Checks the folder before attaching it, because a typed path may not exist. */
async function addFolder(options: AttachingOptions, path: string): Promise<void> {
  try {
    await gateFolder(options.workspace, path, new AbortController().signal);
    attach(options, { path, kind: "folder" });
  } catch {
    // The error's message is written for the model.
    options.post({ type: "composer-hint", text: t("{0} was not attached: the workspace has no such folder.", path) });
  }
}

/** The person chose these images in VS Code's own dialog, so they may be outside the workspace too. */
async function addChosenImages(options: AttachingOptions, uris: readonly vscode.Uri[]): Promise<void> {
  for (const uri of uris) {
    const reference = referenceTo(uri);
    if (reference !== undefined) await addImageFile(options, reference.path);
    else {
      const name = nameOf(uri);
      try {
        const { size } = await vscode.workspace.fs.stat(uri);
        if (size > imageSizeCap) options.post({ type: "composer-hint", text: tooLarge(name) });
        else await addImage(options, name, await vscode.workspace.fs.readFile(uri));
      } catch {
        options.post({ type: "composer-hint", text: t("{0} can't be read.", name) });
      }
    }
  }
}

async function addSelection(options: AttachingOptions): Promise<void> {
  const editor = targetEditor();
  const reference = editor && referenceToSelection(editor);
  if (reference !== undefined) attach(options, reference);
  else if (editor === undefined || editor.selection.isEmpty)
    options.post({ type: "composer-hint", text: t("Nothing is selected in the editor.") });
  // A selection that is in no file of the workspace is quoted as text.
  else await runCommand(commands.addToChat);
}

/** Attaches the selection, or the whole file of the editor where nothing is selected. */
function addCode(options: AttachingOptions, withProblems: boolean): void {
  const editor = targetEditor();
  const file = editor && referenceTo(editor.document.uri);
  if (editor === undefined || file === undefined) {
    options.post({
      type: "composer-hint",
      text: t("No file of the workspace is open in the editor: attach one with #."),
    });
    return;
  }
  attach(options, referenceToSelection(editor) ?? file);
  if (withProblems && listProblems(file.path) !== "") attach(options, { path: file.path, kind: "problems" });
}

/** Attaches the problems. Where VS Code shows none, a hint says so, because the chip would attach nothing. */
function attachProblems(options: AttachingOptions): void {
  if (listProblems("") === "") options.post({ type: "composer-hint", text: t("VS Code shows no problems now.") });
  else attach(options, { path: "", kind: "problems" });
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
