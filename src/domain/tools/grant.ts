/** What a person's yes may cover beyond one call (A3). Facts only; a call without one asks each time. */
import type * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import type { offerSchema, ruleSubjectSchema, scopeSchema } from "../chat/ruleSchema";

export type GrantSubject =
  /** A program with its arguments, no shell between. `folder`: where it runs, as shown to the person. */
  | { readonly type: "command"; readonly argv: readonly string[]; readonly folder: string; readonly paths: NamedPaths }
  /** A change to files that nothing executes and that hold no secret. `path`: as shown to the person; `others`: those of the same call. */
  | {
      readonly type: "file";
      readonly change: "edit" | "create" | "rename" | "delete";
      readonly path: string;
      readonly others?: readonly string[];
    }
  /** A paid task of that type. `options`: what it takes besides the prompt. */
  | {
      readonly type: "submit-task";
      readonly taskType: string;
      readonly model: string;
      readonly options: Readonly<Record<string, unknown>>;
    }
  /** A tool of VS Code, of another extension or of an MCP server, as long as it promises the same. */
  | { readonly type: "foreign-tool"; readonly name: string; readonly promise: string };

/** Words of a command that name files and folders of the project: git tracks them, and reading them needs no question. */
export interface NamedPaths {
  readonly files: readonly string[];
  /** At least one file in each is tracked. */
  readonly folders: readonly string[];
}

/** How far a yes goes beyond its call: until the window is closed, or for everything that this person does in the workspace. */
export type RuleScope = z.infer<typeof scopeSchema>;
export type RuleSubject = Immutable<z.infer<typeof ruleSubjectSchema>>;
export type RuleOffer = Immutable<z.infer<typeof offerSchema>>;

/** A yes of a person that covers later calls. Times are in milliseconds since 1970. */
export interface GrantRule {
  readonly id: string;
  readonly scope: RuleScope;
  readonly subject: RuleSubject;
  readonly since: number;
  readonly used: number;
  readonly lastUsed?: number;
  /** Missing for a rule of a session. */
  readonly expires?: number;
}
