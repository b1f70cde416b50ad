/** The table of all faults; their quirks are listed in docs/quirks.md. */
import * as z from "zod/mini";
import { callFaults } from "./callFaults";
import { chunkFaults } from "./chunkFaults";
import { endingFaults, errorFaults, finishFaults } from "./endingFaults";
import { kind, nothing, type StreamFaultKind } from "./faultKind";
import type { FaultKind } from "../../src/localGateway/http/requestFaults";
import { framingFaults } from "./framingFaults";
import { taskFaultKinds } from "./taskFaults";

const status = z.object({
  status: z.int().check(z.minimum(200), z.maximum(599)),
  headers: z.optional(z.record(z.string(), z.string())),
  /** A string is sent as HTML, anything else as JSON; missing: the gateway's own error body. */
  body: z.optional(z.unknown()),
});

const context = z._default(
  z.object({
    tokens: z.int().check(z.nonnegative()),
    status: z._default(z.int().check(z.minimum(400), z.maximum(499)), 400),
    /** JSON; missing: the gateway's own error body. */
    body: z.optional(z.unknown()),
  }),
  { tokens: 8192, status: 400 },
);

/** Taken where they act. */
export const faultKinds = {
  httpStatus: kind("http.status", "answers with this status, headers and body, and does nothing", status),
  httpHang: kind("http.hang", "takes the request and never answers", nothing),
  httpEmpty200: kind("http.empty-200", "answers 200 with no byte of body, and does nothing", nothing),
  httpHtml: kind("http.html", "answers 200 with an HTML page, and does nothing", nothing),
  httpJsonForStream: kind("http.json-for-stream", "answers with one JSON object where a stream was asked for", nothing),
  httpContext: kind("http.context", "refuses a prompt of more than so many tokens, with this status and body", context),
  ...taskFaultKinds,
} as const;

/** Applied to a stream in this order: events, then its end, then its bytes. */
export const streamFaultKinds: readonly StreamFaultKind[] = [
  ...chunkFaults,
  ...callFaults,
  ...endingFaults,
  ...finishFaults,
  ...errorFaults,
  ...framingFaults,
];

export const faultTable: readonly FaultKind<unknown>[] = [...Object.values(faultKinds), ...streamFaultKinds];
