/** The words for an `AppError`: what happened, what it means for the money, and the one action that helps. Chosen here only. */
import { t } from "@vscode/l10n";
import { formatPrice, listSources } from "./describePrice";
import { plural, textLanguage } from "./plural";
import { describeStorage, describeStorageRemedy, needsReload } from "./describeStorage";
import { type AppError, mayHaveHappened, isDiskFull } from "../errors/appError";
import { factsOfKind } from "../errors/errorKinds";
import { editorOnlyCode } from "../gateway/connectionCheck";
import { quoteForeign } from "./quoteForeign";
import { isWithdrawn, keyTooOld, mayHaveMadeTask } from "../task/submission";
import { moneyOfCapCode, readCapCode } from "../task/dayCapCode";
import { isOtherHome } from "../task/sameHome";

/** The actions that open the setting of a cap of a day. */
export type CapAction = "change-tasks-per-day" | "change-money-per-day";

export type ErrorAction =
  | CapAction
  | "set-key"
  | "choose-gateway"
  | "retry"
  | "reconcile"
  | "open-console"
  | "add-funds"
  | "choose-model"
  | "show-log"
  | "check-connection"
  | "reload-window"
  // The actions with which a paused turn can go on.
  | "over-cap"
  | "change-token-cap"
  | "change-money-cap"
  | "change-rounds"
  | "summarize"
  | "leave-out";

/** The operation that failed, on which the meaning for the money depends. */
export type FailedOperation =
  /** The steps before a task is submitted. */
  | "new-task"
  | "submit"
  /** A request for a task whose outcome was already unknown. */
  | "reconcile"
  | "read"
  | "cancel"
  | "result"
  | "models"
  | "chat"
  /** A chat whose answer had begun. */
  | "answer"
  /** A chat or a begun answer of another extension, which decides itself what it keeps. */
  | "foreign-chat"
  | "foreign-answer";

export interface ErrorButton {
  readonly id: ErrorAction;
  readonly label: string;
}

/** An error in words. Made when it is shown and never stored. */
export interface ErrorDescription {
  /** What happened. */
  readonly title: string;
  /** What it means, the money first. */
  readonly meaning: string;
  readonly action: ErrorButton;
  /** A second button, shown next to the first where there is room. */
  readonly secondAction?: ErrorButton;
  /** The text of *Details*: status, content type, request id, first bytes (S4). One `name: value` a line. */
  readonly details: string;
  /** Nothing has failed: the turn waits for the person. */
  readonly isPause?: true;
}

export function describeError(error: AppError, doing: FailedOperation): ErrorDescription {
  return {
    title: describeCause(error),
    meaning: describeMeaning(error, doing),
    action: buttonOf(chooseAction(error, doing)),
    ...(isAboutConnection(error) ? { secondAction: buttonOf("check-connection") } : {}),
    details: describeDetails(error),
  };
}

export function buttonOf(id: ErrorAction): ErrorButton {
  return { id, label: actionLabel(id) };
}

/** The local gateway has a page for its console, and its money is made up. */
export function localButton({ id, label }: ErrorButton): ErrorButton {
  if (id === "add-funds") return { id, label: t("Top Up") };
  return { id, label: id === "open-console" ? t("Show Local Gateway") : label };
}

/** The buttons of a message or a page; `canRetry`: there is something that trying again would do. */
export function offeredButtons(
  { action, secondAction }: ErrorDescription,
  canRetry: boolean,
  isLocal: boolean,
): readonly ErrorButton[] {
  return (secondAction ? [action, secondAction] : [action])
    .filter(({ id }) => canRetry || (id !== "retry" && id !== "reconcile"))
    .map((button) => (isLocal ? localButton(button) : button));
}

/** Whether the gateway was not reached or did not answer, which a check of the connection can explain. */
function isAboutConnection({ kind }: AppError): boolean {
  return kind === "unreachable" || kind === "timed-out";
}

