/** The words for an answer that failed. They are chosen when it is shown; the transcript stores the failure itself. */
import { t } from "@vscode/l10n";
import { formatPrice, listSources } from "./describePrice";
import { plural, textLanguage } from "./plural";
import {
  actionLabel,
  buttonOf,
  describeDetails,
  describeError,
  capAction,
  describeTaskCap,
  type ErrorDescription,
} from "./describeError";
import { isEmptyAnswer, isUnreadableCall, type AppError, mayHaveHappened } from "../errors/appError";
import { quoteForeign } from "./quoteForeign";
import type { AnswerEntry, AnswerFailure, AnswerRetry, LeftOut } from "../chat/chat";

/** `undefined` for an answer that did not fail. */
export function describeFailure({
  failure,
  blocks,
  isFree,
}: Pick<AnswerEntry, "failure" | "blocks" | "isFree">): ErrorDescription | undefined {
  switch (failure?.type) {
    case undefined:
      return undefined;
    case "gateway":
      return describeCut(failure.error, blocks.length > 0, isFree);
    case "no-model":
      return {
        title: t("Choose a model first."),
        meaning: t("Nothing was sent, so nothing is paid. Your message is kept."),
        action: { id: "choose-model", label: actionLabel("choose-model") },
        details: "",
      };
    case "round-limit":
      return {
        title: plural(failure.rounds, { other: "The model has answered {0} times in a row without coming to an end." }),
        meaning: t("Nothing more was sent."),
        action: { id: "retry", label: t("Go On") },
        secondAction: buttonOf("change-rounds"),
        details: "",
        isPause: true,
      };
    case "invalid-calls":
      return {
        title: plural(
          failure.times,
          { other: "The model has made the same call of {1} {0} times in a row, in a form that can't be read." },
          failure.times,
          quoteForeign(failure.name),
        ),
        meaning: t("None of them was run, and nothing more was sent. Another model may do better."),
        action: { id: "retry", label: t("Go On") },
        secondAction: buttonOf("choose-model"),
        details: "",
        isPause: true,
      };
    case "unread-call":
      return {
        title: t("The model wrote a tool call as text, in a form that can't be read."),
        meaning: t(
          "Nothing was run. The model's server did not read the call. Update the server or its chat template, or choose another model.",
        ),
        action: buttonOf("retry"),
        secondAction: buttonOf("choose-model"),
        details: "",
      };
    case "token-cap":
    case "money-cap":
    case "task-cap":
    case "context-full":
      return { ...describePause(failure), isPause: true };
    case "call-limit":
      return {
        title: describeCallLimit(failure.calls),
        meaning: isFree
          ? t("What arrived is kept.")
          : t("What arrived is kept. The gateway charges a cut answer by what it produced."),
        action: { id: "retry", label: actionLabel("retry") },
        details: "",
      };
  }
}

function describeCut(error: AppError, hasText: boolean, isFree: true | undefined): ErrorDescription {
  const described = describeError(error, hasText ? "answer" : "chat");
  if (!isFree) return described;
  if (hasText) return { ...described, meaning: t("What arrived is kept.") };
  return mayHaveHappened(error) ? { ...described, meaning: t("No answer arrived. Your message is kept.") } : described;
}

/** `calls`: how many an answer may make. */
export function describeCallLimit(calls: number): string {
  return plural(calls, { other: "The answer makes more than {0} tool calls at once." });
}

/** The reason why a request was sent again. */
export function describeRetry({ error, leftOut }: AnswerRetry): string {
  if (leftOut !== undefined) return describeLeftOut(leftOut);
  if (isOverloaded(error)) return t("The gateway is overloaded.");
  if (isUnreadableCall(error)) return t("The model made a call in a form that can't be read.");
  return isEmptyAnswer(error) ? t("The answer was empty.") : describeError(error, "chat").title;
}

function describeLeftOut({ type, value }: LeftOut): string {
  switch (type) {
    case "thinking":
      return t("This model does not take this choice of thinking: it is left to the model.");
    case "temperature":
      return t("This model does not take the temperature {0}: it is left out.", value);
    case "tool-choice":
      return t("This model can't be made to call a tool: it decides by itself.");
    case "tool":
      return t("The service does not take the tool {0}: it is left out.", quoteForeign(value));
  }
}

function isOverloaded({ kind, status, code = "" }: AppError): boolean {
  return kind === "unavailable" && (status === 529 || code.startsWith("overloaded"));
}

/** The next request was not sent, or not taken: the turn waits for the person. */
function describePause(
  failure: Extract<AnswerFailure, { type: "token-cap" | "money-cap" | "task-cap" | "context-full" }>,
): ErrorDescription {
  switch (failure.type) {
    case "token-cap": {
      const [used, next, cap] = [failure.used, failure.next, failure.cap].map((count) =>
        count.toLocaleString(textLanguage()),
      );
      return {
        title: plural(
          failure.used,
          { other: "This chat has used {0} tokens, and the next request takes about {1}: your cap is {2}." },
          used ?? "",
          next ?? "",
          cap ?? "",
        ),
        meaning: t("It was not sent. Going on once allows the rest of this turn."),
        action: buttonOf("over-cap"),
        secondAction: buttonOf("change-token-cap"),
        details: "",
      };
    }
    case "money-cap": {
      const { currency, sources = ["your-list"] } = failure;
      const say = (amount: number): string => formatPrice({ amount, currency }, textLanguage());
      const by = listSources(sources, textLanguage());
      return {
        title:
          failure.next === undefined
            ? t("By {0} this chat has cost {1}: your cap is {2}.", by, say(failure.used), say(failure.cap))
            : t(
                "By {0} this chat has cost {1}, and the next request costs about {2}: your cap is {3}.",
                by,
                say(failure.used),
                say(failure.next),
                say(failure.cap),
              ),
        meaning: t("It was not sent. Going on once allows the rest of this turn."),
        action: buttonOf("over-cap"),
        secondAction: buttonOf("change-money-cap"),
        details: "",
      };
    }
    case "task-cap":
      return {
        title: describeTaskCap(failure.cap),
        meaning: t("The task was not submitted, so nothing is paid for it. The model has not been asked to go on."),
        action: buttonOf(capAction(failure.cap)),
        secondAction: { id: "retry", label: t("Go On") },
        details: "",
      };
    case "context-full":
      return {
        title:
          failure.error === undefined
            ? t("This chat is too long for the model, and its older messages could not be summarized.")
            : describeError(failure.error, "chat").title,
        ...describeFull(failure),
        details: failure.error === undefined ? "" : describeDetails(failure.error),
      };
  }
}

/** The words for what can be done, or was done, where a request does not fit into the model's context. */
function describeFull({
  isSentAgain,
  isAllNeeded,
}: Extract<AnswerFailure, { type: "context-full" }>): Pick<ErrorDescription, "meaning" | "action" | "secondAction"> {
  if (isSentAgain) return { meaning: t("A shorter request was made in its place."), action: buttonOf("retry") };
  if (isAllNeeded)
    return {
      meaning: t(
        "Your message is kept. There is nothing older to leave out. Shorten the message, its attachments or pinned messages, or choose a model with a larger context.",
      ),
      action: buttonOf("choose-model"),
      secondAction: buttonOf("retry"),
    };
  return {
    meaning: t(
      "Your message is kept. The model can go on with a summary of the older messages, which costs tokens, or without them. They stay in this chat.",
    ),
    action: buttonOf("summarize"),
    secondAction: buttonOf("leave-out"),
  };
}
