/** Every endpoint of the gateway: those of the service under `/v1`, its own under `/_local`. */
import { completeChat } from "./chat/families/completeChat";
import { countContentTokens, generateContent, streamGenerateContent } from "./chat/families/generateContent";
import { createResponse } from "./chat/families/createResponse";
import { countMessageTokens, createMessage } from "./chat/families/createMessage";
import { getModel, listModels } from "./chat/modelRoutes";
import { clearClientReport, getClientReport, isPageLink, makePageLink, showClientReport } from "./clientReportRoutes";
import {
  getBalance,
  getStatedBalance,
  getClock,
  getLedger,
  getProof,
  getRequests,
  moveClock,
  postDeposit,
  getAccounts,
  postAccount,
  postTaskType,
} from "./adminRoutes";
import { type Route, route } from "./http/routeTable";
import type { Services } from "./services";
import { balancePaths } from "./demo/spokenDialects";
import { isAssetLink, serveAsset } from "./tasks/assetRoutes";
import { cancelTask, createTask, getTask, listTaskEvents, refundTask } from "./tasks/lifecycleRoutes";

export const routes: readonly Route<Services>[] = [
  route("POST /v1/tasks", createTask),
  route("GET /v1/tasks/{task_id}", getTask),
  route("GET /v1/tasks/{task_id}/events", listTaskEvents),
  route("POST /v1/tasks/{task_id}/cancel", cancelTask),
  route("GET /v1/models", listModels),
  route("GET /v1/models/{model}", getModel),
  route("POST /v1/chat/completions", completeChat),
  route("POST /v1/responses", createResponse),
  route("POST /v1/messages", createMessage),
  route("POST /v1/messages/count_tokens", countMessageTokens),
  route("POST /v1/models/{model}:generateContent", generateContent),
  route("POST /v1/models/{model}:streamGenerateContent", streamGenerateContent),
  route("POST /v1/models/{model}:countTokens", countContentTokens),
  ...balancePaths.map((path) => route(`GET ${path}`, getStatedBalance)),
  route("GET /_local/hello", getProof, () => false),
  route("GET /_local/balance", getBalance),
  route("POST /_local/deposit", postDeposit),
  route("POST /_local/tasks/{task_id}/refund", refundTask),
  route("GET /_local/ledger", getLedger),
  route("GET /_local/accounts", getAccounts),
  route("POST /_local/accounts", postAccount),
  route("POST /_local/task-types", postTaskType),
  route("GET /_local/requests", getRequests),
  route("GET /_local/client-report", getClientReport),
  route("DELETE /_local/client-report", clearClientReport),
  route("POST /_local/page", makePageLink),
  route("GET /_local/client-report.html", showClientReport, isPageLink),
  route("GET /_local/", showClientReport, isPageLink),
  route("GET /_local/clock", getClock),
  route("POST /_local/clock", moveClock),
  route("GET /_local/assets/{task_id}/{file}", serveAsset, isAssetLink),
  route("HEAD /_local/assets/{task_id}/{file}", serveAsset, isAssetLink),
];
