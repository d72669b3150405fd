/** The content of `/config.json`. The console's other files are the same in every stage. */
export interface ConsoleConfig {
  /** Base URL of the API, without a slash at its end. */
  readonly api: string;
  /** The platform's page that opens the console by a link. */
  readonly platformUrl?: string;
  /** Absent: the console is opened by links of the platform alone. */
  readonly signIn?: {
    /** Issuer of the OpenID provider, which has `/.well-known/openid-configuration`. */
    readonly issuer: string;
    /** The console's public client: authorization code with PKCE, no secret. */
    readonly clientId: string;
    /** Cognito's own sign-out page; absent if the provider supports OpenID Connect's logout. */
    readonly logoutUrl?: string;
  };
}
