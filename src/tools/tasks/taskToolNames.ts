/** The names of the tools for tasks: one set for the chat, another for agents outside of it. */

/** The names by which a model calls the tools. Descriptions and results use them, too. */
export type TaskToolNames = Readonly<Record<"submit" | "get" | "cancel" | "list" | "save", string>> & {
  /** Missing in the chat, whose tool that submits names the models. */
  readonly models?: string;
  /** Missing in the chat, whose model looks at each result: a declaration is paid with every request. */
  readonly compare?: string;
};

/** The names of the tools in the chat. */
export const chatTaskTools: TaskToolNames = {
  submit: "submit_task",
  get: "get_task",
  cancel: "cancel_task",
  list: "list_tasks",
  save: "save_result",
};
