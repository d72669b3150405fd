/** The playground does not understand a request; the message is for the person who sent it. */
export class PlaygroundRefusal extends Error {
  override readonly name = 'PlaygroundRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
