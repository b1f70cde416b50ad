/** Waiting for what fires no event: a file, a state of VS Code. */
import assert from "node:assert/strict";

/** Checks the condition in each turn of the event loop until it holds; fails after 60 s. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > giveUp) assert.fail(`${what}: not within 60 s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
