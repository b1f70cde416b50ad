/** Decides whether the transcript follows new text: only while the person is at its end. Pure. */
export interface ScrollPosition {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Pixels from the end that still count as the end. */
const nearEnd = 40;

function isAtEnd(position: ScrollPosition): boolean {
  return position.scrollHeight - position.scrollTop - position.clientHeight <= nearEnd;
}

/** Whether to follow after a scroll. Scrolling up stops it, even near the end; reaching the end starts it; growing text changes nothing. */
export function followsAfter(following: boolean, before: ScrollPosition, now: ScrollPosition): boolean {
  const movedUp = now.scrollTop < before.scrollTop - 1;
  const shrank = now.scrollHeight - now.clientHeight < before.scrollHeight - before.clientHeight;
  if (movedUp && !shrank) return false;
  return isAtEnd(now) || (following && !movedUp);
}
