/** The texts about requests that were retried or will be. Pure. */
import { t } from "@vscode/l10n";
import type { AnswerRetry } from "../../../domain/chat/chat";
import { describeRetry } from "../../../domain/words/describeAnswer";
import { plural } from "../../../domain/words/plural";
import { revealName } from "../../../webview/hiddenCharacters";

/** One line for consecutive retries with the same reason. */
export function describePast(retries: readonly AnswerRetry[]): readonly string[] {
  const groups: AnswerRetry[][] = [];
  for (const retry of retries) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isAlike(last[0], retry)) last.push(retry);
    else groups.push([retry]);
  }
  return groups.flatMap((group) => {
    const [retry] = group;
    return retry === undefined ? [] : [describeGroup(retry, group.length)];
  });
}

function isAlike(one: AnswerRetry, other: AnswerRetry): boolean {
  return one.delayMs !== undefined && other.delayMs !== undefined && describeRetry(one) === describeRetry(other);
}

function describeGroup(retry: AnswerRetry, count: number): string {
  const reason = revealName(describeRetry(retry));
  if (retry.delayMs === undefined) return t("Sent again in another form: {0}", reason);
  if (count > 1) return plural(count, { other: "Tried again {0} times: {1}" }, String(count), reason);
  return t("Tried again after {0} s: {1}", secondsOf(retry.delayMs), reason);
}

function secondsOf(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000));
}

/** `left`: milliseconds until the request is retried. */
export function describeWait(retry: AnswerRetry, left: number): string {
  const reason = revealName(describeRetry(retry));
  if (left <= 0) return t("{0} Trying again…", reason);
  return t("{0} Trying again in {1} s.", reason, Math.ceil(left / 1000));
}
