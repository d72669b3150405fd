"""Prints how many lines the functions of a stage logged, and those about a call that IAM denied."""

import json
import sys

from botocore.session import get_session

DENIED = ("AccessDenied", "is not authorized to perform")

stage = sys.argv[1]
logs = get_session().create_client("logs")
lines = [
    event["message"]
    for page in logs.get_paginator("describe_log_groups").paginate()
    for group in page["logGroups"]
    if f"integrations-{stage}" in group["logGroupName"]
    for events in logs.get_paginator("filter_log_events").paginate(
        logGroupName=group["logGroupName"]
    )
    for event in events["events"]
]
denied = [line for line in lines if any(word in line for word in DENIED)]
print(json.dumps({"lines": len(lines), "denied": denied}))
