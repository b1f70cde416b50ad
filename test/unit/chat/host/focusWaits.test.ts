import assert from "node:assert/strict";
import { FocusWaits } from "../../../../src/chat/host/panel/focusWaits";

describe("commands that wait for the focus of their page", () => {
  /** Which of them have ended. */
  const waiting = (waits: FocusWaits): { readonly ask: () => number; readonly ended: number[] } => {
    const ended: number[] = [];
    const ask = (): number => {
      let asked = 0;
      void waits.ask((id) => (asked = id)).then(() => ended.push(asked));
      return asked;
    };
    return { ask, ended };
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("P6: a command ends when the page has answered its number, or a later one", async () => {
    const waits = new FocusWaits();
    const { ask, ended } = waiting(waits);
    const [first, second, third] = [ask(), ask(), ask()];
    await turn();
    assert.deepEqual(ended, []);
    waits.answer(second);
    await turn();
    assert.deepEqual(ended, [first, second]);
    waits.answer(third);
    await turn();
    assert.deepEqual(ended, [first, second, third]);
  });

  it("P6: it ends too when the page is closed, and what is asked afterwards waits again", async () => {
    const waits = new FocusWaits();
    const { ask, ended } = waiting(waits);
    const first = ask();
    waits.end();
    const second = ask();
    await turn();
    assert.deepEqual(ended, [first]);
    waits.answer(second);
    await turn();
    assert.deepEqual(ended, [first, second]);
  });
});
