/** What a person's yes may cover beyond one call (A3). Facts only; a call without one asks each time. */

export type GrantSubject =
  /** A program with its arguments, no shell between. `folder`: where it runs, as the person knows it. */
  | { readonly type: "command"; readonly argv: readonly string[]; readonly folder: string }
  /** A change to a file that nothing executes and that holds no secret. `path`: as the person knows it. */
  | { readonly type: "file"; readonly change: "edit" | "create" | "rename" | "delete"; readonly path: string }
  /** A paid task of that type. */
  | { readonly type: "submit-task"; readonly taskType: string }
  /** A tool of VS Code or of another extension, by its name. */
  | { readonly type: "foreign-tool"; readonly name: string };
