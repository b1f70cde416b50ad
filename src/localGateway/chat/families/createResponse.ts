/** `POST /v1/responses`: what Codex and the newer clients of OpenAI speak, translated to chat completions and back. */
import { type RequestContext, readJson } from "../../http/requestContext";
import type { AnswerEncoder, TokenCounts } from "../answerEncoder";
import { answerChat, maxChatBodySize } from "../answerChat";
import { AnswerSignatures } from "../answerSignatures";
import type { ChatServices } from "../chatServices";
import { relayResponses } from "../relay/relayChat";
import { readCompletionRequest } from "./completionBody";
import { readResponsesRequest, type ResponsesRequest } from "./responsesBody";
import { ResponsesEncoder } from "./responsesEncoder";

export async function createResponse(context: RequestContext, services: ChatServices): Promise<void> {
  const body = await readJson(context, maxChatBodySize);
  const id = `resp_${context.requestId.slice(4).replaceAll("-", "")}`;
  const read = (): ResponsesRequest => readResponsesRequest(body, services.responses.of(context.account));
  const encoderFor =
    (request: ResponsesRequest) =>
    (meter: TokenCounts): AnswerEncoder =>
      new ResponsesEncoder({
        id,
        created: Math.floor(services.clock.now() / 1000),
        request,
        signatures: new AnswerSignatures(services.secrets.signatures),
        meter,
        onEnd: (output) => {
          if (!request.isStored) return;
          const size = Number(context.request.headers["content-length"] ?? 0) + JSON.stringify(output).length;
          services.responses.add(id, { account: context.account, items: [...request.items, ...output], size });
        },
      });
  const isRelayed = await relayResponses(context, services, body, () => {
    const request = read();
    return { completion: request.completion, encoder: encoderFor(request) };
  });
  if (isRelayed) return;
  const request = read();
  const asked = readCompletionRequest(request.completion, services.seed);
  await answerChat(context, services, asked, { family: "chat-completions", encoder: encoderFor(request) });
}
