"""Prints how many lines the functions have logged, and those that tell of a call that IAM denied."""

import json

from botocore.session import get_session

DENIED = ("AccessDenied", "is not authorized to perform")

logs = get_session().create_client("logs")
lines = [
    event["message"]
    for page in logs.get_paginator("describe_log_groups").paginate()
    for group in page["logGroups"]
    for events in logs.get_paginator("filter_log_events").paginate(
        logGroupName=group["logGroupName"]
    )
    for event in events["events"]
]
denied = [line for line in lines if any(word in line for word in DENIED)]
print(json.dumps({"lines": len(lines), "denied": denied}))
