/** The fixed structure of the chat page: transcript, notices, composer and live region; for `ChatPage`. */
import { t } from "@vscode/l10n";
import { LiveRegion } from "../../webview/page";

/** The containers that the page renders into. */
export interface Places {
  readonly scroller: HTMLElement;
  readonly empty: HTMLElement;
  readonly waiting: HTMLElement;
  readonly jump: HTMLButtonElement;
  readonly find: HTMLElement;
  /** The prompts that wait for the turn to end. */
  readonly queue: HTMLElement;
  readonly notices: HTMLElement;
  /** The completion lists of the composer, over the end of the transcript. */
  readonly lists: HTMLElement;
  /** The processes that run in the background. */
  readonly processes: HTMLElement;
  readonly review: HTMLElement;
  /** The instructions that guide the model. */
  readonly instructions: HTMLElement;
  /** The approval that waits. */
  readonly approval: HTMLElement;
  /** The steps of the plan by which the model works. */
  readonly plan: HTMLElement;
  /** The question of the model that waits for an answer. */
  readonly question: HTMLElement;
  readonly composer: HTMLElement;
  readonly live: LiveRegion;
}

/** Creates the containers, empty and in their order, below `root`. */
export function buildPlaces(root: HTMLElement): Places {
  const make = (className: string): HTMLElement => {
    const element = document.createElement("div");
    element.className = className;
    return element;
  };
  const scroller = make("transcript");
  scroller.role = "log";
  // `live` announces sentences instead of streamed words.
  scroller.ariaLive = "off";
  scroller.ariaLabel = t("Chat");
  scroller.tabIndex = 0;
  const jump = document.createElement("button");
  jump.type = "button";
  jump.className = "jump codicon codicon-arrow-down";
  jump.title = jump.ariaLabel = t("Jump to Latest");
  jump.hidden = true;
  const notices = make("notices");
  notices.role = "status";
  const places = {
    scroller,
    empty: make("empty-place"),
    waiting: make("waiting"),
    jump,
    find: make("find-place"),
    queue: make("queue-place"),
    notices,
    lists: make("lists-place"),
    processes: make("processes-place"),
    review: make("review-place"),
    instructions: make("instructions-place"),
    plan: make("plan-place"),
    approval: make("approval-place"),
    question: make("approval-place"),
    composer: make("composer-place"),
    live: new LiveRegion(),
  };
  const middle = make("middle");
  middle.append(places.find, scroller, jump);
  const lower = make("lower");
  const { queue, processes, plan, instructions, review, approval, question, composer } = places;
  lower.append(queue, notices, processes, plan, instructions, review, approval, question, composer);
  root.append(middle, places.lists, lower, places.live.element);
  return places;
}
