/**
 * Rules for quick picks. A pause before a step that costs money prevents that a held Enter or a double click accepts text that the person has not
 * read. Other rules decide which lists stay open when the focus moves.
 */
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { MonotonicClock } from "../../base/clock";

/** Milliseconds without input. It is longer than the pause in a double click or between the repeats of a held key. */
export const pauseBeforePaidStep = 300;
/** Milliseconds. A window that replies later was busy, and may have had key presses in its queue. */
const promptAnswer = 100;
/** The number of requests to a window that never replies in time. */
const maxQuestions = 10;

interface PaidPauseOptions {
  readonly clock: Pick<MonotonicClock, "delay" | "monotonic">;
  /** Enter or a click in the answered step. */
  readonly onDidPress: (listener: () => void) => Disposable;
  readonly onDidLeave: (listener: () => void) => Disposable;
  /** Resolves when all events that the window had reported before this request have arrived. */
  readonly askWindow: () => Promise<void>;
}

/**
 * Resolves once nothing was pressed for the pause, and the window has reported all events in its queue. After a late reply the window is asked
 * again, without another pause. Resolves at once when the person leaves.
 */
export async function waitForQuiet({ clock, onDidPress, onDidLeave, askWindow }: PaidPauseOptions): Promise<void> {
  const listeners = new DisposableStore();
  const left = new AbortController();
  let lastPress = clock.monotonic();
  listeners.add(onDidPress(() => (lastPress = clock.monotonic())));
  listeners.add(onDidLeave(() => left.abort()));
  /** Milliseconds. */
  const missing = (): number => lastPress + pauseBeforePaidStep - clock.monotonic();
  try {
    while (missing() > 0) {
      await clock.delay(Math.ceil(missing()), left.signal);
      for (let asked = 0; asked < maxQuestions && missing() <= 0; asked += 1) {
        const at = clock.monotonic();
        await askWindow();
        if (clock.monotonic() - at <= promptAnswer) break;
      }
    }
  } catch (error) {
    if (!left.signal.aborted) throw error;
  } finally {
    listeners.dispose();
  }
}

// Keeps a list open when the focus moves, for example to a page that has just loaded, if closing it would lose what the person has typed or
// checked.

/** The fields of a step that decide whether its list stays open. */
interface HeldStep {
  /** Set for one of several steps: closing the list would lose the earlier answers. */
  readonly position?: object;
  /** Set when the answer is typed, or copied from another place. */
  readonly typed?: unknown;
  readonly staysOpen?: boolean;
}

/** `text` is the text in the input box. A list in which nothing was done yet closes, like VS Code's own lists. */
export function staysOpen({ position, typed, staysOpen: isAsked }: HeldStep, text: string): boolean {
  return position !== undefined || typed !== undefined || isAsked === true || text !== "";
}

/** The members of VS Code's `QuickPick` that concern its text. */
interface TextPick {
  readonly value: string;
  ignoreFocusOut: boolean;
  readonly onDidChangeValue: (listener: (text: string) => void) => Disposable;
}

/** Keeps a list that is not a step open while it has text in it. */
export function keepOpenWithText(pick: TextPick, step: HeldStep = {}): Disposable {
  pick.ignoreFocusOut = staysOpen(step, pick.value);
  return pick.onDidChangeValue((text) => (pick.ignoreFocusOut = staysOpen(step, text)));
}
