/**
 * List prices of AWS for us-east-1 and arm64 in US dollars, without free tiers and without the
 * discounts of large volumes. As known on 2026-11-22; the pages named here have the prices of today.
 */

const MILLION = 1e6;

export const PRICES = {
  /** https://aws.amazon.com/sqs/pricing/ */
  sqs: {
    standardRequest: 0.4 / MILLION,
    fifoRequest: 0.5 / MILLION,
    /** Added to each request of a standard queue whose messages have groups. */
    fairQueueRequest: 0.1 / MILLION,
  },
  /** https://aws.amazon.com/lambda/pricing/ */
  lambda: { request: 0.2 / MILLION, gbSecond: 0.000_013_333_4 },
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  dynamodb: {
    writeUnit: 0.625 / MILLION,
    readUnit: 0.125 / MILLION,
    /** https://aws.amazon.com/dynamodb/pricing/provisioned/ */
    writeUnitHour: 0.000_65,
    readUnitHour: 0.000_13,
    storageGbMonth: 0.25,
    pointInTimeRecoveryGbMonth: 0.2,
  },
  /** https://aws.amazon.com/backup/pricing/, DynamoDB, warm storage */
  backup: { storageGbMonth: 0.1 },
  /** https://aws.amazon.com/cloudwatch/pricing/ */
  cloudwatch: {
    logsIngestedGb: 0.5,
    logsStoredGbMonth: 0.03,
    metricMonth: 0.3,
    alarmMetricMonth: 0.1,
    dashboardMonth: 3,
  },
  /** https://aws.amazon.com/api-gateway/pricing/, REST APIs */
  apiGateway: { request: 3.5 / MILLION },
  /** https://aws.amazon.com/eventbridge/pricing/, Scheduler */
  scheduler: { invocation: 1 / MILLION },
  /** https://aws.amazon.com/eventbridge/pricing/, custom events of up to 64 KB */
  eventBridge: { event: 1 / MILLION },
  /** https://aws.amazon.com/xray/pricing/ */
  xray: { traceRecorded: 5 / MILLION },
  /** https://aws.amazon.com/ses/pricing/ */
  ses: { mail: 0.1 / 1_000 },
  /** https://aws.amazon.com/kms/pricing/ */
  kms: {
    keyMonth: 1,
    /** Added by each of the first two rotations of a key. */
    rotationMonth: 1,
  },
  /** https://aws.amazon.com/waf/pricing/ */
  waf: { webAclMonth: 5, ruleMonth: 1, request: 0.6 / MILLION },
  /** https://aws.amazon.com/cognito/pricing/, Essentials */
  cognito: { userMonth: 0.015 },
  /** https://aws.amazon.com/ec2/pricing/on-demand/, "Data Transfer" */
  internet: { outGb: 0.09 },
} as const;
