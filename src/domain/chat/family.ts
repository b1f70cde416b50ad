/** The three chat APIs that a gateway may offer. */
export const families = ["chat-completions", "messages", "generate-content"] as const;
export type Family = (typeof families)[number];
