/** Reads the pause that an error response requests from its client. */
import type { ServerResponse } from "node:http";

/** Milliseconds, from `retry-after-ms`, seconds or a date; a date counts from the `date` of the response when it has one. */
export function requestedPause(response: ServerResponse, now: number): number | undefined {
  const header = (name: string): string => String(response.getHeader(name) ?? "");
  const ms = Number.parseFloat(header("retry-after-ms"));
  if (ms > 0) return ms;
  const value = header("retry-after");
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(header("date"));
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}
