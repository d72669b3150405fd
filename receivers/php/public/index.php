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
    try {
        $isNew = store($delivery['id'], $body);
    } catch (PDOException $fault) {
        error_log("The delivery was not stored: {$fault->getMessage()}");
        answer(504); // The service sends it again.
        return;
    }
    answer(204);
    if ($isNew) {
        handle($delivery);
    } else {
        tell("duplicate {$delivery['id']}");
    }
}

/** Returns whether the delivery is new: every attempt has the same id. In production, use your database. */
function store(string $id, string $body): bool
{
    $inbox = new PDO('sqlite:' . (getenv('INBOX') ?: __DIR__ . '/../inbox.db'));
    $inbox->exec('CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
    $insert = $inbox->prepare('INSERT OR IGNORE INTO inbox (id, body) VALUES (?, ?)');
    $insert->execute([$id, $body]);
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
