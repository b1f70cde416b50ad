/** Retries a change that may be refused: VS Code refuses an edit of a text that a person is changing at that moment. */

/** `attempt` must read the text anew with each call. Resolves to false after `maxTries` refusals. */
export async function retryRefused(attempt: () => PromiseLike<boolean>, maxTries = 5): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) if (await attempt()) return true;
  return false;
}
