import type { FlashbarProps } from '@cloudscape-design/components/flashbar';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

/** Something that happened and that the person is told once. */
export interface Notice {
  readonly type: 'success' | 'warning' | 'error' | 'info';
  readonly text: ReactNode;
}

interface Notices {
  readonly shown: readonly FlashbarProps.MessageDefinition[];
  readonly tell: (notice: Notice) => void;
}

const Context = createContext<Notices>({ shown: [], tell: () => undefined });

/** A new notice takes the place of the former one: a stack of them hides the page. */
export const NoticesProvider = ({ children }: { children: ReactNode }) => {
  const [notice, setNotice] = useState<Notice & { id: string }>();
  const tell = useCallback((told: Notice) => setNotice({ ...told, id: crypto.randomUUID() }), []);
  const notices = useMemo(
    (): Notices => ({
      tell,
      shown: notice
        ? [
            {
              id: notice.id,
              type: notice.type,
              content: notice.text,
              dismissible: true,
              dismissLabel: 'Dismiss',
              onDismiss: () => setNotice(undefined),
            },
          ]
        : [],
    }),
    [notice, tell],
  );
  return <Context value={notices}>{children}</Context>;
};

export const useNotices = (): Notices => useContext(Context);

/** Tells the person what came of something that was done. */
export const useTell = (): Notices['tell'] => useNotices().tell;
