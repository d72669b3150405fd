/** What an operator asked for cannot be done as asked. The message is one line, for the operator. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError';
}
