// A process with an HTTPS endpoint that confirms every POST.
import { tlsOf } from 'local-aws/certificates.ts';
import { startHttpServer } from 'local-aws/http-server.ts';
import { serveParent, settingsOfChild } from '../child.ts';

let posts = 0;
const { origin } = await startHttpServer({
  tls: await tlsOf(settingsOfChild<{ certFile: string; keyFile: string }>()),
  handle: () => {
    posts += 1;
    return 200;
  },
});
serveParent({ url: `${origin}/webhook` }, () => ({ posts }));
