import hashlib
import hmac
import json
import logging
import os
import sqlite3
import sys
from contextlib import closing
from typing import Annotated

from fastapi import BackgroundTasks, Depends, FastAPI, HTTPException, Request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

# During a rotation of the secret, both secrets are accepted.
variables = ("WEBHOOK_SECRET", "PREVIOUS_WEBHOOK_SECRET")
secrets = [os.environ[name] for name in variables if os.environ.get(name)]
INBOX = os.environ.get("INBOX", "inbox.db")

logger = logging.getLogger("webhooks")
app = FastAPI()


async def read_body(request: Request) -> bytes:
    # The signature covers the bytes of the body, so no route declares a model for it.
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > 262_144:  # The service sends at most so many bytes.
            raise HTTPException(413, "The body is too large.")
    return bytes(body)


Body = Annotated[bytes, Depends(read_body)]


async def service_signed(request: Request, body: Body) -> bytes:
    actual = request.headers.get("x-service-signature", "").encode()
    for secret in secrets:
        expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected.encode(), actual):
            return body
    logger.info("refused")
    raise HTTPException(401, "The signature is wrong.")


async def standard_signed(request: Request, body: Body) -> bytes:
    for secret in secrets:
        try:
            Webhook(secret).verify(body, dict(request.headers), json_parse=False)
            return body
        except (WebhookVerificationError, ValueError):  # ValueError: a malformed header.
            pass
    logger.info("refused")
    raise HTTPException(401, "The signature is wrong.")


@app.post("/hooks", status_code=204)
def hooks(body: Annotated[bytes, Depends(service_signed)], tasks: BackgroundTasks) -> None:
    delivery = parse_delivery(body)
    try:
        is_new = store(delivery["id"], body)
    except sqlite3.Error as error:
        logger.exception("The delivery was not stored: the service sends it again.")
        raise HTTPException(504) from error
    # FastAPI works after the answer.
    if is_new:
        tasks.add_task(handle, delivery)
    else:
        logger.info("duplicate %s", delivery["id"])


@app.post("/standard-hooks", status_code=204)
def standard_hooks(
    body: Annotated[bytes, Depends(standard_signed)], tasks: BackgroundTasks
) -> None:
    hooks(body, tasks)


def parse_delivery(body: bytes) -> dict:
    try:
        delivery = json.loads(body)
    except ValueError:
        delivery = None
    if not isinstance(delivery, dict) or not isinstance(delivery.get("id"), str):
        raise HTTPException(400, "The body is not a delivery.")
    return delivery


def handle(delivery: dict) -> None:
    # Your work goes here.
    logger.info("accepted %s %s", delivery["id"], delivery.get("action"))


def prepare_inbox() -> None:
    with closing(sqlite3.connect(INBOX)) as db:
        db.execute("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL)")


def store(delivery_id: str, body: bytes) -> bool:
    """Stores a delivery. Returns whether it is new: every attempt has the same id."""
    # In production, use your database or a durable queue.
    with closing(sqlite3.connect(INBOX)) as db, db:
        statement = "INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING"
        return db.execute(statement, (delivery_id, body.decode())).rowcount == 1


logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
if not os.environ.get("WEBHOOK_SECRET"):
    sys.exit("Set WEBHOOK_SECRET to the secret of your webhook.")
prepare_inbox()
