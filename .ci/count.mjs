import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Lines of a failure that are told: what was expected, and where. The whole is in the output above. */
const LINES_TOLD = 25;

const tellOf = (messages) =>
  messages
    .flatMap((message) => message.split('\n'))
    .filter((line) => !line.includes('/node_modules/'))
    .slice(0, LINES_TOLD)
    .join('\n  ');

const results = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')));

for (const { name, message, assertionResults, status } of results.flatMap((r) => r.testResults)) {
  const file = relative('.', name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  for (const { fullName, failureMessages } of failed) {
    console.log(`\nFAILED ${file}: ${fullName}\n  ${tellOf(failureMessages)}`);
  }
  if (status === 'failed' && failed.length === 0) {
    console.log(`\nFAILED ${file}: ${message}`);
  }
}

const sum = (count) => results.reduce((total, result) => total + result[count], 0);
if (results.length > 0) {
  console.log(`${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`);
}
