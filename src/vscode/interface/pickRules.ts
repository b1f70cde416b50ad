/**
 * Rules for quick picks: the pause before a step that costs money, because a held Enter or a double click must not accept what the person has not
 * read; and which lists stay when the focus moves.
 */
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { MonotonicClock } from "../../base/clock";

/** Milliseconds without input; longer than the pause in a double click or between the repeats of a held key. */
export const pauseBeforePaidStep = 300;
/** A window that answers later than this, in milliseconds, was busy, and may have had key presses in its queue. */
const promptAnswer = 100;
/** A window that is never prompt is asked this often. */
const maxQuestions = 10;

interface PaidPausePorts {
  readonly clock: Pick<MonotonicClock, "delay" | "monotonic">;
  /** Enter or a click in the answered step. */
  readonly onDidPress: (listener: () => void) => Disposable;
  readonly onDidLeave: (listener: () => void) => Disposable;
  /** Resolves when all has arrived that the window had to report until it got this request. */
  readonly askWindow: () => Promise<void>;
}

/**
 * Resolves once nothing was pressed for the pause, and the window has reported all that it had in its queue: after a late answer it is asked once
 * more, which needs no pause. Resolves at once when the person leaves.
 */
export async function waitForQuiet({ clock, onDidPress, onDidLeave, askWindow }: PaidPausePorts): Promise<void> {
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

// Keeps a list open when the focus moves, as a page that has just loaded moves it, where closing it would lose what the person has typed or
// checked.

/** What of a step decides about it. */
interface HeldStep {
  /** One of several: the answers before it would be lost. */
  readonly position?: object;
  /** Its answer is typed, or copied from elsewhere. */
  readonly typed?: unknown;
  readonly staysOpen?: boolean;
}

/** `text`: in the input box. A list in which nothing was done yet closes, as VS Code's own do. */
export function staysOpen({ position, typed, staysOpen: isAsked }: HeldStep, text: string): boolean {
  return position !== undefined || typed !== undefined || isAsked === true || text !== "";
}

/** What VS Code has of a list, as far as it concerns the text in it. */
interface TextPick {
  readonly value: string;
  ignoreFocusOut: boolean;
  readonly onDidChangeValue: (listener: (text: string) => void) => Disposable;
}

/** The same for a list that is not a step: with text in it, it stays. */
export function keepOpenWithText(pick: TextPick, step: HeldStep = {}): Disposable {
  pick.ignoreFocusOut = staysOpen(step, pick.value);
  return pick.onDidChangeValue((text) => (pick.ignoreFocusOut = staysOpen(step, text)));
}
