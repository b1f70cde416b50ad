/** Waits for a language extension no longer than a person would. */
import { abortable, isAbort } from "../../base/async/abort";
import { ToolRefusal } from "../../domain/tools/tool";

/** Milliseconds: the first question to a language server may make it read the whole project. */
const patience = 30_000;

/** Rejects with a `ToolRefusal` when the extension fails or does not answer, or with an `AbortError`. */
export async function askEditor<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(patience);
  try {
    return await abortable(asked, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw new ToolRefusal("The language extension did not answer in time. Use find_text.");
    if (isAbort(error) || error instanceof ToolRefusal) throw error;
    throw new ToolRefusal("The language extension failed. Use find_text.");
  }
}
