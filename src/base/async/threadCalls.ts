/** Calls methods of an object in another thread. Each call has a number and gets one reply. */

export interface ThreadCall<Method extends string> {
  readonly call: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** `error` is plain data, because the class of an error is lost between threads. */
export type ThreadAnswer<Failure> =
  { readonly call: number; readonly value: unknown } | { readonly call: number; readonly error: Failure };

/** The calls that wait for their replies. */
export class ThreadCalls<Method extends string, Failure> {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #toError: (failure: Failure) => Error;
  #last = 0;

  constructor(toError: (failure: Failure) => Error) {
    this.#toError = toError;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** `T` is what the method returns in the other thread. `post` may call `rejectAll`, which rejects this call too. */
  begin<T>(method: Method, args: readonly unknown[], post: (call: ThreadCall<Method>) => void): Promise<T> {
    const result = Promise.withResolvers<unknown>();
    this.#last += 1;
    this.#waiting.set(this.#last, result);
    post({ call: this.#last, method, args });
    return result.promise as Promise<T>;
  }

  resolve(answer: ThreadAnswer<Failure>): void {
    const waiting = this.#waiting.get(answer.call);
    this.#waiting.delete(answer.call);
    if ("error" in answer) waiting?.reject(this.#toError(answer.error));
    else waiting?.resolve(answer.value);
  }

  /** Rejects all waiting calls, because the other thread has ended. */
  rejectAll(failure: Failure): void {
    for (const { reject } of this.#waiting.values()) reject(this.#toError(failure));
    this.#waiting.clear();
  }
}

/**
 * An object whose methods are called in the other thread, each through `call`; what `own` has is called in this one. It can be awaited, so it has no
 * method `then`.
 */
export function remoteObject<Target extends object, Own extends Partial<Target>>(
  own: Own,
  call: (method: Exclude<keyof Target, keyof Own> & string, args: readonly unknown[]) => Promise<unknown>,
): Target {
  return new Proxy(own, {
    get(target, name) {
      if (name in target || typeof name === "symbol" || name === "then") return Reflect.get(target, name) as unknown;
      return (...args: readonly unknown[]) => call(name as Parameters<typeof call>[0], args);
    },
  }) as unknown as Target;
}

/** Runs a call in the other thread. `methods` can be called from outside; `describe` converts what they throw to data. */
export async function answerCall<Method extends string, Failure>(
  methods: Readonly<Record<Method, (...args: never) => Promise<unknown>>>,
  { call, method, args }: ThreadCall<Method>,
  describe: (failure: unknown) => Failure,
): Promise<ThreadAnswer<Failure>> {
  try {
    return { call, value: await methods[method](...(args as never)) };
  } catch (failure) {
    return { call, error: describe(failure) };
  }
}
