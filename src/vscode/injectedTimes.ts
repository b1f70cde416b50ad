/** Reads the times that a test shortens: JSON in the environment variable SLUICE_TIMES of the extension host. There is no setting for them. */
import * as z from "zod/mini";

const milliseconds = z.exactOptional(z.number().check(z.positive()));
const timesSchema = z.object({
  /** The factor by which the local gateway works faster than usual. */
  speed: z.exactOptional(z.number().check(z.positive(), z.maximum(1000))),
  /** This and the next two are limits of requests: for the connection, for the first byte of a response, and for a pause within one. */
  connect: milliseconds,
  firstByte: milliseconds,
  silence: milliseconds,
});

export type InjectedTimes = z.infer<typeof timesSchema>;

/** The variable is read with each call, so that a test may change it while the window is open. What can't be read counts as no times. */
export function injectedTimes(environment: NodeJS.ProcessEnv = process.env): InjectedTimes {
  const text = environment["SLUICE_TIMES"];
  if (text === undefined) return {};
  try {
    const read = timesSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}
