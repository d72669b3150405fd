import { StatusIndicator, type StatusIndicatorProps } from '@cloudscape-design/components';

/** Breaks lines between words: a StatusIndicator alone breaks them inside words. */
export const Sign = ({ type, children }: Pick<StatusIndicatorProps, 'type' | 'children'>) => (
  <StatusIndicator type={type}>
    <span className="whole-words">{children}</span>
  </StatusIndicator>
);
