/** Takes the key out of what a service says back (C2): some repeat it in their errors. */
import type { GatewayError } from "../domain/errors";

const stand = "[key]";

/** A key of a few characters would be found in every other word. */
const shortestKey = 6;

export function createTextScrub(key: string): (text: string) => string {
  // In an address it stands encoded.
  const encoded = encodeURIComponent(key);
  return (text) => (key.length < shortestKey ? text : text.replaceAll(key, stand).replaceAll(encoded, stand));
}

export function createScrub(key: string): (error: GatewayError) => GatewayError {
  const clean = createTextScrub(key);
  return (error) => ({
    ...error,
    message: clean(error.message),
    ...(error.code === undefined ? {} : { code: clean(error.code) }),
    ...(error.firstBytes === undefined ? {} : { firstBytes: clean(error.firstBytes) }),
    ...(error.requestId === undefined ? {} : { requestId: clean(error.requestId) }),
    ...(error.contentType === undefined ? {} : { contentType: clean(error.contentType) }),
  });
}
