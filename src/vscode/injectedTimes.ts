/** Times that a test shortens, as JSON in the environment variable SLUICE_TIMES of the extension host. There is no setting for them. */
import * as z from "zod/mini";

const milliseconds = z.exactOptional(z.number().check(z.positive()));
const timesSchema = z.object({
  /** How many times as fast as usual the local gateway works. */
  speed: z.exactOptional(z.number().check(z.positive(), z.maximum(1000))),
  connect: milliseconds,
  firstByte: milliseconds,
  silence: milliseconds,
});

export type InjectedTimes = z.infer<typeof timesSchema>;

/** Read each time, so that a test may change them while the window is open. */
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
