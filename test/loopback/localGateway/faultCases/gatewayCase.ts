/** What the cases of task faults share: creates, reads, cancels, and tasks in a wanted state. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../src/base/definedFields";
import type { MovedClock } from "../../../support/movedClock";
import { type Answered, errorCode, type GatewayUnderTest } from "../support";

export interface GatewayCase {
  readonly value?: unknown;
  /** Armed for these requests only; 1 when missing. */
  readonly times?: number;
  /** Done before the fault is armed; what it returns is given to `shows`. */
  readonly before?: (test: GatewayUnderTest, clock: MovedClock) => Promise<string>;
  readonly shows: (test: GatewayUnderTest, given: string, clock: MovedClock) => Promise<unknown>;
}

const wanted = { task_type: "async_image", prompt: "a hill", idempotency_key: "k" };
export const create = (test: GatewayUnderTest, change: object = {}): Promise<Answered> =>
  test.ask("POST", "/v1/tasks", { ...wanted, ...change });
export const read = (test: GatewayUnderTest, taskId: string): Promise<Answered> =>
  test.ask("GET", `/v1/tasks/${taskId}`);
export const cancel = (test: GatewayUnderTest, taskId: string): Promise<Answered> =>
  test.ask("POST", `/v1/tasks/${taskId}/cancel`, { reason: "test" });
export const made = (test: GatewayUnderTest): Promise<string> => test.createTask({ idempotency_key: "k" });
export const done = async (test: GatewayUnderTest, clock: MovedClock): Promise<string> => {
  const taskId = await made(test);
  await clock.advance(20_000);
  return taskId;
};
export const refused = (answered: Answered, status: number, code: string): void =>
  assert.deepEqual([answered.status, errorCode(answered)], [status, code]);
export const fields = (
  before: GatewayCase["before"],
  value: unknown,
  check: (json: Record<string, unknown>) => void,
): GatewayCase => ({
  value,
  ...definedFields({ before }),
  shows: async (test, taskId) => check((await read(test, taskId)).json),
});

export type GatewayCases = Readonly<Record<string, readonly GatewayCase[]>>;

export function gatewayCases(cases: GatewayCases): GatewayCases {
  return cases;
}
