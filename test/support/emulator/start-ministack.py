"""Starts MiniStack with a Scheduler that fires an updated schedule as AWS does.

In AWS a rate without a start date begins at once. MiniStack counts from the creation of the schedule.
"""

from ministack import app
from ministack.services import scheduler

LONG_AGO = 0
update_schedule = scheduler._update_schedule


def update_and_begin(name, body):
    answer = update_schedule(name, body)
    if "StartDate" not in body:
        key = scheduler._schedules._scoped(f"{body.get('GroupName', 'default')}/{name}")
        scheduler._schedule_last_fired[key] = LONG_AGO
    return answer


scheduler._update_schedule = update_and_begin
scheduler._SCHEDULE_TICK_INTERVAL = 0.25
app.main()
