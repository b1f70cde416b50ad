/**
 * Keeps the changes that a commit contains (A16). VS Code's git extension reports the current commit; it is opened only while something is undecided.
 */
import { isAbsolute, relative } from "node:path";
import type * as vscode from "vscode";
import { SerialQueue } from "../../../base/async/serialQueue";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { Log } from "../../../domain/ports";
import { type GitWorkTree, openGit } from "../../../tools/host/gitChanges";
import type { Review } from "./review";

/** Maps each repository folder to its last known commit, so that commits that were made while VS Code was closed are found. */
const knownCommits = "commitsOfReview";

export interface CommitWatchOptions {
  readonly review: Review;
  readonly memory: Pick<vscode.Memento, "get" | "update">;
  readonly log: Pick<Log, "warn">;
}

export function keepCommitted(options: CommitWatchOptions): Disposable {
  const store = new DisposableStore();
  const { review } = options;
  let isWatched = false;
  const begin = (): void => {
    if (isWatched || review.paths.length === 0) return;
    isWatched = true;
    void watch(options, store).catch((error: unknown) =>
      options.log.warn("Commits could not be followed.", { message: String(error) }),
    );
  };
  store.add(review.onDidChange(begin));
  begin();
  return store;
}

async function watch({ review, memory, log }: CommitWatchOptions, store: DisposableStore): Promise<void> {
  const git = await openGit();
  if (git === undefined) return;
  const queue = new SerialQueue();
  const look = async (tree: GitWorkTree): Promise<void> => {
    const { HEAD } = tree.state;
    // The extension has not read the repository yet. A commit that it reads then is none that was made meanwhile.
    if (HEAD === undefined) return;
    const root = tree.rootUri.fsPath;
    const commit = HEAD.commit ?? "";
    const known = commitsIn(memory);
    const before = known[root];
    if (before === commit) return;
    if (before !== undefined) {
      for (const path of review.paths.filter((one) => isBelow(root, one))) {
        const textIn = (ref: string): Promise<string | undefined> =>
          ref === "" ? Promise.resolve(undefined) : tree.show(ref, path).catch(() => undefined);
        await review.keepCommitted(path, await textIn(before), await textIn(commit));
      }
    }
    await memory.update(knownCommits, { ...known, [root]: commit });
  };
  const follow = (tree: GitWorkTree): void => {
    const onChange = (): void => {
      const looking = queue.run(() => look(tree));
      looking
        .catch((error: unknown) => log.warn("A commit could not be read.", { message: String(error) }))
        .finally(() => review.refresh());
    };
    store.add(tree.state.onDidChange(onChange));
    onChange();
  };
  store.add(git.onDidOpenRepository(follow));
  for (const tree of git.repositories) follow(tree);
}

function commitsIn(memory: CommitWatchOptions["memory"]): Readonly<Record<string, string>> {
  const known: unknown = memory.get(knownCommits);
  if (typeof known !== "object" || known === null) return {};
  return Object.fromEntries(Object.entries(known).filter(([, commit]) => typeof commit === "string"));
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
}
