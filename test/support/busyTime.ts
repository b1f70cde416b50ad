/**
 * Starts a stopwatch of milliseconds for work that computes: the processor's time of this process, or the clock's where that is less, since
 * threads count too. A machine that lets this process wait does not slow it down.
 */
export function startBusyTime(): () => number {
  const began = performance.now();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - began, (user + system) / 1000);
  };
}
