/** Quirks Q-K: deviations of the task endpoints and their result files. Each is taken where it acts. */
import * as z from "zod/mini";
import { count, kind, nothing, oneOf } from "./faultKind";

function statusOf(first: number, ...others: readonly number[]): z.ZodMiniType<number> {
  return z._default(z.literal([first, ...others]), first);
}

export const taskFaultKinds = {
  taskLost202: kind("task.lost-202", "makes the task, then cuts the line before the first byte of the answer", nothing),
  taskSameKey: kind(
    "task.same-key",
    "answers a known idempotency key with 409 and the task, 409 in flight, a new task, or 500",
    oneOf("conflict", "in-flight", "new-task", "error"),
  ),
  taskKeyReused: kind(
    "task.key-reused",
    "answers a known key with another body with 422, or with the first task",
    oneOf("unprocessable", "first-task"),
  ),
  taskOtherTask: kind(
    "task.other-task",
    "answers a known idempotency key, or a read, with another task of the account",
    nothing,
  ),
  taskReadLate: kind("task.read-late", "answers reads with 404 for so many ms after the create", count(2_000)),
  taskNotExist: kind("task.not-exist", "answers reads with 400 task_not_exist", nothing),
  taskStatusForm: kind(
    "task.status-form",
    "gives the status as a string, as a name, as 0, or as 9",
    oneOf("string", "name", "zero", "nine"),
  ),
  taskStatusOrder: kind(
    "task.status-order",
    "gives 2 where 3 was seen before, or 1 until it is 4",
    oneOf("backwards", "skip"),
  ),
  taskAssetsForm: kind(
    "task.assets-form",
    "gives result_assets_json empty, malformed, missing, as an object, with other keys, with lists, with the seed as text, or with a data: URL",
    oneOf("empty", "malformed", "missing", "object", "extra", "list", "seed-text", "data-url"),
  ),
  taskErrorForm: kind(
    "task.error-form",
    "gives error_code as a number, null, an object, or not at all",
    oneOf("number", "null", "object", "missing"),
  ),
  taskRefundedLater: kind("task.refunded-later", "refunds a failed task after it was read as failed", nothing),
  taskAssetLost: kind("task.asset-lost", "gives a task that has succeeded as failed: its result is lost", nothing),
  taskCancelForm: kind(
    "task.cancel-form",
    "answers a cancel with 200 and nothing, 204, 202 and no cancel, 409, 400 when it has ended, 500, or never",
    oneOf("empty", "no-content", "accepted", "conflict", "bad-request", "error", "hang"),
  ),
  taskEventsForm: kind(
    "task.events-form",
    "gives events unordered, twice, with a gap, in small pages, from the future, of an unknown type, or none",
    oneOf("unordered", "duplicated", "gap", "small-page", "future", "unknown-type", "empty"),
  ),
  taskTimeForm: kind(
    "task.time-form",
    "gives times without ms, without a zone, with an offset, or an hour off",
    oneOf("no-ms", "no-zone", "offset", "ahead", "behind"),
  ),
  taskExtraFields: kind("task.extra-fields", "adds fields that nobody knows", nothing),
  taskCompletedAt: kind(
    "task.completed-at",
    "gives completed_at as null, or before created_at",
    oneOf("null", "before"),
  ),
  taskSlowRead: kind("task.slow-read", "answers a read after so many ms", count(30_000)),
  taskAssetForm: kind(
    "task.asset-form",
    "answers an asset with 403, 410, another content type, an HTML page, half a body, no ranges, a part or half of another file, or a redirect",
    oneOf("forbidden", "gone", "wrong-type", "html", "truncated", "no-range", "other-part", "other-half", "redirect"),
  ),
  taskLinkLife: kind("task.link-life", "gives asset links that end after so many ms", count(5_000)),
  taskNotEnabled: kind(
    "task.not-enabled",
    "refuses the task type with 403, 400, 404, 422 or 501",
    statusOf(403, 400, 404, 422, 501),
  ),
  taskNoFunds: kind("task.no-funds", "refuses the hold with 402, 403 or 429", statusOf(402, 403, 429)),
  taskRestart: kind("task.restart", "cuts all lines and is away for so many ms, as in a restart", count(1_000)),
  taskKeyRotated: kind(
    "task.key-rotated",
    "takes this key instead of the old one from now on, for this life of the gateway",
    z._default(z.string().check(z.minLength(8)), "sk-local-rotated"),
  ),
} as const;
