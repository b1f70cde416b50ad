/**
 * *Generate Commit Message with Sluice*: the chosen model writes the message for the staged changes, or for all changes where nothing is staged (V7).
 */
import path from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plural } from "../../domain/words/plural";
import { abortable, isAbort } from "../../base/async/abort";
import { type CommitChange, commitRequest, messageIn } from "../request/commitRequest";
import { streamText, type TextAnswer } from "../../gateway/textRequest";
import { describeFailure } from "../../domain/words/describeAnswer";
import type { Connections, Log } from "../../domain/ports";
import type { ModelCatalog } from "../../gateway/modelCatalog";
import { toSlashes } from "../../tools/gate/pathNames";
import { isSecretPath } from "../../tools/gate/sensitiveNames";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { changedFile, type GitApi, type GitWorkTree, openGit } from "../../tools/host/gitChanges";
import { askWhich, flashStatus, notifyInformation, notifyWarning, showProgress } from "../../vscode/interface/show";
import { targetEditor } from "../../vscode/interface/targetEditor";

export interface CommitMessageOptions {
  readonly connections: Connections;
  readonly models: ModelCatalog;
  readonly dialogs: Dialogs;
  readonly log: Log;
}

const sourceControlView = "workbench.scm";
/** The number of earlier commits whose messages show the model the form. */
const earlierCommits = 8;
/** Milliseconds for which the status bar shows the used tokens. */
const shownFor = 8000;

/** The repositories for which a message is being written. */
const busy = new Set<string>();

/**
 * `args`: the source control provider that was clicked. From the palette there is none, and the repository of the editor or the selected one is used.
 */
export async function generateCommitMessage(options: CommitMessageOptions, args: readonly unknown[]): Promise<void> {
  const git = await openGit();
  const repository = git && chooseRepository(git, args);
  if (!repository) {
    void notifyInformation(t("No git repository is open here."));
    return;
  }
  const root = repository.rootUri.toString();
  if (busy.has(root)) {
    void notifyInformation(t("A commit message is being written for this repository."));
    return;
  }
  busy.add(root);
  try {
    await writeMessage(options, repository);
  } catch (failure) {
    void options.dialogs.showFailure(failure, "chat", () => void generateCommitMessage(options, args));
  } finally {
    busy.delete(root);
  }
}

function chooseRepository(git: GitApi, [provider]: readonly unknown[]): GitWorkTree | undefined {
  if (typeof provider === "object" && provider !== null && "rootUri" in provider) {
    const { rootUri } = provider;
    if (rootUri instanceof vscode.Uri) return git.getRepository(rootUri) ?? undefined;
  }
  const active = targetEditor()?.document.uri;
  const ofEditor = active && git.getRepository(active);
  return ofEditor ?? git.repositories.find(({ ui }) => ui.selected) ?? git.repositories[0];
}

async function writeMessage(options: CommitMessageOptions, repository: GitWorkTree): Promise<void> {
  const { connections, models, dialogs, log } = options;
  await repository.status();
  const changes = changesOf(repository);
  if (changes.length === 0) {
    void notifyInformation(t("There are no changes to write a commit message for."));
    return;
  }
  const before = repository.inputBox.value;
  const head = await headOf(before);
  if (head === undefined) return;
  const box = new MessageBox(repository, before, head);
  const earlier = await repository.log({ maxEntries: earlierCommits }).catch(() => []);
  try {
    const made = await showProgress(sourceControlView, t("Writing the commit message"), async (signal) => {
      const { gateway } = await connections.ready(signal);
      const model = await abortable(models.chatModel(), signal);
      if (!model) return undefined;
      const messages = earlier.map(({ message }) => message);
      // The repository may itself be in a folder of secrets, so the absolute path is judged.
      const root = toSlashes(repository.rootUri.fsPath);
      const commit = { isSecret: (name: string) => isSecretPath(`${root}/${name}`), earlier: messages };
      const { request, secrets } = await commitRequest(model, changes, commit, signal);
      const stopped = new AbortController();
      const all = AbortSignal.any([signal, stopped.signal]);
      const answer = await streamText(gateway, request, all, (piece) => {
        if (!box.add(piece)) stopped.abort();
      });
      return { answer, secrets, model: model.id };
    });
    if (made === undefined) {
      const problem = describeFailure({ failure: { type: "no-model" }, blocks: [] });
      if (problem) void dialogs.showError(problem);
      return;
    }
    log.info("A commit message was written.", { model: made.model, ...made.answer.tokens });
    box.finish(made.answer.text);
    tell(made.answer, made.secrets);
  } catch (failure) {
    if (box.isTaken && isAbort(failure)) {
      void notifyInformation(t("You have changed the commit message, so the model's is not written any further."));
      return;
    }
    box.restore();
    throw failure;
  }
}

