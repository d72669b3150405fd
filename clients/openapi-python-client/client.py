"""Reads the text of an incoming message from the body of a webhook, then uses the API."""

import json
import os

from integrations_api import AuthenticatedClient
from integrations_api.api.integrations import (
    create_integration,
    delete_integration,
    get_integration,
    list_integrations,
    patch_integration,
    replace_integration,
)
from integrations_api.models import (
    Integration,
    IntegrationCollection,
    IntegrationDocument,
    IntegrationPatch,
    MessageReceivedDelivery,
    Problem,
)


def text_in(body: bytes) -> str | None:
    """The text of an incoming message, from the body of a webhook."""
    delivery = json.loads(body)
    if delivery["action"] != "message.received":
        return None
    return MessageReceivedDelivery.from_dict(delivery).data.message.body


def document(base_url: str) -> IntegrationDocument:
    return IntegrationDocument.from_dict(
        {"active": True, "provider": "webhook", "config": {"baseUrl": base_url}, "settings": {}}
    )


account = os.environ["ACCOUNT"]
client = AuthenticatedClient(base_url=os.environ["API"], token=os.environ["TOKEN"])

created = create_integration.sync(
    account, client=client, body=document("https://hooks.example.com/in")
)
assert isinstance(created, Integration)
integration = created.id.split("/")[-1]
print("created", created.config.base_url)

listed = list_integrations.sync(account, client=client)
assert isinstance(listed, IntegrationCollection)
print("listed", len(listed.member))

read = get_integration.sync(integration, client=client)
assert isinstance(read, Integration)
print("read", read.status)

patched = patch_integration.sync(
    integration, client=client, body=IntegrationPatch.from_dict({"active": False})
)
assert isinstance(patched, Integration)
print("patched", patched.status)

refused = replace_integration.sync(
    integration, client=client, body=document("http://hooks.example.com/in")
)
assert isinstance(refused, Problem) and refused.errors
print("refused", refused.status, refused.errors[0].pointer)

deleted = delete_integration.sync_detailed(integration, client=client)
print("deleted", deleted.status_code.value)

print("received", text_in(os.environ["DELIVERY"].encode()))
