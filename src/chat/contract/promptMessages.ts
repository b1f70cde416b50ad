/** The messages about what can be typed after `/`: prompt files and skills, which the host finds, names and reads. */
import * as z from "zod/mini";
import type { ChatMode } from "../../domain/modes/chatMode";
import type { IntentOf, PageContract } from "../../base/contract/pageContract";

/** The commands of the page. */
const commandNames = [
  "explain",
  "fix",
  "tests",
  "doc",
  "new",
  "mode",
  "model",
  "find",
  "summarize",
  "rewind",
  "history",
  "export",
] as const;

/** As other chats call them: found when they are typed, and not listed. */
export const commandAliases = { clear: "new", compact: "summarize", resume: "history" } as const satisfies Readonly<
  Record<string, CommandName>
>;

/** A file of such a name gets another one. */
export const reservedNames: readonly string[] = [...commandNames, ...Object.keys(commandAliases)];

export type CommandName = (typeof commandNames)[number];

const name = z.string().check(z.maxLength(200));

export const promptIntents = {
  /** Asks for `prompts-listed`. */
  "prompts-list": {},
  /** Chooses the model, or the mode, that the prompt of that name asks for, for the chat that is shown. */
  "prompt-use": { name, what: z.enum(["model", "mode"]) },
  /** Opens the file of the prompt of that name. */
  "prompt-open": { name },
} as const;

export type PromptIntent = IntentOf<PageContract<typeof promptIntents, never>>;

/** One that can be started by its name. */
export interface PromptItem {
  readonly name: string;
  readonly group: "own" | "workspace" | "skill";
  /** In the workspace. */
  readonly path?: string;
  readonly description?: string;
  readonly hint?: string;
  /** git does not track it. */
  readonly isUntracked?: true;
  /** What it asks for: the person decides. `canUseModel`: the gateway lists it. `knownMode`: the mode here that is meant. */
  readonly model?: string;
  readonly canUseModel?: true;
  readonly mode?: string;
  readonly knownMode?: ChatMode;
  readonly tools?: readonly string[];
}

export type PromptMessage =
  /** `more`: files that are not listed, because there are too many. */
  | { readonly type: "prompts-listed"; readonly prompts: readonly PromptItem[]; readonly more: number }
  /** The list has changed; a page that has asked for it asks again. */
  | { readonly type: "prompts-changed" };
