/** The hover over a reference to a file that was made here: its picture, its prompt and what can be made of it (T17). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Disposable } from "../../../base/disposable";
import type { Event } from "../../../base/event";
import { isReadLockState } from "../../../domain/lock/lockState";
import { mediaReferenceAt } from "../../../domain/task/mediaReference";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { mediaKindOf, mediaOf } from "../../../domain/task/taskTypes";
import { describeLockState, listedFacts } from "../../../domain/words/lockWords";
import { cutLabel } from "../../../domain/words/label";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import type { CheckedFile } from "../../lock/lockStates";
import { placedTasks } from "../../results/placedTasks";
import { createTimes } from "../../../domain/words/timeFormats";
import { type CommandAction, commandOf } from "../tree/taskActionCommands";
import { commands, internalCommands } from "../../../vscode/ids";
import { createPictureHover, type HoverAction } from "../../../vscode/interface/show";
import { filesNamedBy } from "./lookForUses";

export interface AssetHoverOptions {
  /** The board, including the tasks that are off the list. */
  readonly board: {
    readonly all: ReadonlyMap<string, Task>;
    readonly onDidChange: Event<ReadonlySet<string>>;
    loaded(): Promise<unknown>;
  };
  readonly now: () => number;
  /** Resolves with the entries of `sluice.lock` for these files, by their URIs. */
  readonly lockedAmong: (files: ReadonlySet<string>) => Promise<ReadonlyMap<string, CheckedFile>>;
}

export class AssetHover implements vscode.HoverProvider, Disposable {
  readonly #options: AssetHoverOptions;
  readonly #listening: Disposable;
  /** The result of `placedTasks`; discarded when tasks change. */
  #placed: ReadonlyMap<string, Task> | undefined;

  constructor(options: AssetHoverOptions) {
    this.#options = options;
    this.#listening = options.board.onDidChange(() => (this.#placed = undefined));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = mediaReferenceAt(document.lineAt(position).text, position.character);
    if (found === undefined) return undefined;
    await this.#options.board.loaded();
    const places = filesNamedBy(found.path, document.uri);
    const placed = places.find((place) => this.#tasks().has(place.toString()));
    const asked = placed === undefined ? places : [placed];
    const listed = await this.#options.lockedAmong(new Set(asked.map((place) => place.toString())));
    const file = placed ?? places.find((place) => isThere(listed.get(place.toString())));
    if (file === undefined) return undefined;
    const task = this.#tasks().get(file.toString());
    const locked = listed.get(file.toString());
    const { line } = position;
    const { picture, isTooLarge } = await pictureOf(task, file);
    const state = describeLockState(locked?.state);
    return createPictureHover(
      {
        picture,
        lines: [
          ...(task === undefined ? describeListed(locked, this.#options.now()) : describe(task, this.#options.now())),
          ...(state === "" ? [] : [state]),
          ...(isTooLarge ? [t("Can't be shown: {0}", t("the picture is too large"))] : []),
        ],
        actions: task === undefined ? [findUses(file)] : actionsOf(task, file, isTooLarge),
      },
      new vscode.Range(line, found.start, line, found.end),
    );
  }

  #tasks(): ReadonlyMap<string, Task> {
    this.#placed ??= placedTasks(this.#options.board.all.values());
    return this.#placed;
  }
}

interface HoverPicture {
  readonly picture: vscode.Uri | undefined;
  readonly isTooLarge: boolean;
}

/** The thumbnail where there is one, else the picture itself unless it is too large: the window decodes it whole. A video has only a thumbnail. */
async function pictureOf(task: Task | undefined, file: vscode.Uri): Promise<HoverPicture> {
  const small = task && acceptedOf(task)?.saved?.thumbnail;
  if (small !== undefined) return { picture: vscode.Uri.file(small), isTooLarge: false };
  if (mediaKindOf(file.path) !== "image" || file.scheme !== "file") return { picture: undefined, isTooLarge: false };
  const { lookAtPicture } = await import("../../results/pictureState");
  const state = await lookAtPicture(file.fsPath);
  return { picture: state === "fits" ? file : undefined, isTooLarge: state === "too-large" };
}

/** Characters: two lines of a hover. */
const maxPromptLength = 140;

function describe({ intent }: Task, now: number): string[] {
  const made = createTimes(vscode.env.language, now).short(intent.createdAt);
  return [cutLabel(intent.prompt, maxPromptLength), [taskTypeName(intent.type), intent.model, made].join(" · ")];
}

function isThere(listed: CheckedFile | undefined): boolean {
  return listed !== undefined && isReadLockState(listed.state);
}

/** Describes a file that was made on another machine: no task of it is here. */
function describeListed({ entry }: Partial<CheckedFile> = {}, now: number): string[] {
  const { prompt, model, createdAt } = listedFacts(entry);
  return [
    prompt === "" ? t("Made on another machine") : cutLabel(prompt, maxPromptLength),
    [
      ...(model === undefined ? [] : [model]),
      ...(createdAt === undefined ? [] : [createTimes(vscode.env.language, now).short(createdAt)]),
    ].join(" · "),
  ].filter((line) => line !== "");
}

function findUses(file: vscode.Uri): HoverAction {
  return { title: t("Where Is This Used"), command: internalCommands.findUses, args: [file.toString()] };
}

function actionsOf({ intent }: Task, file: vscode.Uri, isTooLarge: boolean): readonly HoverAction[] {
  const row = { kind: "task", id: intent.id };
  const isPicture = mediaOf(intent.type) === "image";
  const action = (one: CommandAction): HoverAction => {
    const { command, choice } = commandOf(one);
    return { title: taskActionLabel(one), command, args: [row, undefined, choice] };
  };
  return [
    ...(isTooLarge ? [action("open-result")] : []),
    action("open-task"),
    action("make-variants"),
    ...(isPicture ? [action("make-video"), action("convert")] : []),
    { title: t("Replace with Another Variant…"), command: commands.replaceAsset, args: [file.toString()] },
    findUses(file),
  ];
}
