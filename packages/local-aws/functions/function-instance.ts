import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { AnswerAws } from '../aws/aws-request.ts';
import { answerCall } from './aws-answers.ts';
import { type FunctionSettings, functionEnvironment } from './function-settings.ts';
import type { RunMessage, WorkerMessage, WorkerSettings } from './runtime-messages.ts';

export interface InstanceOptions {
  awsOrigin: string;
  /** Answers the calls of AWS that a sandbox hands over; without it, a sandbox calls over HTTP. */
  answerAws?: AnswerAws | undefined;
  caCertificate: string;
  /** The folder in which Node keeps compiled code: a sandbox then starts in two thirds of the time. */
  compileCache: string;
  logFile: string;
  /** Called when an invocation waits for an endpoint, and needs no processor. */
  onWait: () => void;
  /** Called when the worker has ended; with a failure only if it ended outside of an invocation. */
  onEnd: (failure?: FunctionFailure) => void;
}

/** An invocation failed: the handler threw, ran out of time or memory, or ended its process. */
export class FunctionFailure extends Error {
  override readonly name: string;
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

/**
 * As in Lambda, a cold start has ten seconds, which do not count for the invocation, and then once more
 * the function's timeout.
 */
const COLD_START_MS = 10_000;

/** How often a sandbox is looked at whether it waits for an endpoint. */
const LOOKED_AT_EACH_MS = 25;

/** V8 alone would give a sandbox up to 192 MB. The run was not faster with more than 6. */
const YOUNG_GENERATION_MB = 6;

interface Utilizations {
  readonly sandbox: EventLoopUtilization;
  readonly main: EventLoopUtilization;
}

interface Invocation {
  resolve: (result: string) => void;
  reject: (failure: FunctionFailure) => void;
  timeout: NodeJS.Timeout;
  look?: NodeJS.Timeout;
}

/** One sandbox of a function: a worker thread that takes one invocation at a time. */
export class FunctionInstance {
  readonly #settings: FunctionSettings;
  readonly #onWait: InstanceOptions['onWait'];
  readonly #onEnd: InstanceOptions['onEnd'];
  readonly #worker: Worker;
  readonly #answerAws: AnswerAws | undefined;
  readonly #ready = Promise.withResolvers<void>();
  #invocation: Invocation | undefined;
  #ended = false;

  constructor(settings: FunctionSettings, options: InstanceOptions) {
    this.#settings = settings;
    this.#onWait = options.onWait;
    this.#onEnd = options.onEnd;
    const { arn, file, handler } = settings;
    const { answerAws, caCertificate, logFile } = options;
    this.#worker = new Worker(new URL('./function-worker.ts', import.meta.url), {
      workerData: {
        arn,
        file,
        handler,
        logFile,
        caCertificate,
        handsOverAwsCalls: answerAws !== undefined,
      } satisfies WorkerSettings,
      env: {
        ...functionEnvironment(settings, options.awsOrigin),
        NODE_COMPILE_CACHE: options.compileCache,
      },
      execArgv: [],
      // The worker writes to its log file. Without these, Node connects each worker to the terminal.
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: settings.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
      name: settings.name.slice(-60),
    });
    this.#answerAws = answerAws;
    this.#worker.on('message', (message: WorkerMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#end(FunctionFailure.from(error)));
    this.#worker.on('exit', (code) => {
      this.#end(new FunctionFailure('Runtime.ExitError', `The runtime exited with code ${code}`));
    });
  }

  /** Resolves when the sandbox has loaded the function; never, if that fails. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Takes and gives JSON. Rejects with a FunctionFailure. */
  invoke(event: string, awsRequestId: string): Promise<string> {
    const { timeoutMs } = this.#settings;
    return new Promise((resolve, reject) => {
      const timeOutAfter = (ms: number) => setTimeout(() => this.#timeOut(ms), ms);
      const timeout = timeOutAfter(COLD_START_MS + timeoutMs);
      const invocation: Invocation = { resolve, reject, timeout };
      this.#invocation = invocation;
      this.#ready.promise.then(() => {
        clearTimeout(invocation.timeout);
        invocation.timeout = timeOutAfter(timeoutMs);
        this.#lookAt(invocation);
        const deadlineAt = Date.now() + timeoutMs;
        this.#post({ kind: 'invocation', event, awsRequestId, deadlineAt });
      });
    });
  }

  /** Ends the worker in the middle of its work, as when a process runs out of memory. */
  async crash(): Promise<void> {
    await this.#worker.terminate();
  }

  async stop(): Promise<void> {
    this.#end(new FunctionFailure('Runtime.ExitError', 'The run stops'));
    await this.#worker.terminate();
  }

  #post(message: RunMessage): void {
    this.#worker.postMessage(message);
  }

  #receive(message: WorkerMessage): void {
    if (message.kind === 'call' && this.#answerAws) {
      answerCall(message, this.#answerAws).then((answer) => this.#post(answer));
    }
    if (message.kind === 'ready') this.#ready.resolve();
    if (message.kind === 'result') this.#settle()?.resolve(message.result);
    if (message.kind === 'failure') this.#settle()?.reject(FunctionFailure.from(message));
  }

  #lookAt(invocation: Invocation, before?: Utilizations): void {
    invocation.look = setTimeout(() => {
      if (before && this.#isWaitingSince(before)) this.#onWait();
      else this.#lookAt(invocation, this.#utilizations());
    }, LOOKED_AT_EACH_MS);
  }

  /**
   * Whether it waited for an endpoint since then: it was idle for most of the time, and not because the
   * main thread was too busy to answer its calls. Beside that, another sandbox would be of no use.
   */
  #isWaitingSince({ sandbox, main }: Utilizations): boolean {
    return (
      this.#worker.performance.eventLoopUtilization(sandbox).utilization < 0.5 &&
      performance.eventLoopUtilization(main).utilization < 0.9
    );
  }

  #utilizations(): Utilizations {
    return {
      sandbox: this.#worker.performance.eventLoopUtilization(),
      main: performance.eventLoopUtilization(),
    };
  }

  #timeOut(afterMs: number): void {
    const seconds = (afterMs / 1_000).toFixed(2);
    this.#end(new FunctionFailure('Sandbox.Timedout', `Task timed out after ${seconds} seconds`));
    this.#worker.terminate();
  }

  #end(failure: FunctionFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    const invocation = this.#settle();
    this.#onEnd(invocation ? undefined : failure);
    invocation?.reject(failure);
  }

  #settle(): Invocation | undefined {
    const invocation = this.#invocation;
    this.#invocation = undefined;
    clearTimeout(invocation?.timeout);
    clearTimeout(invocation?.look);
    return invocation;
  }
}
