/** The tools for tasks as agents outside of the chat call them; package.json has the same names. */

export const agentToolNames = {
  submit: "sluice_submitTask",
  get: "sluice_getTask",
  cancel: "sluice_cancelTask",
  list: "sluice_listTasks",
  compare: "sluice_compareResults",
  save: "sluice_saveResult",
  models: "sluice_listModels",
} as const;

export type AgentToolName = (typeof agentToolNames)[keyof typeof agentToolNames];
