/** An operator's command cannot be carried out. The message is one line, for the operator. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError';
}
