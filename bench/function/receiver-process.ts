// A process with an HTTPS endpoint that confirms every POST.
import { tlsOf } from '../../local/receiver/certificates.ts';
import { startReceiver } from '../../local/receiver/receiver.ts';
import { serveParent, settingsOfChild } from '../child.ts';

let posts = 0;
const { origin } = await startReceiver({
  tls: await tlsOf(settingsOfChild<{ certFile: string; keyFile: string }>()),
  behaviour: () => {
    posts += 1;
    return 200;
  },
});
serveParent({ url: `${origin}/webhook` }, () => ({ posts }));
