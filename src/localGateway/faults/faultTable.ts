/** Every fault switch there is; the names are those of the quirk list (F, C, T, E, R, K). */
import * as z from "zod/mini";
import { endingFaults } from "./endingFaults";
import { type FaultKind, kind, nothing } from "./faultKind";
import { framingFaults } from "./framingFaults";
import type { StreamFaultKind } from "./streamFault";

const status = z.object({
  status: z.int().check(z.minimum(200), z.maximum(599)),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Text is sent as HTML, anything else as JSON; missing: the gateway's own error shape. */
  body: z.optional(z.unknown()),
});

/** Taken by name where they act. */
export const faultKinds = {
  httpStatus: kind("http.status", "answers with this status, headers and body, and does nothing", status),
  httpHang: kind("http.hang", "takes the request and never answers", nothing),
  httpEmpty200: kind("http.empty-200", "answers 200 with no byte of body, and does nothing", nothing),
  taskLost202: kind("task.lost-202", "makes the task, then cuts the line before the first byte of the answer", nothing),
} as const;

/** Put on a stream as it leaves, in this order. */
export const streamFaultKinds: readonly StreamFaultKind[] = [...endingFaults, ...framingFaults];

export const faultTable: readonly FaultKind<unknown>[] = [...Object.values(faultKinds), ...streamFaultKinds];
