/** The kinds of errors and what follows from each: a new kind is a row here, and its sentence in `words/describeError.ts`. */

/** The decisions that the places which handle errors make by the kind alone. */
export interface ErrorKindFacts {
  /** The request may have had an effect although no response proves it. */
  readonly mayHaveHappened: boolean;
  /**
   * Whether a chat request of which nothing was produced is sent again (`gateway/stream/streamChat.ts`). `never`: another attempt would be
   * refused too, whatever the header `x-should-retry` asks for. `if-asked`: only where that header asks for it.
   */
  readonly retry: "never" | "if-asked" | "by-status" | "when-overloaded" | "when-disconnected" | "once" | "if-empty";
  /** Whether another model of the same gateway may well answer where this one did not. */
  readonly mayBeModels?: true;
  /** The wait of all reads of an account's tasks after this error of one read. `none`: it concerns that task, or names its own pause. */
  readonly backOff: "none" | "growing" | "until-next-key";
  /** The code of VS Code's `LanguageModelError`; undefined where VS Code has none for it. */
  readonly modelErrorCode?: "no-permissions" | "not-found" | "blocked";
  /** The button that helps. */
  readonly action: ErrorKindAction;
  /** The button in a chat, where it is another one. */
  readonly chatAction?: ErrorKindAction;
}

type ErrorKindAction =
  "set-key" | "change-tasks-per-day" | "retry" | "open-console" | "add-funds" | "choose-model" | "show-log";

const nothingSent = { mayHaveHappened: false, retry: "if-asked", backOff: "none" } as const;
const refused = { ...nothingSent, action: "show-log", chatAction: "retry" } as const;
const keyNeeded = {
  mayHaveHappened: false,
  retry: "if-asked",
  backOff: "until-next-key",
  modelErrorCode: "no-permissions",
  action: "set-key",
} as const;
const lost = { mayHaveHappened: true, backOff: "growing", action: "retry" } as const;

export const errorKinds = {
  "signed-out": keyNeeded,
  unauthorized: keyNeeded,
  forbidden: { ...refused, modelErrorCode: "no-permissions" },
  "not-found": { ...refused, modelErrorCode: "not-found", chatAction: "choose-model", mayBeModels: true },
  conflict: { ...refused, retry: "by-status" },
  "rate-limited": { ...nothingSent, retry: "when-overloaded", action: "retry", mayBeModels: true },
  "insufficient-balance": { ...nothingSent, retry: "never", modelErrorCode: "blocked", action: "add-funds" },
  "not-enabled": { ...nothingSent, retry: "never", modelErrorCode: "no-permissions", action: "open-console" },
  rejected: refused,
  "too-large": refused,
  unavailable: { ...lost, retry: "when-overloaded", mayBeModels: true },
  unreachable: { ...lost, retry: "when-disconnected" },
  "timed-out": { ...lost, retry: "once", mayBeModels: true },
  malformed: { ...lost, backOff: "none", retry: "if-empty" },
  // The last three come from this machine. A write that must precede the request failed; `code` is that of the file system.
  storage: { ...lost, backOff: "none", retry: "if-asked" },
  // VS Code ended before there was an outcome.
  interrupted: { ...lost, backOff: "none", retry: "if-asked" },
  // A cap that the person has set (`code`) is reached.
  capped: { ...nothingSent, action: "change-tasks-per-day" },
} as const satisfies Readonly<Record<string, ErrorKindFacts>>;

export type AppErrorKind = keyof typeof errorKinds;

export const appErrorKinds = Object.keys(errorKinds) as readonly AppErrorKind[];

export function factsOfKind(kind: AppErrorKind): ErrorKindFacts {
  return errorKinds[kind];
}
