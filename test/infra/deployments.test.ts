import { describe, expect, it } from 'vitest';
import { notificationsOf } from '../../lib/deployment-options.ts';

describe('The notifications of a deployment', () => {
  it('go to each address, or to a topic', () => {
    expect(notificationsOf({})).toEqual({ emails: [] });
    expect(
      notificationsOf({ alarmEmail: 'a@example.com, b@example.com', monthlyBudget: '200' }),
    ).toEqual({ emails: ['a@example.com', 'b@example.com'], monthlyBudget: 200 });
    const alarmTopicArn = 'arn:aws:sns:eu-west-1:111122223333:on-call';
    expect(notificationsOf({ alarmTopicArn })).toEqual({ emails: [], topicArn: alarmTopicArn });
  });

  it.each([
    [{ alarmEmail: 'on-call' }, 'alarmEmail must be e-mail addresses'],
    [{ alarmEmail: 'a@example.com,' }, 'alarmEmail must be e-mail addresses'],
    [{ alarmTopicArn: 'on-call' }, 'alarmTopicArn must be the ARN of a topic'],
    [{ alarmEmail: 'a@example.com', alarmTopicArn: 'on-call' }, 'choose one'],
    ...['0', '-5', '19.99', '$200', true].map(
      (monthlyBudget) =>
        [{ monthlyBudget }, 'monthlyBudget must be a positive whole number'] as const,
    ),
  ] as const)('are refused: %o', (options, fault) => {
    expect(() => notificationsOf(options)).toThrow(fault);
  });
});
