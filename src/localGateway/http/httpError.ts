/** Errors that become responses, and their body in the chat-completions shape. */

export interface HttpErrorOptions {
  /** The request field with the error. */
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields in addition to `error`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Thrown by handlers; the router sends it as the response. */
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

/** The error types of the chat-completions family. */
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

/** `field`: the field that names the model. */
export function modelNotFound(model: string, field: string): HttpError {
  const message = `${field}: the model '${model}' does not exist on this gateway.`;
  return new HttpError(404, "model_not_found", message, { param: field });
}
