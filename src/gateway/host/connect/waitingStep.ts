/** A step without choices, for as long as something is under way. */
import type { StepPicker, StepPosition, StepResult } from "../../../vscode/interface/pickSteps";

/** Ends with what came of `work`, whose signal aborts when the person leaves by Back or Esc. */
export function showWaiting<T>(
  picker: StepPicker,
  position: StepPosition,
  placeholder: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<StepResult<PromiseSettledResult<T>>> {
  return picker.ask<PromiseSettledResult<T>>({
    position,
    placeholder,
    choices: [],
    live: (_show, end) => {
      const left = new AbortController();
      void Promise.allSettled([work(left.signal)]).then(([outcome]) => end(outcome));
      return { dispose: () => left.abort() };
    },
  });
}
