/** Asks whether a new key is the same account's as before: then its tasks go on under the new key (C2). */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import * as vscode from "vscode";
import { shortAccount } from "../../domain/gateway/account";
import type { AccountTasks } from "../../domain/task/accountTasks";
import { createTimes } from "../../domain/words/timeFormats";
import { type PickChoice, StepPicker } from "../../vscode/interface/pickSteps";

export interface AccountAnswer {
  /** `undefined`: an account of its own. */
  readonly account: string | undefined;
}

/** `last`: the account of the key that is replaced. `undefined` when the person leaves: then nothing should change. */
export async function askForAccount(
  origin: string,
  accounts: readonly AccountTasks[],
  last: string | undefined,
): Promise<AccountAnswer | undefined> {
  const times = createTimes(vscode.env.language, Date.now());
  const hasSeveral = accounts.length > 1;
  const choiceOf = ({ id, count, lastAt }: AccountTasks): PickChoice<AccountAnswer> => ({
    label: hasSeveral ? t("The same as account {0}", shortAccount(id)) : t("Yes, the same account"),
    description: plural(count, { one: "1 task, {1}", other: "{0} tasks, last {1}" }, count, times.short(lastAt)),
    detail: t("Its tasks, results and unknown outcomes go on under the new key."),
    value: { account: id },
  });
  const sorted = accounts.toSorted((one, other) => Number(other.id === last) - Number(one.id === last));
  const choices = sorted.map(choiceOf);
  const other: PickChoice<AccountAnswer> = {
    label: hasSeveral ? t("Another account") : t("No, another account"),
    detail: t("Its tasks wait until a key of theirs is set again. Nothing of them is sent."),
    value: { account: undefined },
  };
  const picker = new StepPicker(t("API Key for {0}", origin));
  try {
    const answer = await picker.ask({
      placeholder: t("Does the new key belong to the same account as before?"),
      choices: [...choices, other],
      preselected: choices[0],
      // The box of the key closes before it, which gives the focus back to where it was.
      staysOpen: true,
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}
