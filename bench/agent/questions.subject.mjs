// What the bench of questions takes from the product: how a line is read, what a rule covers, and whose its output is.
export { Guard } from "../../src/chat/approval/guard";
export { GrantRules } from "../../src/chat/approval/grantRules";
export { isProjects } from "../../src/chat/approval/projectCommands";
export { filePolicy } from "../../src/tools/gate/changeReasons";
export { leadsOut, mayNameSecret } from "../../src/tools/gate/namedPaths";
export { granted, isOwnOutput } from "../../src/tools/command/ownOutput";
export { readCommandLine } from "../../src/tools/command/readCommandLine";
