const tick = 10;

/**
 * Starts a stopwatch of the milliseconds in which this process could run, to the next 10. Where other processes take the machine, timers that are
 * due several times run once, so a wait for the processor hardly counts; a wait for a timer or a socket does. It stops at `longest`.
 */
export function startOwnTime(longest = 10_000): () => number {
  let milliseconds = 0;
  const timer = setInterval(() => {
    milliseconds += tick;
    if (milliseconds >= longest) clearInterval(timer);
  }, tick).unref();
  return () => milliseconds;
}
