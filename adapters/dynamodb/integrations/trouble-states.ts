import type {
  Recovered,
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
  async recover(
    epoch: IntegrationEpoch,
    { confirmedAt, requestedBy }: Recovered = {},
  ): Promise<boolean> {
    const at = confirmedAt?.toISOString();
    const values = { ':busy': 'busy', ':failed': 'failed', ':waiting': 'waiting' };
    const by = requestedBy && { ':by': requestedBy };
    const recovering = `SET trouble.kind = :waiting${by ? ', changedBy = :by' : ''}`;
    const removing = 'REMOVE streak, trouble.event, trouble.confirmedOthers';
    const where = 'trouble.kind IN (:busy, :failed)';
    // A later success may be known already.
    const isRecovered =
      (at !== undefined &&
        (await this.tryChange(epoch, {
          update: `${recovering}, confirmedAt = :at ${removing}`,
          where: `${where} AND (attribute_not_exists(confirmedAt) OR confirmedAt < :at)`,
          values: { ...values, ...by, ':at': at },
        }))) ||
      (await this.tryChange(epoch, {
        update: `${recovering} ${removing}`,
        where,
        values: { ...values, ...by },
      }));
    if (isRecovered || at === undefined) return isRecovered;
    // An earlier call of this success may have had its answer lost.
    const stored = await this.stored(epoch);
    return stored?.trouble?.kind === 'waiting' && (stored.confirmedAt ?? '') >= at;
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

  async noteReplaying(epoch: IntegrationEpoch, until: Date | undefined): Promise<void> {
    await this.tryChange(epoch, {
      update: until ? 'SET replayingUntil = :until' : 'REMOVE replayingUntil',
      ...(until && { values: { ':until': until.toISOString() } }),
    });
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
