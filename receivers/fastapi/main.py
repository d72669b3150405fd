import hashlib
import hmac
import json
import logging
import os
import sys
from typing import Annotated

from fastapi import BackgroundTasks, Depends, FastAPI, HTTPException, Request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

# During a rotation of the secret, both secrets are accepted.
variables = ("WEBHOOK_SECRET", "PREVIOUS_WEBHOOK_SECRET")
secrets = [os.environ[name] for name in variables if os.environ.get(name)]

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
async def hooks(body: Annotated[bytes, Depends(service_signed)], tasks: BackgroundTasks) -> None:
    delivery = parse_delivery(body)
    # FastAPI works after the answer. In production, put the delivery on a durable queue here.
    if is_new(delivery["id"]):
        tasks.add_task(handle, delivery)
    else:
        logger.info("duplicate %s", delivery["id"])


@app.post("/standard-hooks", status_code=204)
async def standard_hooks(
    body: Annotated[bytes, Depends(standard_signed)], tasks: BackgroundTasks
) -> None:
    await hooks(body, tasks)


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


# Every attempt of a delivery has the same id. In production, use a unique key in your database
# instead of this dictionary, which a restart empties and other processes do not share.
seen: dict[str, None] = {}


def is_new(delivery_id: str) -> bool:
    if delivery_id in seen:
        return False
    seen[delivery_id] = None
    if len(seen) > 10_000:
        del seen[next(iter(seen))]
    return True


logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
if not os.environ.get("WEBHOOK_SECRET"):
    sys.exit("Set WEBHOOK_SECRET to the secret of your webhook.")
