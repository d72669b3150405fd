/** An invocation failed: the handler threw, ran out of time or memory, or ended its process. */
export class FunctionFailure extends Error {
  override readonly name: string;
  /** Stack of the error that the handler threw. */
  readonly handlerStack: string | undefined;

  constructor(name: string, message: string, handlerStack?: string) {
    super(message);
    this.name = name;
    this.handlerStack = handlerStack;
  }

  static from(error: unknown): FunctionFailure {
    if (error instanceof FunctionFailure) return error;
    const { name, message, stack } = error as Partial<Error>;
    return new FunctionFailure(name ?? 'Error', message ?? String(error), stack);
  }
}