/** The text that stays in front of the message; `undefined` when the person cancels. */
async function headOf(before: string): Promise<string | undefined> {
  if (before.trim() === "") return "";
  const [replace, add] = [t("Replace"), t("Add Below")];
  const chosen = await askWhich(t("The commit message has text already."), replace, add);
  return chosen === undefined ? undefined : chosen === add ? `${before.trimEnd()}\n\n` : "";
}

/** The staged changes, or all changes since the last commit where nothing is staged. */
function changesOf(repository: GitWorkTree): readonly CommitChange[] {
  const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges } = repository.state;
  const isStaged = indexChanges.length > 0;
  const changes = isStaged ? indexChanges : [...mergeChanges, ...workingTreeChanges, ...untrackedChanges];
  return changes.map((one) => {
    const { file, change } = changedFile(one, isStaged);
    const name = path.relative(repository.rootUri.fsPath, file).replaceAll("\\", "/");
    const diff = (): Promise<string> => (isStaged ? repository.diffIndexWithHEAD(file) : repository.diffWithHEAD(file));
    return { path: name, change, ...(change === "untracked" ? {} : { diff }) };
  });
}

/** Writes a model's message into the input box of a repository. */
class MessageBox {
  readonly #repository: GitWorkTree;
  readonly #before: string;
  readonly #head: string;
  /** All texts that were written here. VS Code may report them back late and out of order, so only a text that is none of them is the person's. */
  readonly #written: Set<string>;
  #made = "";
  /** Set once the person has changed the text. */
  isTaken = false;

  constructor(repository: GitWorkTree, before: string, head: string) {
    this.#repository = repository;
    this.#before = before;
    this.#head = head;
    this.#written = new Set([before]);
  }

  /** Adds a piece of the message. False, and nothing is written, once the person has changed the text. */
  add(piece: string): boolean {
    this.#made += piece;
    return this.#write(messageIn(this.#made));
  }

  /** Writes the final message. Without one, the box gets its former text back. */
  finish(text: string): void {
    const message = messageIn(text);
    if (message === "") this.restore();
    else this.#write(message);
  }

  restore(): void {
    if (this.#isOurs) this.#repository.inputBox.value = this.#before;
  }

  get #isOurs(): boolean {
    return this.#written.has(this.#repository.inputBox.value);
  }

  #write(message: string): boolean {
    this.isTaken ||= !this.#isOurs;
    if (this.isTaken) return false;
    const text = this.#head + message;
    if (message === "" || text === this.#repository.inputBox.value) return true;
    this.#written.add(text);
    this.#repository.inputBox.value = text;
    return true;
  }
}

function tell({ text, isWhole, tokens: { input, output } }: TextAnswer, secrets: readonly string[]): void {
  const [first] = secrets;
  if (messageIn(text) === "") void notifyWarning(t("The model wrote no commit message."));
  else if (!isWhole) void notifyWarning(t("The commit message may be cut: it did not come to its end."));
  else if (first !== undefined)
    void notifyInformation(
      secrets.length > 1
        ? plural(secrets.length, {
            other: "The commit message was written without the contents of {0} files that may hold secrets.",
          })
        : t("The commit message was written without the contents of {0}, which may hold a secret.", first),
    );
  else {
    const [taken, written] = [input, output].map((count) => count.toLocaleString(vscode.env.language));
    flashStatus("check", t("Commit message: {0} tokens in, {1} out", taken ?? "", written ?? ""), shownFor);
  }
}
