import type {
  EndOfTrouble,
  RetryClaim,
  TroubleStates,
} from '../../../core/delivery/trouble/troubles.ts';
import type {
  IntegrationEpoch,
  LatestAttempt,
  Trouble,
} from '../../../core/integration/integration.ts';
import { DynamoDbAttemptStates, settingMembers } from './attempt-states.ts';

export class DynamoDbTroubleStates extends DynamoDbAttemptStates implements TroubleStates {
  async end(
    epoch: IntegrationEpoch,
    { confirmedAt, requestedBy }: EndOfTrouble = {},
  ): Promise<boolean> {
    const where = 'attribute_exists(trouble)';
    const ending = 'REMOVE trouble, streak ADD epoch :one';
    if (requestedBy !== undefined) {
      return this.tryChange(epoch, {
        update: `${ending} SET changedBy = :by`,
        where,
        values: { ...ONE, ':by': requestedBy },
      });
    }
    const at = confirmedAt?.toISOString();
    // A later success may be known already.
    const isEnded =
      (at !== undefined &&
        (await this.tryChange(epoch, {
          update: `${ending} SET confirmedAt = :at`,
          where: `${where} AND (attribute_not_exists(confirmedAt) OR confirmedAt < :at)`,
          values: { ...ONE, ':at': at },
        }))) ||
      (await this.tryChange(epoch, { update: ending, where, values: ONE }));
    return isEnded || (at !== undefined && this.#wasEndedBy(epoch, at));
  }

  /** Whether an earlier call of this success, with its answer lost, may have ended the epoch. */
  async #wasEndedBy(epoch: IntegrationEpoch, confirmedAt: string): Promise<boolean> {
    const next = await this.stored({ ...epoch, epoch: epoch.epoch + 1 });
    return (next?.confirmedAt ?? '') >= confirmedAt;
  }

  closeEpoch(epoch: IntegrationEpoch): Promise<boolean> {
    return this.tryChange(epoch, {
      update: 'REMOVE trouble ADD epoch :one',
      where: '(attribute_not_exists(trouble) OR trouble.kind = :waiting)',
      values: { ...ONE, ':waiting': 'waiting' },
    });
  }

  /** Instants are compared as text: `toISOString` writes all instants in the same form. */
  claimRetry(epoch: IntegrationEpoch, claim: RetryClaim): Promise<boolean> {
    return this.tryChange(epoch, {
      update:
        'SET trouble.claimedAt = :claimedAt, trouble.claimedBy = :claimedBy, trouble.nextAttemptAt = :next',
      where: `attribute_exists(trouble) AND (attribute_not_exists(trouble.claimedAt)
        OR trouble.claimedAt <= :lastBefore OR trouble.claimedBy = :claimedBy)`,
      values: {
        ':lastBefore': claim.lastBefore.toISOString(),
        ':claimedAt': claim.claimedAt.toISOString(),
        ':claimedBy': claim.claimedBy,
        ':next': claim.nextAttemptAt.toISOString(),
      },
    });
  }

  noteAttempt(
    epoch: IntegrationEpoch,
    { lastAttemptAt, statusCode, reason, walkedTo }: LatestAttempt & Pick<Trouble, 'walkedTo'>,
  ): Promise<boolean> {
    const setting = settingMembers({
      ...{ lastAttemptAt, statusCode, reason },
      ...(walkedTo !== undefined && { walkedTo }),
    });
    return this.tryChange(epoch, { ...setting, where: 'attribute_exists(trouble)' });
  }

  async noteConfirmed(epoch: IntegrationEpoch, confirmedAt: Date): Promise<void> {
    await this.tryChange(epoch, {
      update: 'SET confirmedAt = :at',
      where:
        'attribute_not_exists(streak) AND (attribute_not_exists(confirmedAt) OR confirmedAt < :at)',
      values: { ':at': confirmedAt.toISOString() },
    });
  }
}

const ONE = { ':one': 1 } as const;
