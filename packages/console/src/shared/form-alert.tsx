import { Alert } from '@cloudscape-design/components';

/** The errors of a form that belong to no field. */
export const FormAlert = ({ header, errors }: { header: string; errors: readonly string[] }) => (
  // The element is always in the page, so that screen readers announce what appears in it.
  <div role="alert" className="form-alert">
    {errors.length > 0 && (
      <Alert type="error" header={header}>
        {errors.map((error) => (
          <div key={error}>{error}</div>
        ))}
      </Alert>
    )}
  </div>
);
