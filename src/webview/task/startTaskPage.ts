/** Entry of the page of one task (T7). */
import "../styles/page.css";
import "../styles/task.css";
import { readTaskPageMessage, reduceTaskPage, type TaskPageToHost } from "../../protocol/taskPageMessages";
import { startPage } from "../page";
import { TaskTemplate } from "./taskTemplate";

startPage<Parameters<typeof reduceTaskPage>[0], Parameters<typeof reduceTaskPage>[1], TaskPageToHost>((actions) => {
  const page = new TaskTemplate(actions);
  return {
    read: readTaskPageMessage,
    reduce: reduceTaskPage,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject }),
    announce: (before, now) =>
      before.task?.state.name === now.task?.state.name ? undefined : now.task?.state.sentence,
  };
});
