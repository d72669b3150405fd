import hashlib
import hmac
import json
import logging
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from queue import Queue
from threading import Thread

from flask import Flask, abort, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
from waitress import serve

# During a rotation of the secret, both secrets are accepted.
variables = ("WEBHOOK_SECRET", "PREVIOUS_WEBHOOK_SECRET")
secrets = [os.environ[name] for name in variables if os.environ.get(name)]
INBOX = os.environ.get("INBOX", "inbox.db")

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 262_144
logger = logging.getLogger("webhooks")


def has_service_signature(body: bytes, secret: str) -> bool:
    actual = request.headers.get("X-Service-Signature", "").encode()
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode()
    return hmac.compare_digest(expected, actual)


def has_standard_signature(body: bytes, secret: str) -> bool:
    try:
        Webhook(secret).verify(body, dict(request.headers), json_parse=False)
        return True
    except (WebhookVerificationError, ValueError):  # ValueError: a malformed header.
        return False


def receive(is_authentic: Callable[[bytes, str], bool]) -> tuple[str, int]:
    # The signature covers the bytes of the body: request.json would lose them.
    body = request.get_data()
    if not any(is_authentic(body, secret) for secret in secrets):
        logger.info("refused")
        return "The signature is wrong.", 401
    delivery = parse_delivery(body)
    try:
        is_new = store(delivery["id"], body)
    except sqlite3.Error:
        logger.exception("The delivery was not stored: the service sends it again.")
        return "", 504
    # A thread works after the answer.
    if is_new:
        deliveries.put(delivery)
    else:
        logger.info("duplicate %s", delivery["id"])
    return "", 204


@app.post("/hooks")
def hooks() -> tuple[str, int]:
    return receive(has_service_signature)


@app.post("/standard-hooks")
def standard_hooks() -> tuple[str, int]:
    return receive(has_standard_signature)


def parse_delivery(body: bytes) -> dict:
    try:
        delivery = json.loads(body)
    except ValueError:
        delivery = None
    if not isinstance(delivery, dict) or not isinstance(delivery.get("id"), str):
        abort(400, "The body is not a delivery.")
    return delivery


deliveries: Queue[dict] = Queue()


def work() -> None:
    while True:
        delivery = deliveries.get()
        try:
            handle(delivery)
        except Exception:
            logger.exception("failed %s", delivery["id"])


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
Thread(target=work, daemon=True).start()

if __name__ == "__main__":
    # Waitress refuses as many bytes as its maximum. The service sends at most 262,144.
    serve(app, listen=f"127.0.0.1:{os.environ.get('PORT', '3000')}", max_request_body_size=262_145)
