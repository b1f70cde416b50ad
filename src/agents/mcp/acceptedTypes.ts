/** The types of a response that an MCP client takes: the SDK wants both written out, and refuses what other programs write by default. Pure. */

interface AcceptedTypes {
  readonly json: boolean;
  readonly stream: boolean;
}

/** Both written out, as the protocol has it. */
export const bothTypes = "application/json, text/event-stream";

/** Of an `Accept` header; without one a client takes anything. */
export function acceptedTypes(accept: string | null): AcceptedTypes {
  const ranges = new Set(
    (accept ?? "*/*").split(",").flatMap((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [type];
    }),
  );
  const takes = (...types: readonly string[]): boolean => types.some((type) => ranges.has(type));
  return {
    json: takes("application/json", "application/*", "*/*"),
    stream: takes("text/event-stream", "text/*", "*/*"),
  };
}
