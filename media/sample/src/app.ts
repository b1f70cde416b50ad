// Prints tonight's programme of the harbour.
import { greeting } from "./greeting.ts";
import { schedule, totalMinutes } from "./schedule.ts";

const visitor = process.argv[2] ?? "visitor";

console.log(greeting(visitor, new Date().getHours()));
for (const show of schedule) {
  console.log(`${show.start}  ${show.title} (${show.minutes} min)`);
}
console.log(`${totalMinutes(schedule)} minutes in all`);
