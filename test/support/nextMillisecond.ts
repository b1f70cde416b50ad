/**
 * A command on a copy counts what was changed in the millisecond in which it begins as changed meanwhile, which asks. So a test that has just written
 * files lets this one pass.
 */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now) await new Promise((next) => setImmediate(next));
}
