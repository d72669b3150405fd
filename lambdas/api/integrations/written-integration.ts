/** An integration as a caller writes it. */
export const writtenIntegration = {
  '@context': '/contexts/Integration.jsonld',
  '@type': 'Integration',
  active: true,
  provider: 'webhook',
  config: { baseUrl: 'https://hooks.example.com/in' },
  settings: { actions: { 'message.received': true, 'message.failed': true } },
};
