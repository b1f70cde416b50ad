/** Entry of the local gateway's page. */
import "../../webview/styles/page.css";
import "../../webview/styles/table.css";
import "../../webview/styles/localGateway.css";
import type { LocalGatewayPageContract } from "../contract/localGatewayPageContract";
import { nextState, startPage } from "../../webview/page";
import { localGatewayTemplate, spokenChange } from "./localGatewayTemplate";

startPage<LocalGatewayPageContract>(({ send }) => ({
  reduce: nextState,
  template: (snapshot) => localGatewayTemplate(snapshot, send),
  saved: () => ({ subject: "localGateway" }),
  announce: spokenChange,
}));
