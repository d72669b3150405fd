import Alert from '@cloudscape-design/components/alert';

/** What went wrong with a form and has no field there. */
export const FormAlert = ({ header, errors }: { header: string; errors: readonly string[] }) => (
  // Always in the page, so that screen readers hear of what appears in it.
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
