import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (page: string): string => readFileSync(page, 'utf8');

/** The functions of the page, in a shell where a restore takes 200 of its minutes. */
const SHELL = `
calls=$(mktemp)
aws() {
  echo "$*" >> "$calls"
  [ "$(wc -l < "$calls")" -le 200 ] && echo CREATING || echo ACTIVE
}
sleep() { slept=$((\${slept:-0} + $1)); }
${read('docs/operators/restore.md')
  .match(/^ *\w+\(\) \{.*\}$/gm)
  ?.join('\n')}
until_active orders 2> /dev/null
echo "$slept $(sort -u "$calls")"
rm "$calls"
`;

describe('A command that waits', () => {
  it('waits for a restored table as long as it takes', () => {
    expect(execFileSync('sh', ['-c', SHELL], { encoding: 'utf8' })).toBe(
      `${200 * 60} dynamodb describe-table --table-name orders --query Table.TableStatus --output text\n`,
    );
  });

  it.each(globSync('docs/operators/*.md'))('does not give up after minutes: %s', (page) => {
    expect(read(page).match(/aws [\w-]+ wait .*/g) ?? []).toEqual([]);
  });
});
