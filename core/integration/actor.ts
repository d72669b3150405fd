/** Who changes an integration: a user with a token or a sign-in, an operator, or the service itself. */
export type Actor =
  | { readonly kind: 'user'; readonly user: string; readonly token?: string | undefined }
  | { readonly kind: 'operator' | 'service' };

/** In an integration: who made its latest change of settings, or ended its trouble, and when (RFC 3339). */
export type ChangedBy = Actor & { readonly at: string };
