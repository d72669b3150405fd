"""Starts MiniStack with hours of so many seconds: $HOUR_SECONDS. The journeys wait for some hours."""

import os

from ministack import app
from ministack.services import eventbridge, scheduler

SECONDS_OF_HOUR = 3600
hour_seconds = float(os.environ["HOUR_SECONDS"])
real_seconds_of = eventbridge._parse_rate_seconds


def short_seconds_of(expression):
    seconds = real_seconds_of(expression)
    return None if seconds is None else seconds * hour_seconds / SECONDS_OF_HOUR


eventbridge._parse_rate_seconds = short_seconds_of
scheduler._SCHEDULE_TICK_INTERVAL = hour_seconds / 20
app.main()
