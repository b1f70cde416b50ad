/** Waits for conditions that fire no event: of a file, of VS Code. */
import assert from "node:assert/strict";

/** Checks the condition every 20 ms until it holds; fails after 60 s. `what` names the condition in the error; a function is called when it fails. */
export async function eventually(
  what: string | (() => string),
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const giveUp = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > giveUp) assert.fail(`${typeof what === "string" ? what : what()}: not within 60 s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
