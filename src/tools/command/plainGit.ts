/** Lines of git whose words are known: what they print, and that they write in the repository only what git itself writes there (A4, A13). */

const quietGit = /^git (?:checkout|switch|restore|reset|stash|rm|mv|tag|branch)$/u;
/** Options with which these print names only: others print messages of commits and tags, or differences, or write a file. */
const quietOption =
  /^(?:-[abBcCdDfmMqru]+|--(?:all|annotate|cached|create|delete|detach|force|hard|include-untracked|keep|keep-index|list|merge|message|mixed|move|orphan|ours|quiet|remotes|show-current|soft|source|staged|theirs|track|worktree)(?:=.*)?|--|-)$/u;
const quietStash = /^(?:push|save|pop|apply|drop|clear)$/u;

/** Whether the command prints only names of files and branches, and none of their contents. */
export function isQuietGit([program = "", command = "", ...rest]: readonly string[]): boolean {
  if (!quietGit.test(`${program} ${command}`)) return false;
  const [first] = rest;
  if (command === "stash" && first !== undefined && !first.startsWith("-") && !quietStash.test(first)) return false;
  return rest.every((word) => !word.startsWith("-") || quietOption.test(word));
}

/** Options of these commands that print no content, run no program, name no file and remove nothing: no signature, template, difference or force. */
const recordingOptions: Readonly<Record<string, RegExp>> = {
  add: /^(?:-[ANu]+|--(?:all|intent-to-add|update)|--)$/u,
  commit: /^(?:-[amq]+|--(?:all|allow-empty|message|no-edit|no-verify|quiet|signoff)(?:=.*)?|--)$/u,
  tag: /^(?:-[aml]+|--(?:annotate|list|message)(?:=.*)?|--)$/u,
  branch: /^(?:-[alqr]+|--(?:all|list|quiet|remotes|show-current)|--)$/u,
};

/** Options of `git commit` and `git tag` whose value is the next word. That of a short option is the rest of its own word instead, where it has one. */
const takesNext =
  /^(?:-[aenoqs]*[CFmt]|--(?:author|cleanup|date|file|fixup|message|reuse-message|squash|template|trailer))$/u;

/** The words of a `git commit` or `git tag` without those that are values of options, because a line of a message may begin with a dash. */
export function withoutMessages(words: readonly string[]): readonly string[] {
  const left: string[] = [];
  let isValue = false;
  let isEnded = false;
  for (const word of words) {
    if (!isValue) left.push(word);
    isEnded ||= word === "--" && !isValue;
    isValue = !isEnded && !isValue && takesNext.test(word);
  }
  return left;
}

/** Whether it is git alone, which records the work tree as it is and prints none of it, with no option before the command. */
export function recordsOnly(argv: readonly string[]): boolean {
  const [program, command = "", ...rest] = argv;
  const option = program === "git" ? recordingOptions[command] : undefined;
  const words = command === "commit" || command === "tag" ? withoutMessages(rest) : rest;
  return option !== undefined && words.every((word) => !word.startsWith("-") || option.test(word));
}

/** Commands of git that are built in, so that no setting gives their names another meaning, and that start no program of the person's choice. */
const ownCommands: ReadonlySet<string> = new Set(
  `add archive blame branch cat-file check-ignore commit describe diff diff-tree for-each-ref grep log ls-files ls-tree merge-base name-rev
  reflog rev-list rev-parse shortlog show show-ref stash status tag whatchanged`.split(/\s+/),
);

/** Whether it is a built-in command of git, with no option before it that could name another program or folder. */
export function isGitAlone([program, command = ""]: readonly string[]): boolean {
  return program === "git" && ownCommands.has(command);
}

const changing: ReadonlySet<string> = new Set([
  "checkout",
  "switch",
  "restore",
  "reset",
  "rm",
  "mv",
  "merge",
  "cherry-pick",
  "revert",
  "rebase",
  "pull",
  "fetch",
  "push",
]);

const branchOptions = ["copy", "delete", "force", "move", "set-upstream", "unset-upstream"];

/**
 * Whether git may take the word for one of these long options, or for one whose name begins with one of these. git accepts any unambiguous prefix of a
 * long option.
 */
export function mayBeOption(word: string, names: readonly string[]): boolean {
  const [, name = ""] = /^--([^=]+)/u.exec(word) ?? [];
  return name !== "" && names.some((one) => one.startsWith(name) || name.startsWith(one));
}

/** Whether it writes files of the work tree, removes a branch, a tag or a commit, or needs the network: a sandbox would stop it half-way. */
export function changesWorkTree([program, command = "", first = "", ...rest]: readonly string[]): boolean {
  if (program !== "git") return false;
  const words = [first, ...rest];
  if (command === "branch")
    return words.some((word) => /^-[a-zA-Z]*[cCdDfmMu]/u.test(word) || mayBeOption(word, branchOptions));
  if (command === "tag")
    return words.some((word) => /^-[a-zA-Z]*[df]/u.test(word) || mayBeOption(word, ["delete", "force"]));
  if (command === "commit") return words.some((word) => mayBeOption(word, ["amend"]));
  return changing.has(command) || (command === "stash" && !/^(?:list|show)$/u.test(first));
}