function describeCause(error: AppError): string {
  // Unquoted, the foreign message could end our sentence and begin one about money.
  const quoted = quoteForeign(error.message);
  switch (error.kind) {
    case "signed-out":
      // The message is the account's short name and the origin.
      return error.code === "other-account"
        ? t("The API key that is set is another account's. This needs a key of account {0}.", quoted)
        : t("No API key is set for this gateway.");
    case "unauthorized":
      return error.notSent
        ? t("The API key contains a space or another character that no key has. Copy it again.")
        : t("The gateway did not accept the API key.");
    case "forbidden":
      return t("The gateway does not allow this: {0}.", quoted);
    case "not-found":
      return t("The gateway does not know this: {0}.", quoted);
    case "conflict":
      return t("The gateway reports a conflict: {0}.", quoted);
    case "rate-limited":
      return error.retryAfterMs === undefined
        ? t("The gateway's rate limit is reached.")
        : t("The gateway's rate limit is reached. It asks to wait {0} s.", Math.ceil(error.retryAfterMs / 1000));
    case "insufficient-balance":
      return isPlainBalance(error.message) ? t("The balance is too low.") : t("The balance is too low: {0}.", quoted);
    case "not-enabled":
      return t("This task type is not enabled for the account: {0}.", quoted);
    case "rejected":
      if (isOtherHome(error)) return t("Another gateway or another API key has been chosen meanwhile.");
      return t("The gateway rejected the request: {0}.", quoted);
    case "too-large":
      return t("The request is too large: {0}.", quoted);
    case "unavailable":
      return t("The gateway has a problem: {0}.", quoted);
    case "unreachable":
      if (error.code === editorOnlyCode) {
        return t(
          "The result's address can't be reached: {0}. Only VS Code's own connection gets out here, and results never use it. Name your proxy in the setting http.proxy.",
          quoted,
        );
      }
      return error.notSent
        ? t("The gateway can't be reached: {0}.", quoted)
        : t("The connection to the gateway was lost: {0}.", quoted);
    case "timed-out":
      return t("The gateway did not answer in time: {0}.", quoted);
    case "malformed":
      return t("The gateway's answer can't be understood: {0}.", quoted);
    case "storage":
      return describeStorage(error);
    case "capped":
      return describeTaskCap(error.code ?? "");
    case "interrupted":
      if (isWithdrawn(error)) return t("It was cancelled before it was sent.");
      if (error.code === keyTooOld.code)
        return t("It waited for so long that the gateway may no longer know its idempotency key, so it was not sent.");
      return error.notSent
        ? t("VS Code was closed before this was sent.")
        : t("VS Code was closed before the gateway answered.");
  }
}

/** Whether the gateway's message only repeats the title, that the balance is too low. One with digits may hold an amount and is shown. */
function isPlainBalance(message: string): boolean {
  return message.length < 60 && !/\d/.test(message) && /balance|funds|credit|quota/i.test(message);
}

/** The action that opens the setting of the cap that was exceeded; `cap` as in `describeTaskCap`. */
export function capAction(cap: string): CapAction {
  return moneyOfCapCode(cap) === undefined ? "change-tasks-per-day" : "change-money-per-day";
}

/** `cap` is the code of the error, which failures of answers contain too. */
export function describeTaskCap(cap: string): string {
  const money = moneyOfCapCode(cap);
  const { cap: most, made, more, sources } = readCapCode(cap);
  // A cap that this submission would exceed is not reached: a smaller submission would fit.
  const isReached = made === undefined || more === undefined || made >= Number(money?.amount ?? most);
  if (money) {
    const say = (amount: number): string => formatPrice({ amount, currency: money.currency }, textLanguage());
    const by = listSources(sources, textLanguage());
    return isReached
      ? t("Your cap of {0} a day is reached, by {1}.", say(money.amount), by)
      : t(
          "This would cost {0}. {1} of your cap of {2} a day are spent or reserved, by {3}.",
          say(more),
          say(made),
          say(money.amount),
          by,
        );
  }
  if (!isReached)
    return plural(
      more,
      {
        one: "1 more task would pass your cap of {1} tasks a day: today there are {2}.",
        other: "{0} more tasks would pass your cap of {1} tasks a day: today there are {2}.",
      },
      more,
      most,
      made,
    );
  return plural(
    Number(most),
    { one: "Your cap of {0} task a day is reached.", other: "Your cap of {0} tasks a day is reached." },
    most,
  );
}

/**
 * The words for records that could not be written to disk. `accepted` counts the tasks whose acceptance is among them; everything else is read from
 * the service again after a restart.
 */
export function describeUnwritten(accepted: number, error: AppError): ErrorDescription {
  const what =
    accepted === 0
      ? t("Until that is mended, no task can be submitted.")
      : plural(accepted, {
          one: "One accepted task is not on disk yet: keep this window open until it is.",
          other: "{0} accepted tasks are not on disk yet: keep this window open until they are.",
        });
  const meaning =
    accepted === 0
      ? t("Nothing paid is lost: what the rows show is read from the gateway again.")
      : t("After a restart they would read outcome unknown, and asking again would find them without paying twice.");
  return {
    title: `${describeStorage(error)} ${what}`,
    meaning: `${meaning} ${describeStorageRemedy(error)}`,
    // A reload would forget an accept that is not on disk.
    action: buttonOf(needsReload(error) && accepted === 0 ? "reload-window" : "retry"),
    details: describeDetails(error),
  };
}

