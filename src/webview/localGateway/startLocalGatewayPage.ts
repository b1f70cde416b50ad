/** Entry of the local gateway's page. */
import "../styles/page.css";
import "../styles/table.css";
import "../styles/localGateway.css";
import type { LocalGatewayPageContract } from "../../protocol/localGatewayPageContract";
import { nextState, startPage } from "../shared/page";
import { localGatewayTemplate } from "./localGatewayTemplate";
import { spokenChange } from "./spokenChange";

startPage<LocalGatewayPageContract>(({ send }) => ({
  reduce: nextState,
  template: (snapshot) => localGatewayTemplate(snapshot, send),
  saved: () => ({ subject: "localGateway" }),
  announce: spokenChange,
}));
