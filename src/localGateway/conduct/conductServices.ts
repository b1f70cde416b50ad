/** What the conduct report needs. */
import type { HttpServices } from "../http/httpServices";
import type { StateDatabase } from "../state/stateDatabase";
import type { Conduct } from "./conduct";
import type { OneTimeLinks } from "./oneTimeLinks";

export interface ConductServices extends HttpServices {
  readonly state: StateDatabase;
  readonly conduct: Conduct;
  readonly pageLinks: OneTimeLinks;
}
