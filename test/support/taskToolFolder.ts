/** A workspace with the tools for tasks over a port that keeps what it was asked for. */
import type { Task } from "../../src/domain/task/task";
import type { CancelOutcome, TaskModel, TaskPicture, TaskPort, WantedTask } from "../../src/domain/task/taskPort";
import { accepted, home, makeTask } from "./builders";
import { createToolFolder, type ToolFolder } from "./toolFolder";

/** The port's answers, and what it was asked for. */
export interface TaskPortState {
  readonly tasks: Map<string, Task>;
  readonly orders: Omit<WantedTask, "home">[];
  /** Milliseconds of each wait. */
  readonly waits: number[];
  /** The outcome of each submission. */
  outcome: Task["submission"];
  cancelled: CancelOutcome;
  listed: readonly TaskModel[];
  shown: TaskPicture | undefined;
  /** Ids and paths of what was saved into the workspace. */
  readonly saved: [string, string][];
  fetchProblem: ReturnType<TaskPort["fetchProblemOf"]>;
  /** Whether something is where a result is to be saved. */
  isOccupied: boolean;
}

export async function createTaskToolFolder(): Promise<{ readonly folder: ToolFolder; readonly state: TaskPortState }> {
  const state: TaskPortState = {
    ...{ tasks: new Map(), orders: [], waits: [], outcome: accepted({}) },
    ...{ cancelled: { state: "confirmed" }, listed: [], shown: undefined },
    ...{ saved: [], isOccupied: false, fetchProblem: undefined },
  };
  const { tasks } = state;
  const port: Partial<TaskPort> = {
    submit(wanted) {
      const submitted = wanted.map(({ home: _home, ...order }) => {
        state.orders.push(order);
        const { destination: _destination, ...intent } = order;
        const id = `00000000-0000-4000-8000-00000000000${tasks.size}`;
        const task = makeTask({ intent: { id, ...intent }, submission: state.outcome });
        tasks.set(task.intent.id, task);
        return task;
      });
      return Promise.resolve(submitted);
    },
    isReserved: (path) => path === folder.at("assets/taken"),
    get: (id) => tasks.get(id),
    fetchProblemOf: () => state.fetchProblem,
    untilEnded(id, milliseconds) {
      state.waits.push(milliseconds);
      return Promise.resolve(tasks.get(id));
    },
    models: () => ({ origin: home.origin, list: state.listed }),
    picture: () => Promise.resolve(state.shown),
    save({ intent }, path) {
      if (state.isOccupied) return Promise.resolve(undefined);
      state.saved.push([intent.id, path]);
      return Promise.resolve(`${path}.png`);
    },
    list: () => [...tasks.values()],
    cancel: () => Promise.resolve(state.cancelled),
  };
  const folder = await createToolFolder({ tasks: port });
  return { folder, state };
}
