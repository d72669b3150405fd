import { StatusIndicator } from '@cloudscape-design/components';
import type { Status } from '../api/resources.ts';
import { statusInWords } from './status-words.ts';

export const StatusSign = ({ status }: { status: Status }) => {
  const { sign, word, meaning } = statusInWords(status);
  return (
    <span className="nowrap" title={meaning}>
      <StatusIndicator type={sign}>{word}</StatusIndicator>
    </span>
  );
};
