/** When the transcript follows new text: only while a person is at its end. */

export interface ScrollPosition {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Within so many pixels of the end counts as being there. */
const nearEnd = 40;

function isAtEnd(position: ScrollPosition): boolean {
  return position.scrollHeight - position.scrollTop - position.clientHeight <= nearEnd;
}

/**
 * Whether to follow after a scroll from `before` to `now`. Moving up stops it even within reach of the end; growing text
 * leaves it as it was; coming back to the end starts it again.
 */
export function followsAfter(following: boolean, before: ScrollPosition, now: ScrollPosition): boolean {
  const movedUp = now.scrollTop < before.scrollTop - 1;
  const shrank = now.scrollHeight - now.clientHeight < before.scrollHeight - before.clientHeight;
  if (movedUp && !shrank) return false;
  return isAtEnd(now) || (following && !movedUp);
}
