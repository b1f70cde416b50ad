/** What the chips of instructions do: open the file or the setting, take it out of the chat, or let it in. */
import { t } from "@vscode/l10n";
import type { ReadonlyStore } from "../../../base/store";
import type { ChatSession } from "../../session/session";
import type { SettingKey } from "../../../domain/settingTable";
import type { Workspace } from "../../../domain/tools/workspace";
import type { AttachmentMessage } from "../../contract/attachmentMessages";
import type { ChatPageIntent } from "../../contract/chatPageContract";
import type { Handlers } from "../../../base/pageContract";
import { openSettings } from "../../../vscode/interface/runCommand";
import { openWorkspaceFile } from "./openWorkspaceFile";

type InstructionIntent = Extract<ChatPageIntent, { readonly type: `instructions-${string}` }>;

interface InstructionPorts {
  readonly session: ReadonlyStore<ChatSession>;
  readonly workspace: Workspace;
  readonly post: (message: AttachmentMessage) => void;
}

export function createInstructionHandlers({ session, workspace, post }: InstructionPorts): Handlers<InstructionIntent> {
  const say = (text: string): void => post({ type: "composer-hint", text });
  const open = async (path: string): Promise<void> => {
    if (path === "") await openSettings(`@id:${"sluice.instructions" satisfies SettingKey}`);
    else await openWorkspaceFile(workspace, { path });
  };
  return {
    "instructions-open": ({ path }) => void open(path).catch(() => say(t("{0} can't be read.", path))),
    "instructions-remove": ({ path }) => void session.current.removeInstructions(path),
    "instructions-allow": ({ path }) =>
      void session.current.allowInstructions(path).then((isAllowed) => {
        if (!isAllowed) say(t("{0} can't be read.", path));
      }),
  };
}
