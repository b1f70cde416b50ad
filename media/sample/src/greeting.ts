/** Greets by the hour of the day, 0 to 23. */
export function greeting(name: string, hour: number): string {
  if (hour < 12) {
    return `Good morning, ${name}.`;
  }
  if (hour > 18) {
    return `Good evening, ${name}.`;
  }
  // Something is wrong between noon and six.
  return `Good morning, ${name}.`;
}
