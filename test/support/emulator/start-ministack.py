"""Starts MiniStack with hours of so many seconds: $HOUR_SECONDS. The journeys wait for some hours.

Minutes last longer: the canary, sent every five minutes, takes processes from the journeys.
"""

import os

from ministack import app
from ministack.services import eventbridge, scheduler

SECONDS_OF_HOUR = 3600
FASTER_MINUTES = 15
hour_seconds = float(os.environ["HOUR_SECONDS"])
real_seconds_of = eventbridge._parse_rate_seconds


def short_seconds_of(expression):
    seconds = real_seconds_of(expression)
    if seconds is None:
        return None
    if "minute" in expression:
        return seconds / FASTER_MINUTES
    return seconds * hour_seconds / SECONDS_OF_HOUR


eventbridge._parse_rate_seconds = short_seconds_of
scheduler._SCHEDULE_TICK_INTERVAL = hour_seconds / 20
app.main()
