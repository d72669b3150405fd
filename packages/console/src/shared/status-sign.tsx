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
