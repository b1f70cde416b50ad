/** Compares where tasks go: whether the gateway and account in use are the ones that a person was shown, and whether a task costs anything. */
import type { AppError } from "../errors/appError";
import { localOrigin } from "../gateway/address";
import type { Task, TaskHome } from "./task";

/** Compares gateway and account. The base URL of the local gateway does not count, because it is another one after each start. */
export function isSameHome(one: TaskHome, other: TaskHome): boolean {
  const isSameAccount = one.origin === other.origin && one.account === other.account;
  return isSameAccount && (one.origin === localOrigin || one.baseUrl === other.baseUrl);
}

/** Whether nothing is paid for the task, because the local gateway's money is play money. */
export function isFreeTask({ intent }: Pick<Task, "intent">): boolean {
  return intent.home.origin === localOrigin;
}

/** Origin and account as one text, by which a gateway account is stored and compared. */
export function homeMark({ origin, account }: TaskHome): string {
  return `${origin} ${account}`;
}

/** The error of a submission that was not sent, because another gateway or account is in use than the one shown. */
export const otherHomeError = {
  kind: "rejected",
  code: "other-home",
  message: "Another gateway or another key was chosen meanwhile.",
  notSent: true,
} as const satisfies AppError;

export function isOtherHome({ code, notSent }: AppError): boolean {
  return code === otherHomeError.code && notSent === true;
}
