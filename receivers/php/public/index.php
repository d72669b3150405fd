<?php

declare(strict_types=1);

/** The service sends no larger ones. */
const MAX_BODY_BYTES = 262144;

/** Compares in constant time. The key is the whole secret, with "whsec_". */
function isSigned(string $body, string $signature, array $secrets): bool
{
    foreach ($secrets as $secret) {
        if (hash_equals(hash_hmac('sha256', $body, $secret), $signature)) {
            return true;
        }
    }
    return false;
}

function receive(array $secrets): void
{
    // The raw body. Verify these bytes: JSON that was decoded and encoded again differs.
    $body = file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($body) > MAX_BODY_BYTES) {
        answer(413, 'The body is too large.');
        return;
    }
    if (!isSigned($body, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $secrets)) {
        tell('refused');
        answer(401, 'The signature is wrong.');
        return;
    }
    // Keeps the digits of large integers, as text.
    $delivery = json_decode($body, true, 512, JSON_BIGINT_AS_STRING);
    if (!is_array($delivery) || !is_string($delivery['id'] ?? null)) {
        answer(400, 'The body is not a delivery.');
        return;
    }
    $isNew = remember($delivery['id']);
    // In production, put a new delivery on a durable queue before you answer.
    answer(204);
    if ($isNew) {
        handle($delivery);
    } else {
        tell("duplicate {$delivery['id']}");
    }
}

/** Whether the id is new. In production, use a unique key in your database. */
function remember(string $id): bool
{
    $store = new PDO('sqlite:' . __DIR__ . '/../deliveries.sqlite');
    $store->exec('CREATE TABLE IF NOT EXISTS deliveries (id TEXT PRIMARY KEY)');
    $insert = $store->prepare('INSERT OR IGNORE INTO deliveries (id) VALUES (?)');
    $insert->execute([$id]);
    $store->exec('DELETE FROM deliveries WHERE rowid <= last_insert_rowid() - 10000');
    return $insert->rowCount() === 1;
}

/** Runs after the answer, so that slow work causes no further attempt. */
function handle(array $delivery): void
{
    tell("accepted {$delivery['id']} {$delivery['action']}");
}

/** Sends the answer at once; the script can go on working. */
function answer(int $status, string $text = ''): void
{
    http_response_code($status);
    header('Content-Type: text/plain');
    echo $text;
    if (function_exists('fastcgi_finish_request')) {
        fastcgi_finish_request();
    } else {
        flush();
    }
}

/** For the terminal. Under PHP-FPM use your logger. */
function tell(string $line): void
{
    file_put_contents('php://stdout', "$line\n");
}

$secret = (string) getenv('WEBHOOK_SECRET');
if ($secret === '') {
    error_log('Set WEBHOOK_SECRET to the secret of the webhook.');
    http_response_code(500);
} elseif ("{$_SERVER['REQUEST_METHOD']} {$_SERVER['REQUEST_URI']}" !== 'POST /hooks') {
    http_response_code(404);
} else {
    receive(array_filter([$secret, (string) getenv('PREVIOUS_WEBHOOK_SECRET')]));
}
