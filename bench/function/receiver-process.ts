// A process with an HTTPS endpoint that confirms every POST.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serveParent, settingsOfChild } from '../child.ts';

const { certFile, keyFile } = settingsOfChild<{ certFile: string; keyFile: string }>();
let posts = 0;

const server = createServer(
  { cert: readFileSync(certFile), key: readFileSync(keyFile), keepAliveTimeout: 60_000 },
  (request, response) => {
    request.resume().once('end', () => {
      posts += 1;
      response.writeHead(200, { 'Content-Length': 2 }).end('ok');
    });
  },
);

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ url: `https://127.0.0.1:${port}/webhook` }, () => ({ posts }));
});
