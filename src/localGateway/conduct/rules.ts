/** The rules of the conduct report, with the text that completes "The client …". */

export const conductRules = {
  "polled-too-fast": "read the same task again within 2 seconds",
  "ignored-retry-after": "asked the same route again before the time of Retry-After was over",
  "resubmitted-without-key": "sent the same task again without an idempotency key",
  "resubmitted-with-another-key": "sent a task whose outcome it did not know again under another idempotency key",
  "cancelled-after-end": "cancelled a task although a response had carried its end",
  "read-after-end": "went on reading a task after its end, beyond one later look and one for a fresh link",
  "asked-after-401": "asked again with a key that had been refused",
  "unknown-field": "sent a field that the service does not have",
  "key-in-wrong-place": "sent the key where it does not belong",
} as const;
export type ConductRule = keyof typeof conductRules;
