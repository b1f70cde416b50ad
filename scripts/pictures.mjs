// `npm run pictures`: draws the pictures of the README and the documents in the real window, and puts them into media/pictures.
import { cp } from "node:fs/promises";
import { leave, runMeasured } from "./processes.mjs";
import { onProjectNode, say } from "./setup.mjs";

await onProjectNode(import.meta.filename);

process.env["SLUICE_PICTURES"] = "1";
const { code } = await runMeasured(["scripts/test.mjs", "tour", "--grep", "pictures of the README"], { quiet: false });
if (code !== 0) {
  say("The pictures could not be made; those in media/pictures are as they were.");
  await leave(1);
}
await cp("test-results/tour/pictures", "media/pictures", { recursive: true });
say("media/pictures is up to date.");
await leave(0);
