/** Whether a task has something to go on with when no view is open; a window that starts loads the tasks for it (T1). Pure. */
import { isRunning } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { untilLaterLook } from "./pollSchedule";

/** `now` in milliseconds since 1970. Results that are to be fetched or placed are not looked at. */
export function needsWindow(task: Task, now: number): boolean {
  const { submission } = task;
  switch (submission.state) {
    // Shown to the person, who may reconcile; an attempt under way may have been cut.
    case "prepared":
    case "sending":
    case "outcome-unknown":
      return true;
    case "not-accepted":
      return false;
    case "accepted":
      break;
  }
  // A later read shows what a cancel came to.
  return isRunning(task) || submission.cancel?.state === "requested" || untilLaterLook(task, now) !== undefined;
}
