/** The actions on a picture that a model answered with or that a tool returned: show it, save it, insert it into a document. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ReadonlyStore } from "../../../base/store";
import type { ChatSession } from "../../session/session";
import type { MediaAction, MediaMessage, PicturePlace, EditorIntent } from "../../contract/chatPageContract";
import type { Handlers } from "../../../base/pageContract";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { askWhereToSave } from "../../../vscode/interface/fileDialogs";
import { type AltOptions, askForAlt, hasAlt } from "../../../tasks/host/results/askForAlt";
import { insertReferenceAt, type InsertPlace, placeForReference } from "../../../tasks/host/results/insertAtCursor";
import { readMedia } from "../../view/mediaBlock";
import type { PageScaler } from "../../../tools/base/pageScaler";
import { placeResult } from "../../../tasks/host/results/placeResults";
import {
  type NamedResult,
  proposeTarget,
  saveIntoFolder,
  showPath,
  type WorkspaceCopies,
} from "../../../tasks/host/results/resultTargets";
import { flashStatus } from "../../../vscode/interface/show";

export interface ChatMediaOptions extends WorkspaceCopies {
  readonly session: ReadonlyStore<ChatSession>;
  readonly dialogs: Dialogs;
  readonly alt: AltOptions;
  readonly post: (message: MediaMessage) => void;
  readonly scaler: Pick<PageScaler, "receive">;
}

type MediaHandlers = Pick<Handlers<EditorIntent>, "media-request" | "media-act" | "image-scaled">;

export function createChatMedia(options: ChatMediaOptions): MediaHandlers {
  return {
    "media-request": ({ type: _type, ...place }) => {
      const media = readMedia(options.session.current.chat, place);
      if (!media) return;
      const { bytes, shownAs } = media;
      const picture = shownAs === undefined ? {} : { picture: { mimeType: shownAs, data: bytes.toString("base64") } };
      options.post({ type: "media", ...place, ...picture });
    },
    "image-scaled": ({ key, data }) => options.scaler.receive(key, data),
    "media-act": ({ type: _type, action, ...place }) => {
      const act = (): void =>
        void useMedia(options, place, action).catch((error: unknown) =>
          options.dialogs.showFailure(error, "result", act),
        );
      act();
    },
  };
}

async function useMedia(options: ChatMediaOptions, place: PicturePlace, action: MediaAction): Promise<void> {
  const { chat } = options.session.current;
  const media = readMedia(chat, place);
  const cursor = action === "insert" ? placeForReference() : undefined;
  if (!media || (action === "insert" && !cursor)) return;
  const asked = chat.entries.slice(
    0,
    chat.entries.findIndex(({ id }) => id === place.answer),
  );
  const prompt = asked.findLast((entry) => entry.type === "user");
  const named: NamedResult = { prompt: prompt?.type === "user" ? prompt.text : "", type: "picture" };
  const folder = await mkdtemp(join(tmpdir(), "sluice-picture-"));
  try {
    const source = join(folder, `picture${media.ending}`);
    await writeFile(source, media.bytes, { mode: 0o600 });
    // The picture is saved after the last question, so that Esc leaves nothing behind.
    const words = cursor && (await wordsFor(options, cursor, vscode.Uri.file(source), named.prompt));
    if (cursor && words === undefined) return;
    const target = await save(options, named, source, action === "save");
    if (!target) return;
    if (cursor && words !== undefined) await insertReferenceAt(cursor, target, words);
    else flashStatus("check", t("Saved as {0}", showPath(target)), 5000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves with the words for the picture in that document; `undefined` when the person leaves. */
async function wordsFor(
  { alt }: ChatMediaOptions,
  { editor }: InsertPlace,
  file: vscode.Uri,
  prompt: string,
): Promise<string | undefined> {
  return hasAlt(editor.document, file) ? askForAlt(alt, { file, prompt }) : prompt;
}

/** Resolves with the saved file, or `undefined` when the person cancels. */
async function save(
  options: ChatMediaOptions,
  named: NamedResult,
  source: string,
  asks: boolean,
): Promise<vscode.Uri | undefined> {
  if (!asks && (vscode.workspace.workspaceFolders ?? []).length > 0) return saveIntoFolder(options, named, source);
  const target = await askWhereToSave(t("Save Picture As"), await proposeTarget(options, named, source));
  // The dialog has already asked whether to replace an existing file.
  if (target) await placeResult(source, target, true);
  return target;
}
