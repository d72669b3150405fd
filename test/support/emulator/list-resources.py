"""Prints what there is in the region of $AWS_REGION, as JSON: names by kind."""

import json

from botocore.session import get_session

session = get_session()


def names(service, operation, member, name=None, **arguments):
    client = session.create_client(service)
    pages = (
        client.get_paginator(operation).paginate(**arguments)
        if client.can_paginate(operation)
        else [getattr(client, operation)(**arguments)]
    )
    return [item[name] if name else item for page in pages for item in page[member]]


def keys():
    client = session.create_client("kms")
    described = [
        client.describe_key(KeyId=key)["KeyMetadata"]
        for key in names("kms", "list_keys", "Keys", "KeyId")
    ]
    own = [key for key in described if key["KeyManager"] == "CUSTOMER"]
    return [key["Description"] for key in own if key["KeyState"] != "PendingDeletion"]


def log_groups():
    """Without those that the emulator makes anew for a function at work, which keep for ever."""
    groups = names("logs", "describe_log_groups", "logGroups")
    return [group["logGroupName"] for group in groups if "retentionInDays" in group]


def roles():
    """Without the one by which API Gateway writes the logs of the region: it stays on purpose."""
    account = session.create_client("apigateway").get_account()
    kept = account.get("cloudwatchRoleArn", "").split("/")[-1]
    return [name for name in names("iam", "list_roles", "Roles", "RoleName") if name != kept]


print(
    json.dumps(
        {
            "stacks": [
                stack["StackName"]
                for stack in names("cloudformation", "describe_stacks", "Stacks")
            ],
            "tables": names("dynamodb", "list_tables", "TableNames"),
            "queues": names("sqs", "list_queues", "QueueUrls")
            if "QueueUrls" in session.create_client("sqs").list_queues()
            else [],
            "functions": names("lambda", "list_functions", "Functions", "FunctionName"),
            "event sources": names(
                "lambda", "list_event_source_mappings", "EventSourceMappings", "EventSourceArn"
            ),
            "schedules": names("scheduler", "list_schedules", "Schedules", "Name"),
            "schedule groups": names(
                "scheduler", "list_schedule_groups", "ScheduleGroups", "Name"
            ),
            "log groups": log_groups(),
            "alarms": names("cloudwatch", "describe_alarms", "MetricAlarms", "AlarmName"),
            "keys": keys(),
            "roles": roles(),
            "buckets": names("s3", "list_buckets", "Buckets", "Name"),
            "rest apis": names("apigateway", "get_rest_apis", "items", "name"),
            "user pools": names(
                "cognito-idp", "list_user_pools", "UserPools", "Name", MaxResults=60
            ),
            "web acls": names("wafv2", "list_web_acls", "WebACLs", "Name", Scope="REGIONAL"),
        }
    )
)
