/** How far the compared pictures are enlarged and where: one transform for all of them, whose frames have the same size. Pure; pixels from the middle of a frame. */

export interface ZoomPan {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export const wholePicture: ZoomPan = { scale: 1, x: 0, y: 0 };
const maxScale = 16;

/** What is at that point of the frame stays there. */
export function zoomAt({ scale, x, y }: ZoomPan, factor: number, atX: number, atY: number, frame: FrameSize): ZoomPan {
  const next = Math.min(Math.max(scale * factor, 1), maxScale);
  const ratio = next / scale;
  return within({ scale: next, x: atX - (atX - x) * ratio, y: atY - (atY - y) * ratio }, frame);
}

export function panBy({ scale, x, y }: ZoomPan, byX: number, byY: number, frame: FrameSize): ZoomPan {
  return within({ scale, x: x + byX, y: y + byY }, frame);
}

/** The frame is never empty: an edge of what fills it goes no further than the frame's edge. */
function within({ scale, x, y }: ZoomPan, { width, height }: FrameSize): ZoomPan {
  const mostX = ((scale - 1) * width) / 2;
  const mostY = ((scale - 1) * height) / 2;
  return { scale, x: Math.min(Math.max(x, -mostX), mostX), y: Math.min(Math.max(y, -mostY), mostY) };
}
