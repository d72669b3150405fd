import { Alert } from '@cloudscape-design/components';
import { type ReactNode, useEffect, useRef } from 'react';

interface FormAlertProps {
  readonly header: string;
  readonly errors: readonly string[];
  /** The failure that the errors are of: a new object for each attempt. */
  readonly failure: unknown;
  readonly action?: ReactNode;
}

/**
 * All errors of a form, beside its button. After each failure the first field that was refused gets
 * the focus; without one this alert is scrolled to.
 */
export const FormAlert = ({ header, errors, failure, action }: FormAlertProps) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure && place.current) reveal(place.current);
  }, [failure]);
  return (
    // The element is always in the page, so that screen readers announce what appears in it.
    <div role="alert" className="form-alert" ref={place}>
      {errors.length > 0 && (
        <Alert type="error" header={header} action={action}>
          {errors.map((error) => (
            <div key={error}>{error}</div>
          ))}
        </Alert>
      )}
    </div>
  );
};

const reveal = (alert: HTMLElement): void => {
  const form = alert.closest('form, [role="dialog"]');
  const refused = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  refused?.focus({ preventScroll: true });
  // In the middle, because bars cover the edges of the page. The error is below its field.
  (errorOf(refused) ?? refused ?? alert).scrollIntoView({ block: 'center' });
};

/** Cloudscape's `FormField` refers its control to the error by an id of this form. */
const errorOf = (field: HTMLElement | null | undefined): HTMLElement | null => {
  const ids = field?.getAttribute('aria-describedby')?.split(' ') ?? [];
  return document.getElementById(ids.find((id) => id.endsWith('-error')) ?? '');
};
