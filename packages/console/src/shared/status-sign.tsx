import { Badge } from '@cloudscape-design/components';
import type { Status } from '../api/resources.ts';
import { Sign } from './sign.tsx';
import { statusInWords } from './status-words.ts';

export const StatusSign = ({ status }: { status: Status }) => {
  const { sign, word, meaning } = statusInWords(status);
  return (
    <span className="nowrap" title={meaning}>
      <Sign type={sign}>{word}</Sign>
    </span>
  );
};

/** Beside the title of a page. */
export const StatusBadge = ({ status }: { status: Status }) => {
  const { badge, word, meaning } = statusInWords(status);
  return (
    <span className="status-badge" title={meaning}>
      <Badge color={badge}>{word}</Badge>
    </span>
  );
};
