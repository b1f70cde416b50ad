/** The modes of a chat, and which tools each offers to the model: by what a tool can do at most, as it declares it (A13). */

/** The modes in the order in which Shift+Tab goes through them. A chat without a mode is in the first one. */
export const chatModes = ["agent", "ask", "plan"] as const;
export type ChatMode = (typeof chatModes)[number];

const everywhere = chatModes;
const acting: readonly ChatMode[] = ["agent"];

/** What a tool can do at most, and the modes that offer such tools. */
const effectTable = {
  /** Reads only. A file that may hold a secret is read once the person has allowed it. */
  reads: everywhere,
  /** Starts a reader: a model with a context of its own, which calls the tools that read. */
  delegates: everywhere,
  /** Asks the person a question; the answer is text and allows nothing. */
  asks: everywhere,
  /** Shows how far the work in hand is. */
  tracks: acting,
  /** Hands the plan to the person before the work. */
  presents: ["plan"],
  /** Changes files. */
  changes: acting,
  /** Runs a program. */
  runs: acting,
  /** Submits a task to the gateway, or cancels one. */
  submits: acting,
  /** Belongs to a foreign tool: what it does is not known, so it may send anything anywhere. */
  sends: acting,
} as const satisfies Readonly<Record<string, readonly ChatMode[]>>;

export type ToolEffect = keyof typeof effectTable;

export const toolEffects = Object.keys(effectTable) as readonly ToolEffect[];

export function isOffered(effect: ToolEffect, mode: ChatMode): boolean {
  const modes: readonly ChatMode[] = effectTable[effect];
  return modes.includes(mode);
}

/** Whether calls that would change something are refused, also those of a tool that declares only to read. */
export function isReadOnly(mode: ChatMode): boolean {
  return mode !== "agent";
}

/** The mode that a prompt file names; `undefined` for an unknown name. Files for other agents may name *edit*, which is *agent* here. */
export function readMode(word: string): ChatMode | undefined {
  const name = word.toLowerCase();
  return chatModes.find((mode) => mode === name) ?? (name === "edit" ? "agent" : undefined);
}

export function nextMode(mode: ChatMode): ChatMode {
  return chatModes[(chatModes.indexOf(mode) + 1) % chatModes.length] ?? "agent";
}
