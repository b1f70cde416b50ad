/** The person's marks on a result: stars, and whether it is kept or rejected. They are stored with the task on this machine. */
import { acceptedOf } from "./phase";
import type { Task } from "./task";

export const maxRating = 5;
export const resultChoices = ["kept", "rejected"] as const;
export type ResultChoice = (typeof resultChoices)[number];

export interface Judgement {
  /** Stars; 0 for none. */
  readonly rating: number;
  readonly choice: ResultChoice | "none";
}

/** The marks that change. */
export type JudgementChange = Partial<Judgement>;

/** A mark that only a later version writes counts as none. */
export function judgementOf(task: Task): Judgement {
  const { rating = 0, choice } = acceptedOf(task) ?? {};
  const stars = Number.isInteger(rating) ? Math.min(Math.max(rating, 0), maxRating) : 0;
  return { rating: stars, choice: resultChoices.find((known) => known === choice) ?? "none" };
}
