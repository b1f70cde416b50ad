/** The intents of the chat page about prompt files: the list after `/`, the model or mode that a file asks for, and opening a file. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import type { ShownChat } from "../../storage/shownChat";
import { readMode } from "../../../domain/chat/chatMode";
import type { Workspace } from "../../../domain/tools/workspace";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import type { Handlers } from "../../../base/pageContract";
import type {
  AttachmentMessage,
  PromptIntent,
  PromptItem,
  PromptMessage,
  ChatPageIntent,
} from "../../contract/chatPageContract";
import type { ListedPrompt } from "../../../tools/context/promptBook";
import { openFile, openSettings } from "../../../vscode/interface/runCommand";
import { whyNotChosen } from "../../../domain/words/modeWords";
import type { SettingKey } from "../../../domain/settingTable";
import { openWorkspaceFile } from "./fileReferences";
import type { PromptFiles } from "./promptFiles";

export interface PromptOptions {
  readonly chat: ShownChat;
  readonly prompts: PromptFiles;
  readonly models: ModelCatalog;
  readonly workspace: Workspace;
  readonly post: (message: PromptMessage | AttachmentMessage) => void;
}

export function createPromptHandlers({
  chat,
  prompts,
  models,
  workspace,
  post,
}: PromptOptions): Handlers<PromptIntent> {
  const find = async (name: string): Promise<ListedPrompt | undefined> =>
    (await prompts.list()).prompts.find((prompt) => prompt.name === name);
  const open = async (name: string): Promise<void> => {
    const prompt = await find(name);
    if (prompt?.path !== undefined) await openWorkspaceFile(workspace, { path: prompt.path });
    else if (prompt?.file !== undefined) await openFile(prompt.file);
    else say(t("{0} can't be read.", name));
  };
  const say = (text: string): void => post({ type: "composer-hint", text });
  return {
    "prompts-list": () =>
      void prompts.list().then(
        (listed) =>
          post({
            type: "prompts-listed",
            prompts: listed.prompts.map((prompt) => itemOf(prompt, models)),
            more: listed.more,
          }),
        () => post({ type: "prompts-listed", prompts: [], more: 0 }),
      ),
    "prompt-use": ({ name, what }) => {
      const session = chat.session.current;
      void find(name).then(async (prompt) => {
        const { model, mode } = prompt?.header.asksFor ?? {};
        const known = readMode(mode ?? "");
        const isSet =
          what === "mode"
            ? known === undefined || (await session.setMode(known))
            : model === undefined || !isListed(model, models) || (await session.choose({ type: "model-set", model }));
        if (!isSet) say(whyNotChosen());
      });
    },
    "prompt-open": ({ name }) => void open(name).catch(() => say(t("{0} can't be read.", name))),
  };
}

function itemOf({ name, kind, path, header, isUntracked }: ListedPrompt, models: ModelCatalog): PromptItem {
  const { description, hint, asksFor = {} } = header;
  const { model, mode } = asksFor;
  return {
    name,
    group: path === undefined ? "own" : kind === "skill" ? "skill" : "workspace",
    ...definedFields({ path, description, hint, isUntracked }),
    ...asksFor,
    ...definedFields({ knownMode: mode === undefined ? undefined : readMode(mode) }),
    ...(model !== undefined && isListed(model, models) ? { canUseModel: true } : {}),
  };
}

function isListed(id: string, { models }: ModelCatalog): boolean {
  return models.current.list.some((model) => model.id === id);
}

/** The intents of the chips of instructions: open the file or the setting, remove the instructions from the chat, or allow them. */
type InstructionIntent = Extract<ChatPageIntent, { readonly type: `instructions-${string}` }>;

export function createInstructionHandlers({ chat, workspace, post }: PromptOptions): Handlers<InstructionIntent> {
  const say = (text: string): void => post({ type: "composer-hint", text });
  const open = async (path: string): Promise<void> => {
    if (path === "") await openSettings(`@id:${"sluice.instructions" satisfies SettingKey}`);
    else await openWorkspaceFile(workspace, { path });
  };
  return {
    "instructions-open": ({ path }) => void open(path).catch(() => say(t("{0} can't be read.", path))),
    "instructions-remove": ({ path }) => void chat.session.current.removeInstructions(path),
    "instructions-allow": ({ path }) =>
      void chat.session.current.allowInstructions(path).then((isAllowed) => {
        if (!isAllowed) say(t("{0} can't be read.", path));
      }),
  };
}
