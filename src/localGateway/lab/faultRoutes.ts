/** The endpoints that list, arm and clear faults. */
import { readJson, sendJson } from "../http/requestContext";
import { type Route, route } from "../http/routeTable";
import type { FaultSwitches } from "./switches/faultSwitches";
import { faultTable } from "./switches/faultTable";

const maxBodySize = 100_000;

export function faultRoutes(faults: FaultSwitches): readonly Route<unknown>[] {
  return [
    route("GET /_local/faults", (context) => {
      const table = faultTable.map(({ name, does }) => ({ name, does }));
      sendJson(context, 200, { armed: faults.armed, table });
    }),
    route("POST /_local/faults", async (context) => {
      sendJson(context, 200, { armed: faults.arm(await readJson(context, maxBodySize)) });
    }),
    route("DELETE /_local/faults", (context) => {
      faults.clear();
      sendJson(context, 200, { armed: [] });
    }),
  ];
}
