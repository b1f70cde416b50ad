/** Entry of the local gateway's page. */
import "../styles/page.css";
import "../styles/localGateway.css";
import {
  type LocalGatewayEvent,
  type LocalGatewaySnapshot,
  type LocalGatewayToHost,
  readLocalGatewayMessage,
  reduceLocalGateway,
} from "../../protocol/localGatewayMessages";
import { startPage } from "../page";
import { localGatewayTemplate } from "./localGatewayTemplate";
import { spokenChange } from "./spokenChange";

startPage<LocalGatewaySnapshot, LocalGatewayEvent, LocalGatewayToHost>(({ send }) => ({
  read: readLocalGatewayMessage,
  reduce: reduceLocalGateway,
  template: (snapshot) => localGatewayTemplate(snapshot, send),
  saved: () => ({ subject: "localGateway" }),
  announce: spokenChange,
}));
