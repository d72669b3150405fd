#!/bin/sh
# Serves the receiver with PHP's own server, for development.
: "${WEBHOOK_SECRET:?Set WEBHOOK_SECRET to the secret of the webhook.}"
exec php -S "127.0.0.1:$PORT" public/index.php
