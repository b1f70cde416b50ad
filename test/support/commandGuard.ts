/** The guard over commands of the real tool, in a workspace with a repository: it asks nothing, and reports what would be asked. */
import { Guard } from "../../src/chat/approval/guard";
import { GrantRules, type KeptRules } from "../../src/chat/approval/grantRules";
import type { RuleScope } from "../../src/domain/tools/grant";
import { type PreparedCall, ToolRefusal } from "../../src/domain/tools/tool";
import { filePolicyOf } from "../../src/tools/gate/changeReasons";
import { keptLog } from "./builders";
import { createMovedClock } from "./movedClock";
import { createToolFolder } from "./toolFolder";

export interface CommandGuard {
  /** Gives the longer yes that is offered for the line. */
  allow(chat: string, line: string, scope: RuleScope): Promise<void>;
  /** Gives the yes to the commands of the chat that also holds after edits. While it is given, one file is listed as changed by a rule. */
  allowAfterEdits(chat: string): Promise<void>;
  /** Chooses, for all chats, whether edits land at once to be reviewed after. */
  reviewEdits(isOn: boolean): Promise<void>;
  /** `undefined` for a line that is refused. */
  asks(chat: string, line: string): Promise<boolean | undefined>;
  offers(chat: string, line: string): Promise<readonly RuleScope[]>;
  remove(): Promise<void>;
}

/** Files of the project, as `hostileCommands.ts` has them. */
const own = [
  ...[
    "package.json",
    "Makefile",
    "src/a.ts",
    "src/b.ts",
    "src/a.test.ts",
    "src/b.test.ts",
    "src/run.js",
    "src/run.py",
    "src/deploy.js",
    "src/.env",
  ],
  // What these send or take away is told by their names, or by those of their folders.
  ...["deploy", "publish", "release", "install"].map((folder) => `${folder}/index.js`),
  ...[
    "deployProd.js",
    "publishAll.mjs",
    "uploadToS3.py",
    "redeploy.sh",
    "deployment.py",
    "push.sh",
    "drop-prod-db.sh",
  ].map((name) => `scripts/${name}`),
  ...["wipe.py", "deploy-test.sh", "resetdb.py", "deployall.js"].map((name) => `scripts/${name}`),
  ...["manage.py", "src/shipment.py", "src/publisher/a.py"],
  // Python has modules of these names.
  ...["src/http/a.js", "src/ensurepip/a.js", ".env"],
];
const foreign = ["evil.js", "evil.py", "evil.sh", "evil.md", "evil.test.js", "evil.config.ts", "evil.ini", "evil.toml"];

export async function createChatRules(): Promise<CommandGuard> {
  const folder = await createToolFolder({ inside: "project" });
  for (const name of own) await folder.put(`project/${name}`, "x");
  await folder.command("git", "-C", "project", "init", "-q");
  await folder.command("git", "-C", "project", "add", ".");
  for (const name of ["eslint", "vitest", "prettier", "mocha", "jest", "tsc"])
    await folder.put(`project/node_modules/.bin/${name}`, "x");
  for (const name of foreign) await folder.put(`project/downloads/${name}`, "x");
  await folder.put("project/7", "x");
  await folder.put("project/evil.js", "x");
  await folder.put("project/evil.py", "x");
  let kept: KeptRules = { rules: [], changed: [] };
  const rules = new GrantRules(
    {
      read: () => Promise.resolve(kept),
      change: (edit) => Promise.resolve(void (kept = edit(kept))),
    },
    createMovedClock(),
  );
  const files = {
    ...filePolicyOf(folder.workspace),
    returnsTakenBack: () => Promise.resolve(false),
    areTracked: () => Promise.resolve(true),
  };
  const guard = new Guard({ rules, files, log: keptLog() });
  const prepared = new Map<string, Promise<PreparedCall>>();
  const judge = async (chat: string, command: string) => {
    const preparing = prepared.get(command) ?? folder.prepare("run_command", { command });
    prepared.set(command, preparing);
    const call = await preparing;
    if (call.reasons === undefined) throw new Error(`${command} does not ask`);
    return guard.judge(call, { id: chat, entries: [] }, undefined);
  };
  const allow: CommandGuard["allow"] = async (chat, line, scope) => {
    const { offers, rules: covering } = await judge(chat, line);
    const offer = offers.find((one) => one.scope === scope);
    if (!offer && !covering) throw new Error(`No longer yes is offered for ${line}`);
    if (offer) for (const subject of [offer.subject, ...(offer.more ?? [])]) await rules.add(chat, scope, subject);
  };
  return {
    allow,
    reviewEdits: (isOn) => rules.setReviewsEdits(isOn),
    async allowAfterEdits(chat) {
      await rules.noteChange("src/a.ts");
      await allow(chat, "ls", "full-profile");
      await rules.forgetChanges(["src/a.ts"]);
    },
    asks: async (chat, line) => {
      try {
        return (await judge(chat, line)).rules === undefined;
      } catch (error) {
        if (error instanceof ToolRefusal) return undefined;
        throw error;
      }
    },
    offers: async (chat, line) => (await judge(chat, line)).offers.map(({ scope }) => scope),
    remove: () => folder.remove(),
  };
}
