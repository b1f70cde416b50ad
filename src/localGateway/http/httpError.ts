/** What the gateway answers when it says no, in the service's error shape. */

export interface HttpErrorOptions {
  /** The request field that is meant. */
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Beside the `error` of the body. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Thrown anywhere while a request is handled; the router writes it as the answer. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, options: HttpErrorOptions = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = options.param;
    this.headers = options.headers ?? {};
    this.more = options.more ?? {};
  }
}

export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string;
    readonly param: string | null;
  };
}

export function errorBody(error: HttpError): ErrorBody {
  return {
    ...error.more,
    error: { message: error.message, type: errorType(error.status), code: error.code, param: error.param ?? null },
  };
}

/** The kinds that the chat-completions family uses, by status. */
function errorType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 402) return "billing_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

export function invalidRequest(message: string, param?: string): HttpError {
  return new HttpError(400, "invalid_request", message, param === undefined ? {} : { param });
}

export function modelNotFound(model: string): HttpError {
  return new HttpError(404, "model_not_found", `The model '${model}' does not exist on this gateway.`, {
    param: "model",
  });
}
