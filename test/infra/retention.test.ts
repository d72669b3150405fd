import { describe, expect, it } from 'vitest';
import { type Json, type Resource, type SynthesisedStage, synthesise } from './template.ts';

const table = 'AWS::DynamoDB::Table';
const users = 'AWS::Cognito::UserPool';
const keepsData = ['AWS::KMS::Key', 'AWS::Logs::LogGroup', 'AWS::SQS::Queue', table, users];

const ofData = (stage: SynthesisedStage): Resource[] =>
  stage.all().filter(({ type }) => keepsData.includes(type));

const fates = (resources: readonly Resource[]) => [
  ...new Set(
    resources.map(({ deletionPolicy, updateReplacePolicy }) =>
      [deletionPolicy, updateReplacePolicy].join(', '),
    ),
  ),
];

const protections = (stage: SynthesisedStage): Set<Json | undefined> =>
  new Set([
    ...stage.all(table).map(({ properties }) => properties.DeletionProtectionEnabled),
    ...stage.all(users).map(({ properties }) => properties.DeletionProtection === 'ACTIVE'),
    ...stage.stacks.map(({ terminationProtection }) => terminationProtection),
  ]);

describe('taking a stage down', () => {
  const prod = synthesise('prod');

  it('leaves the tables, key, users, queues and logs of prod', () => {
    expect(fates(ofData(prod))).toEqual(['RetainExceptOnCreate, Retain']);
  });

  it('is refused by the tables, users and stacks of prod', () => {
    expect(protections(prod)).toEqual(new Set([true]));
  });

  it.each(['local', 'dev'] as const)('leaves nothing of %s, and is not refused', (name) => {
    const stage = synthesise(name);

    expect(fates(ofData(stage))).toEqual(['Delete, Delete']);
    expect(protections(stage)).toEqual(new Set([false]));
  });
});

/** What API Gateway writes logs with, in all of an account and region. */
const OF_THE_REGION = ['ServiceApi/Api/Account', 'ServiceApi/Api/CloudWatchRole'];

/** Properties that give a resource its name in AWS, each the whole name or a part of it. */
const NAME = /^(Bucket|Function|Group|LogGroup|Policy|Pool|Queue|Role|Table|UserPool)?Name$/;

const namesOf = ({ path, properties }: Resource) =>
  Object.entries(properties).flatMap(([property, name]) =>
    NAME.test(property) ? [[path, property, name]] : [],
  );

describe('a first deployment of prod that fails', () => {
  const prod = synthesise('prod');
  const kept = [...prod.all(), ...prod.addedByTheCdk()].filter(({ deletionPolicy = 'Delete' }) =>
    deletionPolicy.startsWith('Retain'),
  );

  it('leaves nothing but the role of the region, whatever the stacks keep otherwise', () => {
    const left = kept.filter(({ deletionPolicy }) => deletionPolicy !== 'RetainExceptOnCreate');

    expect(left.map(({ path }) => path).toSorted()).toEqual(OF_THE_REGION);
  });

  it('leaves no name that the next deployment needs; after a deletion there is the schedule group', () => {
    expect(kept.flatMap(namesOf)).toEqual([
      ['RetrySchedules/Group', 'Name', 'integrations-prod'],
      // The id of the API is another at each creation.
      [
        'ServiceApi/ExecutionLog',
        'LogGroupName',
        expect.objectContaining({ 'Fn::Join': expect.anything() }),
      ],
    ]);
  });

  it('can be rolled back until the tables, which refuse their deletion, are made after all else', () => {
    const [needs = new Map()] = prod.needs();
    const tables = prod.all(table).map(({ logicalId }) => logicalId);
    const others = [...needs.keys()].filter((id) => !tables.includes(id));

    expect(tables).toHaveLength(6);
    for (const id of tables) expect(needs.get(id)).toEqual(new Set(others));
  });
});
