// Loaded into a measured server before its program: answers every message with what the process has used so far.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  // Milliseconds, megabytes.
  process.send?.({ cpu: (user + system) / 1000, memory: process.resourceUsage().maxRSS / 1024 });
});
