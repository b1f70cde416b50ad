/** Collects the renders and checks that many changes ask for: the work runs with the next frame, at most once in each. */
export function oncePerFrame(work: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      work();
    });
  };
}
