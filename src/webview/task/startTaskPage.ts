/** Entry of the page of one task (T7). */
import "../styles/page.css";
import "../styles/task.css";
import type { TaskPageContract } from "../../protocol/taskPageContract";
import { nextState, startPage } from "../shared/page";
import { TaskTemplate } from "./taskTemplate";

startPage<TaskPageContract>((actions) => {
  const page = new TaskTemplate(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject }),
    announce: (before, now) =>
      before.task?.state.name === now.task?.state.name ? undefined : now.task?.state.sentence,
  };
});
