/** The playground refuses a request. Sender and reader of the message are people. */
export class PlaygroundRefusal extends Error {
  override readonly name = 'PlaygroundRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
