import { ExpandableSection } from '@cloudscape-design/components';
import { type ReactNode, useState } from 'react';

interface FormSectionProps {
  readonly header: string;
  readonly description: string;
  readonly error: string | undefined;
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** A closed section of a form. While a field in it has an error, it is open. */
export const FormSection = ({ header, description, error, ...section }: FormSectionProps) => {
  const [isOpen, setOpen] = useState(section.isOpenAtFirst ?? false);
  return (
    <ExpandableSection
      headerText={header}
      headerDescription={description}
      expanded={isOpen || error !== undefined}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {section.children}
    </ExpandableSection>
  );
};
