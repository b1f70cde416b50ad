/** The names of the icons in use. `styles/icons.css` has a rule for each; a test compares the two. */
export const iconNames = [
  "arrow-down",
  "arrow-up",
  "check",
  "chevron-down",
  "chevron-right",
  "circle-large-outline",
  "circle-slash",
  "close",
  "cloud-upload",
  "comment-discussion",
  "copy",
  "debug-stop",
  "diff",
  "discard",
  "edit",
  "error",
  "file",
  "insert",
  "key",
  "lightbulb",
  "link",
  "loading",
  "new-file",
  "pass-filled",
  "pulse",
  "question",
  "refresh",
  "send",
  "shield",
  "stop-circle",
  "warning",
] as const;

type PlainIcon = (typeof iconNames)[number];
/** The rest of a class name after `codicon-`. */
export type IconName = PlainIcon | "loading codicon-modifier-spin";
