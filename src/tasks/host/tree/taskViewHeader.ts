/** What the Tasks view says outside of its rows: message, description and the badge on its icon. */
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { ReadonlyStore } from "../../../base/store";
import type { Connections } from "../../../domain/ports";
import type { TaskBoard } from "../../board/board";
import type { TaskPoller } from "../../polling/poller";
import { connectionWords } from "../../view/elsewhere";
import type { TaskCounts } from "../../view/taskCounts";
import { viewMessage } from "../../view/viewMessage";
import { showBadge, type ShownTree } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import type { TaskElement } from "../../view/taskElements";
import { describeView } from "./taskTreeItems";
import type { TaskViewStore } from "./taskViewChoices";

/** Characters: a whole sentence of what happened to the file of tasks. */
const maxMessageLength = 500;

export interface TaskViewHeaderPorts {
  readonly board: TaskBoard;
  readonly poller: Pick<TaskPoller, "status">;
  readonly counts: ReadonlyStore<TaskCounts>;
  readonly choices: TaskViewStore;
  readonly clock: Clock;
  /** Where a new task goes. */
  readonly connections: Pick<Connections, "current">;
}

export function createTaskViewHeader(view: ShownTree<TaskElement>, ports: TaskViewHeaderPorts): Disposable {
  const { board, poller, counts, choices, clock, connections } = ports;
  const store = new DisposableStore();
  const drawn = { message: "", description: "", attention: 0 };
  // Each assignment is sent to the window, the same value too.
  const draw = (): void => {
    const state = {
      unwritten: board.unwritten.current,
      status: poller.status.current,
      file: board.file.current,
      counts: counts.current,
    };
    const message = viewMessage(state, clock.now(), vscode.env.language) ?? "";
    // An empty one takes it away and lets the welcome text show. To `delete` it would remove VS Code's setter, and no later message would be shown.
    if (message !== drawn.message) view.message = shownLine(message, maxMessageLength);
    const description = describeView(choices.current, connectionWords(connections.current.current));
    if (description !== drawn.description) view.description = shownLine(description);
    const { attention } = counts.current;
    if (attention !== drawn.attention) {
      showBadge(
        view,
        attention,
        plural(attention, { one: "1 task needs attention", other: "{0} tasks need attention" }),
      );
    }
    Object.assign(drawn, { message, description, attention });
  };
  for (const event of [
    choices.onDidChange,
    counts.onDidChange,
    poller.status.onDidChange,
    board.unwritten.onDidChange,
    board.file.onDidChange,
    connections.current.onDidChange,
  ] as const) {
    store.add((event as (listener: () => void) => Disposable)(draw));
  }
  draw();
  return store;
}
