/** Whether a task goes where the person was shown that it goes: to that gateway, and to that account of it. */
import type { AppError } from "../errors/appError";
import { localOrigin } from "../gateway/address";
import type { TaskHome } from "./task";

/** The local gateway has another address each time it starts. */
export function isSameHome(one: TaskHome, other: TaskHome): boolean {
  const isOrigin = one.origin === other.origin && one.account === other.account;
  return isOrigin && (one.origin === localOrigin || one.baseUrl === other.baseUrl);
}

/** Nothing is sent to another one. */
export const otherHome = {
  kind: "rejected",
  code: "other-home",
  message: "Another gateway or another key was chosen meanwhile.",
  notSent: true,
} as const satisfies AppError;

export function isOtherHome({ code, notSent }: AppError): boolean {
  return code === otherHome.code && notSent === true;
}
