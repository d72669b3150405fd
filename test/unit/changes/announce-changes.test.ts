import { describe, expect, it } from 'vitest';
import { buildAnnounceChanges } from '../../../core/changes/announce-changes.ts';
import type { IntegrationWrite } from '../../../core/changes/changes-between.ts';
import { CANARY_INTEGRATION } from '../../../core/delivery/canary.ts';
import type { Account } from '../../../core/directory/account.ts';
import type { Trouble } from '../../../core/integration/integration.ts';
import { idsOf } from '../../support/changes/changes.ts';
import {
  InMemoryChangeLog,
  RecordingBus,
  RecordingNotices,
} from '../../support/changes/in-memory-changes.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const AT = '2026-11-21T08:00:00.000Z';
const FAILED = troubled('failed');
const { trouble, ...RECOVERED } = FAILED;

const write = (position: number, images: Partial<IntegrationWrite>): IntegrationWrite => ({
  id: `chg_${position}`,
  writtenAt: new Date(AT),
  ...images,
});
const created = (position: number, id = '0123456789Ab') =>
  write(position, { after: anIntegration({ id, createdAt: AT }) });
const recovered = write(3, { before: FAILED, after: RECOVERED });
const counted = write(2, { before: FAILED, after: { ...FAILED, setAside: 0 } });

const ACCOUNT = { name: 'acme', primaryAccount: 'acme', createdAt: '2026-11-20T08:00:00.000Z' };

const accountsWith = (...accounts: Account[]) => ({
  find: async (name: string) => accounts.find((account) => account.name === name),
});

const subjectOf = () => ({
  accounts: accountsWith(ACCOUNT),
  changeLog: new InMemoryChangeLog(),
  bus: new RecordingBus(),
  notices: new RecordingNotices(),
});

describe('announcing the changes of integrations', () => {
  it('adds the same changes to the log and the bus, and requests e-mails', async () => {
    const ports = subjectOf();
    const changes = await buildAnnounceChanges(ports)([created(1), counted, recovered]);

    expect(idsOf(changes)).toEqual(['chg_1-created', 'chg_3-recovered']);
    expect([ports.changeLog.all, ports.bus.told]).toEqual([changes, changes]);
    expect(ports.notices.told).toMatchObject([{ id: 'chg_3' }]);
  });

  it('tells nothing of the canary, whose address must stay unknown', async () => {
    const ports = subjectOf();
    const canary = anIntegration({ ...CANARY_INTEGRATION, createdAt: AT });
    await buildAnnounceChanges(ports)([
      write(1, { after: canary }),
      write(2, { before: canary, after: { ...canary, trouble } }),
      write(3, { before: canary }),
    ]);
    expect([ports.changeLog.all, ports.bus.told, ports.notices.told]).toEqual([[], [], []]);
  });

  it('announces the events that a batch sets aside once, with their number', async () => {
    const setAside = (position: number, before: number, id = '0123456789Ab') =>
      write(position, {
        before: anIntegration({ id, setAside: before }),
        after: anIntegration({ id, setAside: before + 1 }),
      });
    const ports = subjectOf();
    await buildAnnounceChanges(ports)([
      setAside(1, 0),
      setAside(2, 0, 'AnotherOne01'),
      setAside(3, 1),
    ]);

    const counted = [
      { id: '/acme/changes/chg_2-event-set-aside', count: 1 },
      { id: '/acme/changes/chg_3-event-set-aside', count: 2 },
    ];
    expect(ports.changeLog.all).toMatchObject(counted);
    expect(ports.bus.told).toMatchObject(counted);
    expect(ports.notices.told.map(({ id }) => id)).toEqual(['chg_3', 'chg_2']);
  });

  it('tells the platform alone of the changes of a removed account', async () => {
    const ports = { ...subjectOf(), accounts: accountsWith() };
    const deletedBy = { kind: 'operator', at: AT } as const;
    const deleted = write(8, { before: anIntegration({ deletedBy }) });
    await buildAnnounceChanges(ports)([recovered, deleted]);

    expect(ports.bus.told.map(({ kind }) => kind)).toEqual(['recovered', 'deleted']);
    expect(ports.changeLog.all).toEqual([]);
  });

  it('calls nothing for a batch without changes', async () => {
    const { accounts, changeLog, bus, notices } = subjectOf();
    const dying = dyingAfter(0);
    const announce = buildAnnounceChanges({
      accounts: dying(accounts),
      changeLog: dying(changeLog),
      bus: dying(bus),
      notices: dying(notices),
    });

    expect(await announce([counted])).toEqual([]);
  });

  it('works without e-mails', async () => {
    const { notices: __, ...ports } = subjectOf();
    await buildAnnounceChanges(ports)([created(1)]);

    expect(ports.bus.told).toHaveLength(1);
  });

  it('asks for e-mails while the bus is down, and fails', async () => {
    const ports = subjectOf();
    const bus = dyingAfter(0)(ports.bus);
    const failed = write(6, { before: RECOVERED, after: FAILED });

    await expect(buildAnnounceChanges({ ...ports, bus })([failed])).rejects.toThrow('died');
    expect(ports.notices.told).toMatchObject([{ id: 'chg_6' }]);
  });

  it('asks for a reminder at each hourly retry, which is no change', async () => {
    const ports = subjectOf();
    const retried = { ...FAILED, trouble: { ...(trouble as Trouble), claimedAt: AT } };
    const changes = await buildAnnounceChanges(ports)([
      write(7, { before: FAILED, after: retried }),
    ]);

    expect([changes, ports.bus.told]).toEqual([[], []]);
    expect(ports.notices.told).toMatchObject([{ id: 'chg_7' }]);
  });

  it.each([
    ['logging', 0, [0, 0, 0]],
    ['publishing', 1, [2, 0, 0]],
    ['asking for e-mails', 2, [2, 2, 0]],
  ])('tells all when it is repeated after it died before %s', async (_step, calls, told) => {
    const ports = subjectOf();
    const { changeLog, bus, notices } = ports;
    const dying = dyingAfter(calls);
    const failing = (position: number, id: string) =>
      write(position, { before: { ...RECOVERED, id }, after: { ...FAILED, id } });
    const batch = [failing(1, '0123456789Ab'), failing(2, 'another00000')];
    const dead = {
      ...ports,
      changeLog: dying(changeLog),
      bus: dying(bus),
      notices: dying(notices),
    };

    await expect(buildAnnounceChanges(dead)(batch)).rejects.toThrow('died');
    expect([changeLog.all, bus.told, notices.told].map(({ length }) => length)).toEqual(told);

    await buildAnnounceChanges(ports)(batch);
    const ids = ['chg_1-failed', 'chg_2-failed'];
    expect(idsOf(changeLog.all)).toEqual(ids);
    expect([...new Set(idsOf(bus.told))]).toEqual(ids);
    expect([...new Set(notices.told.map(({ id }) => id))]).toEqual(['chg_1', 'chg_2']);
  });
});
