import type { TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type { IntegrationEpoch, LatestAttempt } from '../../core/integration/integration.ts';
import { DynamoDbAttemptStates, settingMembers } from './dynamodb-attempt-states.ts';

export class DynamoDbTroubleStates extends DynamoDbAttemptStates implements TroubleStates {
  async end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean> {
    const ending = { update: 'REMOVE trouble, streak', add: ' ADD epoch :one', values: ONE };
    const where = 'attribute_exists(trouble)';
    const at = confirmedAt?.toISOString();
    // A later success may be known already.
    const isEnded =
      (at !== undefined &&
        (await this.tryChange(epoch, {
          update: `${ending.update} SET confirmedAt = :at${ending.add}`,
          where: `${where} AND (attribute_not_exists(confirmedAt) OR confirmedAt < :at)`,
          values: { ...ending.values, ':at': at },
        }))) ||
      (await this.tryChange(epoch, {
        update: ending.update + ending.add,
        where,
        values: ending.values,
      }));
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
  claimRetry(
    epoch: IntegrationEpoch,
    claim: { lastBefore: Date; claimedAt: Date; nextAttemptAt: Date },
  ): Promise<boolean> {
    return this.tryChange(epoch, {
      update: 'SET trouble.claimedAt = :claimedAt, trouble.nextAttemptAt = :next',
      where:
        'attribute_exists(trouble) AND (attribute_not_exists(trouble.claimedAt) OR trouble.claimedAt <= :lastBefore)',
      values: {
        ':lastBefore': claim.lastBefore.toISOString(),
        ':claimedAt': claim.claimedAt.toISOString(),
        ':next': claim.nextAttemptAt.toISOString(),
      },
    });
  }

  async noteAttempt(
    epoch: IntegrationEpoch,
    { lastAttemptAt, statusCode, reason }: LatestAttempt,
  ): Promise<void> {
    const { update, values } = settingMembers({ lastAttemptAt, statusCode, reason });
    await this.change(epoch, { update, where: 'attribute_exists(trouble)', values });
  }
}

const ONE = { ':one': 1 } as const;
