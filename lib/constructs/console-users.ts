import { Aws, CfnOutput, Duration, Fn, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  UserPool,
  type UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { OwnDomain } from '../deployment-options.ts';
import type { StageSettings } from '../stage-settings.ts';

interface ConsoleUsersProps {
  readonly settings: StageSettings;
  /** Of the console. CloudFront's name is not known yet when the users are made. */
  readonly domain?: OwnDomain | undefined;
}

/**
 * The users who sign in to the web console, and the pages for it. Administrators create users
 * (`npm run admin`); the Directory has their permissions.
 */
export class ConsoleUsers extends Construct {
  readonly pool: UserPool;
  /** Of the tokens, as their claim `iss` has it. */
  readonly issuer: string;
  /** Origin of the pages on which users sign in and out. */
  readonly loginOrigin: string;
  /** What another stack can refer to. */
  readonly exported: readonly string[];

  constructor(scope: Construct, id: string, { settings, domain }: ConsoleUsersProps) {
    super(scope, id);
    this.pool = this.#createPool(settings, domain);
    this.issuer = this.pool.userPoolProviderUrl;
    const loginPages = this.#addLoginPages(settings);
    this.loginOrigin = loginPages.baseUrl();
    this.exported = [this.issuer, this.pool.userPoolId, loginPages.domainName];
    // The administrators' command line reads these two.
    const outputs = { UserPoolId: this.pool.userPoolId, SignInIssuer: this.issuer };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(scope, key, { value });
  }

  #createPool(settings: StageSettings, domain: OwnDomain | undefined): UserPool {
    const pool = new UserPool(this, 'Pool', {
      // Managed login needs Essentials.
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      // A user whose new address is not confirmed yet signs in with the old address.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(7),
      },
      mfa: settings.secondFactor === 'required' ? Mfa.REQUIRED : Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      userInvitation: {
        emailSubject: 'Your access to the webhooks console',
        emailBody: invitationTo(domain ? ` at https://${domain.name}` : ''),
      },
      deletionProtection: settings.deletionProtection,
      removalPolicy: settings.removalPolicy,
    });
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason: 'Nobody signs up, and prod needs a second factor: a stolen password opens nothing.',
    });
    if (settings.secondFactor === 'optional') {
      Validations.of(pool).acknowledge({
        id: 'AwsSolutions-COG2',
        reason: 'The stage has no data of customers, and is to be tried without an app.',
      });
    }
    return pool;
  }

  /**
   * All AWS accounts of a region share the prefixes. The UUID at the end of the stack's id makes the
   * prefix unique without showing the number of the account.
   */
  #addLoginPages({ stage }: StageSettings): UserPoolDomain {
    const domainPrefix = `integrations-${stage}-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;
    return this.pool.addDomain('LoginPages', {
      cognitoDomain: { domainPrefix },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
  }
}

/**
 * As HTML, which is how Cognito sends it. Cognito demands both words in braces. Users of a pool with
 * e-mail addresses have a UUID as `{username}`, with which nobody signs in.
 */
const invitationTo = (place: string): string =>
  [
    `You can sign in to the webhooks console${place} with the e-mail address to which this message was sent.`,
    'Your first password, for seven days, is {####}',
    'If you need help, name your user: {username}',
  ].join('<br>');