function describeMeaning(error: AppError, doing: FailedOperation): string {
  switch (doing) {
    case "new-task":
      return t("Nothing was sent, so nothing is paid.");
    case "submit":
      return describeSubmit(error);
    case "reconcile":
      return t(
        "This does not show whether the task exists. Nothing is paid twice: asking again sends the same request under the same key.",
      );
    case "read":
      if (error.kind === "storage") return `${t("Nothing was changed.")} ${describeStorageRemedy(error)}`;
      return t("The task goes on at the gateway. The row shows its last known state.");
    case "cancel":
      return error.notSent
        ? t("The cancel was not sent. The task goes on.")
        : t("The task may still be running. Nothing was changed here.");
    case "result": {
      const stays = t("The result stays at the gateway until its link expires. Nothing is paid again for another try.");
      return isDiskFull(error) ? `${describeStorageRemedy(error)} ${stays}` : stays;
    }
    case "models":
      return t("A model id can always be typed in.");
    case "chat":
      return describeChat(error);
    case "answer":
      return t("What arrived is kept. The gateway charges a cut answer by what it produced.");
    case "foreign-chat":
      return describeForeignChat(error);
    case "foreign-answer":
      return t("The gateway charges a cut answer by what it produced.");
  }
}

function describeSubmit(error: AppError): string {
  if (error.kind === "capped") return t("Nothing was sent, so nothing is paid.");
  if (mayHaveMadeTask(error)) return t("The task may exist. Nothing is paid twice if you ask again.");
  if (error.notSent) return t("Nothing was sent, so nothing is paid. The task is kept here.");
  return t("The gateway refused it: no task was made, and nothing is paid. The prompt is kept here.");
}

function describeChat(error: AppError): string {
  if (mayHaveHappened(error))
    return t("No answer arrived. If the gateway produced one, it charges for it. Your message is kept.");
  if (error.notSent) return t("Nothing was sent, so nothing is paid. Your message is kept.");
  return t("Nothing was produced, so nothing is paid. Your message is kept.");
}

function describeForeignChat(error: AppError): string {
  if (mayHaveHappened(error)) return t("No answer arrived. If the gateway produced one, it charges for it.");
  return error.notSent ? t("Nothing was sent, so nothing is paid.") : t("Nothing was produced, so nothing is paid.");
}

function chooseAction(error: AppError, doing: FailedOperation): ErrorAction {
  if (doing === "submit" && mayHaveMadeTask(error)) return "reconcile";
  if (doing === "reconcile") {
    return error.kind === "signed-out" || error.kind === "unauthorized" ? "set-key" : "reconcile";
  }
  if (error.kind === "unreachable" && error.notSent) return "choose-gateway";
  if (isOtherHome(error)) return "retry";
  if (error.kind === "capped") return capAction(error.code ?? "");
  const { action, chatAction = action } = factsOfKind(error.kind);
  return isChat(doing) ? chatAction : action;
}

function isChat(doing: FailedOperation): boolean {
  return doing === "chat" || doing === "answer";
}

export function actionLabel(action: ErrorAction): string {
  switch (action) {
    case "set-key":
      return t("Set API Key");
    case "change-tasks-per-day":
    case "change-money-per-day":
      return t("Change Cap");
    case "choose-gateway":
      return t("Choose Gateway");
    case "retry":
      return t("Try Again");
    case "reconcile":
      return t("Ask Again What Became of It");
    case "open-console":
    case "add-funds":
      return t("Open Console");
    case "choose-model":
      return t("Choose Model");
    case "show-log":
      return t("Show Log");
    case "check-connection":
      return t("Check Connection");
    case "reload-window":
      return t("Reload Window");
    case "over-cap":
      return t("Go On Once");
    case "change-token-cap":
    case "change-money-cap":
      return t("Change Cap");
    case "change-rounds":
      return t("Change Limit");
    case "summarize":
      return t("Summarize and Go On");
    case "leave-out":
      return t("Leave Them Out and Go On");
  }
}

export function describeDetails(error: AppError): string {
  const rows: [string, string | number | undefined][] = [
    ["kind", error.kind],
    ["status", error.status],
    ["code", error.code],
    ["request id", error.requestId],
    ["content type", error.contentType],
    ["retry after", error.retryAfterMs === undefined ? undefined : `${error.retryAfterMs} ms`],
    ["message", error.message],
    ["first bytes", error.firstBytes],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])).join("\n");
}
