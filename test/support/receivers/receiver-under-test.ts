import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import type { Route } from './posts.ts';
import { ReceiverProgram, type Startable } from './receiver-program.ts';
import { newSecret, RouteUnderTest } from './route-under-test.ts';

/** A receiver that runs, and that runs once more when a case needs a rotation. */
export class ReceiverUnderTest {
  readonly #receiver: Startable;
  readonly #front: MisbehavingReceiver;
  readonly #program: ReceiverProgram;
  #duringRotation: Promise<ReceiverProgram> | undefined;

  static async start(receiver: Startable, front: MisbehavingReceiver): Promise<ReceiverUnderTest> {
    const program = await ReceiverProgram.start(receiver, { secret: newSecret() });
    return new ReceiverUnderTest(receiver, front, program);
  }

  private constructor(receiver: Startable, front: MisbehavingReceiver, program: ReceiverProgram) {
    this.#receiver = receiver;
    this.#front = front;
    this.#program = program;
  }

  at(route: Route): RouteUnderTest {
    return new RouteUnderTest({
      front: this.#front,
      program: this.#program,
      route,
      duringRotation: () => {
        const secrets = { secret: newSecret(), previousSecret: this.#program.secrets.secret };
        this.#duringRotation ??= ReceiverProgram.start(this.#receiver, secrets);
        return this.#duringRotation;
      },
    });
  }

  async stop(): Promise<void> {
    const rotated = await this.#duringRotation?.catch(() => undefined);
    await Promise.all([this.#program.stop(), rotated?.stop()]);
  }
}
