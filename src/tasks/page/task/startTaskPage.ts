/** Entry of the page of one task (T7). */
import "../../../webview/styles/page.css";
import "../../../webview/styles/actionList.css";
import "../../../webview/styles/task.css";
import { t } from "@vscode/l10n";
import type { TaskPageContract } from "../../contract/taskPageContract";
import { followRemovals } from "../../../webview/focusAfterRemoval";
import { nextState, startPage } from "../../../webview/page";
import { TaskTemplate } from "./taskTemplate";

startPage<TaskPageContract>((actions) => {
  const page = new TaskTemplate(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    // An Enter that comes late must not do what the next main button does.
    rendered: followRemovals(".action-menu > .buttons > :not(.more)", ".action-menu .more"),
    saved: ({ subject }) => ({ subject }),
    announce: (before, now) =>
      now.task === undefined || before.task?.state.name === now.task.state.name
        ? undefined
        : t("{0}: {1}", now.task.state.name, now.task.state.sentence),
  };
});
