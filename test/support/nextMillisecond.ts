/**
 * Waits for the next millisecond. A command on a copy counts what was changed in the millisecond in which it begins as changed meanwhile, which asks,
 * so a test that has just written files lets it pass.
 */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now) await new Promise((next) => setImmediate(next));
}
