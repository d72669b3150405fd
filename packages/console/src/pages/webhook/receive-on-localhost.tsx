import highlightSh from '@cloudscape-design/code-view/highlight/sh';
import { useConsole } from '../../console-context.ts';
import { CodeSample } from '../../shared/code-sample.tsx';
import { useShownWebhook } from './shown-webhook.ts';

export const ReceiveOnLocalhost = () => {
  const { api } = useConsole().config;
  const { id } = useShownWebhook();
  const command = `curl -O ${api}/listen.mjs
export SERVICE_TOKEN=…   # an access token of this account
export WEBHOOK_SECRET=…  # the secret that your receiver verifies with
node listen.mjs --to http://localhost:3000/hooks --integration ${id}`;
  return (
    <section aria-labelledby="receive-on-localhost">
      <h2 id="receive-on-localhost" className="section-title">
        Receive on localhost
      </h2>
      <p className="quiet">
        A program for Node 20 or later posts this webhook’s events to your machine, whether or not
        its endpoint works. You do not need a tunnel.
      </p>
      <CodeSample
        code={command}
        highlight={highlightSh}
        label="Commands to receive on localhost"
        copyLabel="Copy the commands"
      />
    </section>
  );
};
