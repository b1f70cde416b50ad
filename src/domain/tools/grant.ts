/** The calls that a person's yes may cover beyond one (A3). Facts only; a call without a grant asks each time. */
import type * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import type { offerSchema, ruleSubjectSchema, scopeSchema } from "../chat/ruleSchema";

export type GrantSubject =
  /** The programs of a line of plain words. `folder` is where they run, as shown to the person. */
  | {
      readonly type: "command";
      readonly folder: string;
      /** The folder is a root, or git tracks something in it. */
      readonly isOwnFolder: boolean;
      readonly parts: readonly GrantedPart[];
    }
  /** A change to files that nothing executes and that hold no secret. `path` is as shown to the person; `others` are those of the same call. */
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
  /** A page of that origin. */
  | { readonly type: "fetch"; readonly origin: string }
  /** A tool of VS Code, of another extension or of an MCP server, as long as it promises the same. */
  | { readonly type: "foreign-tool"; readonly name: string; readonly promise: string };

/** A program with its arguments. */
export interface GrantedPart {
  readonly argv: readonly string[];
  /** The program reads what the part before it writes. */
  readonly isPiped?: true;
  readonly paths: NamedPaths;
}

/**
 * The files and modules that words of a command, and the values of its options, name. A file or folder is the project's when git tracks it, or the
 * tools of the chat made it, and reading it needs no question.
 */
export interface NamedPaths {
  readonly files: readonly string[];
  /** The folders; git tracks at least one file in each. */
  readonly folders: readonly string[];
  /** Modules of Python that are files or packages of the project, here, in `src` or in `tests`. */
  readonly modules: readonly string[];
  /** Files of the project and new ones that nothing executes. */
  readonly writable: readonly string[];
  /** The names that are not the project's: a path outside or that git ignores or does not track, an address, a name that may be that of a secret. */
  readonly foreign: readonly string[];
}

/**
 * The reach of a yes beyond its call: until the window is closed, for everything that this person does in the workspace, or for commands of one chat.
 */
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
  /** The time at which a rule of a workspace expires. Other rules do not expire. */
  readonly expires?: number;
}

/** Whether the call writes the text of a file; a file that is renamed or deleted is asked about each time. */
export function isWriting(grant: GrantSubject | undefined): grant is Extract<GrantSubject, { type: "file" }> {
  return grant?.type === "file" && (grant.change === "edit" || grant.change === "create");
}

/** All files that a grant is about. */
export function pathsOf({ path, others = [] }: Extract<GrantSubject, { type: "file" }>): readonly string[] {
  return [path, ...others];
}
