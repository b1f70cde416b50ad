/** For what is refused while a person changes the same thing at that moment, as VS Code refuses an edit of a text that is typed in. */

/** `attempt` reads what it changes each time. False when it was refused as often as that. */
export async function retryRefused(attempt: () => PromiseLike<boolean>, maxTries = 5): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) if (await attempt()) return true;
  return false;
}
