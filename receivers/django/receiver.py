import hashlib
import hmac
import json
import logging
import os
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
from waitress import serve

# During a rotation of the secret, both secrets are accepted.
variables = ("WEBHOOK_SECRET", "PREVIOUS_WEBHOOK_SECRET")
secrets = [os.environ[name] for name in variables if os.environ.get(name)]
INBOX = os.environ.get("INBOX", "inbox.db")
logger = logging.getLogger("webhooks")


def has_service_signature(request: HttpRequest, secret: str) -> bool:
    actual = request.headers.get("X-Service-Signature", "").encode()
    expected = hmac.new(secret.encode(), request.body, hashlib.sha256).hexdigest().encode()
    return hmac.compare_digest(expected, actual)


def has_standard_signature(request: HttpRequest, secret: str) -> bool:
    try:
        Webhook(secret).verify(request.body, dict(request.headers), json_parse=False)
        return True
    except (WebhookVerificationError, ValueError):  # ValueError: a malformed header.
        return False


# The signature covers the bytes of the body, which are in request.body.
# A webhook has no CSRF token: its signature authenticates it.
@csrf_exempt
@require_POST
def receive(request: HttpRequest, is_authentic) -> HttpResponse:
    if not any(is_authentic(request, secret) for secret in secrets):
        logger.info("refused")
        return HttpResponse("The signature is wrong.", status=401)
    delivery = parse_delivery(request.body)
    if delivery is None:
        return HttpResponse("The body is not a delivery.", status=400)
    try:
        is_new = store(delivery["id"], request.body)
    except sqlite3.Error:
        logger.exception("The delivery was not stored: the service sends it again.")
        return HttpResponse(status=504)
    # A thread works after the answer.
    if is_new:
        worker.submit(handle, delivery)
    else:
        logger.info("duplicate %s", delivery["id"])
    return HttpResponse(status=204)


urlpatterns = [
    path("hooks", receive, {"is_authentic": has_service_signature}),
    path("standard-hooks", receive, {"is_authentic": has_standard_signature}),
]


def parse_delivery(body: bytes) -> dict | None:
    try:
        delivery = json.loads(body)
    except ValueError:
        return None
    is_delivery = isinstance(delivery, dict) and isinstance(delivery.get("id"), str)
    return delivery if is_delivery else None


worker = ThreadPoolExecutor(max_workers=1)


def handle(delivery: dict) -> None:
    # Your work goes here. The pool swallows exceptions: catch and log them.
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
settings.configure(
    ALLOWED_HOSTS=["*"],
    DATA_UPLOAD_MAX_MEMORY_SIZE=262_144,
    ROOT_URLCONF=__name__,
)
application = get_wsgi_application()

if __name__ == "__main__":
    # Waitress refuses as many bytes as its maximum. The service sends at most 262,144.
    serve(
        application,
        listen=f"127.0.0.1:{os.environ.get('PORT', '3000')}",
        max_request_body_size=262_145,
    )
