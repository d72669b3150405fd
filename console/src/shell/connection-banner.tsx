import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { QUERIES } from '../api/reads.ts';
import { useConsole } from '../console-context.ts';
import { useSignal } from '../shared/signal.ts';

const TRY_EVERY_MS = 4_000;

/** Says that the service cannot be reached, and tries until it can; then the page is read anew. */
export const ConnectionBanner = () => {
  const { isCutOff } = useConsole();
  const queries = useQueryClient();
  const cutOff = useSignal(isCutOff);
  useEffect(() => {
    if (!cutOff) return;
    const timer = setInterval(() => {
      if (!document.hidden) void queries.refetchQueries({ queryKey: QUERIES.me });
    }, TRY_EVERY_MS);
    return () => {
      clearInterval(timer);
      void queries.refetchQueries({ type: 'active' });
    };
  }, [cutOff, queries]);
  return (
    <div role="status" className={cutOff ? 'banner' : ''}>
      {cutOff && 'The service cannot be reached. Trying again; what you typed stays.'}
    </div>
  );
};
