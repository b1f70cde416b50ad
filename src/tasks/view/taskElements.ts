/** The elements of the Tasks view, one object each: VS Code compares them by identity. */
import type { TaskEvent } from "../../domain/task/task";

export type TaskElement =
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "task"; readonly id: string }
  | { readonly kind: "event"; readonly task: string; readonly event: TaskEvent }
  | { readonly kind: "note"; readonly task: string; readonly text: string }
  /** Shows the next page of a group, or of the groups themselves where `group` is missing. */
  | { readonly kind: "more"; readonly group: string | undefined }
  /** Says what is hidden and shows it again. */
  | { readonly kind: "hidden" };

export class TaskElements {
  readonly #groups = new Map<string, TaskElement>();
  readonly #more = new Map<string | undefined, TaskElement>();
  readonly #tasks = new Map<string, TaskElement>();
  readonly hidden: TaskElement = { kind: "hidden" };

  group(group: string): TaskElement {
    return kept(this.#groups, group, () => ({ kind: "group", group }));
  }

  more(group: string | undefined): TaskElement {
    return kept(this.#more, group, () => ({ kind: "more", group }));
  }

  task(id: string): TaskElement {
    return kept(this.#tasks, id, () => ({ kind: "task", id }));
  }

  forget(id: string): void {
    this.#tasks.delete(id);
  }
}

/** The ids of the tasks among selected rows. */
export function tasksIn(elements: readonly TaskElement[]): readonly string[] {
  return elements.flatMap((element) => (element.kind === "task" ? [element.id] : []));
}

/** The tasks of an argument that VS Code or another caller gave to a command: a task, or a group with its tasks. */
export function idsOf(element: unknown, idsIn: (group: string) => readonly string[]): readonly string[] {
  if (typeof element !== "object" || element === null) return [];
  if ("id" in element && typeof element.id === "string") return [element.id];
  return "group" in element && typeof element.group === "string" ? idsIn(element.group) : [];
}

function kept<Key>(elements: Map<Key, TaskElement>, key: Key, make: () => TaskElement): TaskElement {
  let element = elements.get(key);
  if (!element) elements.set(key, (element = make()));
  return element;
}
