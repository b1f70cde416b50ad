/** Lines of git whose words are known: what they print, and that they write in the repository only what git itself writes there (A4, A13). */

const quietGit = /^git (?:checkout|switch|restore|reset|stash|rm|mv|tag|branch)$/u;
/** Options with which these print names only: others print messages of commits and tags, or differences, or write a file. */
const quietOption =
  /^(?:-[abBcCdDfmMqru]+|--(?:all|annotate|cached|create|delete|detach|force|hard|include-untracked|keep|keep-index|list|merge|message|mixed|move|orphan|ours|quiet|remotes|show-current|soft|source|staged|theirs|track|worktree)(?:=.*)?|--|-)$/u;
const quietStash = /^(?:push|save|pop|apply|drop|clear)$/u;

/** It names files and branches of the repository, and nothing that is in them. */
export function isQuietGit([program = "", command = "", ...rest]: readonly string[]): boolean {
  if (!quietGit.test(`${program} ${command}`)) return false;
  const [first] = rest;
  if (command === "stash" && first !== undefined && !first.startsWith("-") && !quietStash.test(first)) return false;
  return rest.every((word) => !word.startsWith("-") || quietOption.test(word));
}

/** Options of these that print no content, run no other program and name no file: not a signature, a template or a difference. */
const recordingOptions: Readonly<Record<string, RegExp>> = {
  add: /^(?:-[ANu]+|--(?:all|intent-to-add|update)|--)$/u,
  commit: /^(?:-[amq]+|--(?:all|allow-empty|amend|message|no-edit|no-verify|quiet|signoff)(?:=.*)?|--)$/u,
};

/** git alone, which writes its repository from the work tree as it is, and prints none of it. With nothing before its command that could name another program or folder. */
export function recordsOnly(argv: readonly string[]): boolean {
  const [program, command = "", ...rest] = argv;
  if (program !== "git") return false;
  if (command === "tag" || command === "branch") return isQuietGit(argv);
  const option = recordingOptions[command];
  return option !== undefined && rest.every((word) => !word.startsWith("-") || option.test(word));
}

const changing: ReadonlySet<string> = new Set(
  "checkout switch restore reset rm mv merge cherry-pick revert rebase pull fetch push".split(" "),
);

/** It writes files of the work tree, or needs the network: in a sandbox, where some of them are read-only, it would stop half-way. */
export function changesWorkTree([program, command = "", first = ""]: readonly string[]): boolean {
  if (program !== "git") return false;
  return changing.has(command) || (command === "stash" && !/^(?:list|show)$/u.test(first));
}
