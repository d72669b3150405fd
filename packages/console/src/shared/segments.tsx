import { SegmentedControl, type SegmentedControlProps } from '@cloudscape-design/components';

type SegmentsProps = SegmentedControlProps & { readonly label: string };

/** In a narrow window the control is a select, which shows the label itself. */
export const Segments = (props: SegmentsProps) => (
  <div>
    <div className="segments-label" aria-hidden="true">
      {props.label}
    </div>
    <SegmentedControl {...props} />
  </div>
);
