import type { AppLayoutToolbarProps } from '@cloudscape-design/components/app-layout-toolbar';
import AppLayoutToolbar from '@cloudscape-design/components/app-layout-toolbar';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Flashbar from '@cloudscape-design/components/flashbar';
import Header from '@cloudscape-design/components/header';
import { type ReactNode, useEffect, useState } from 'react';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';
import { ConsoleNavigation } from './console-navigation.tsx';
import { CONTENT_ID, TOP_BAR_ID } from './landmarks.ts';
import { useNavigationOpen } from './navigation-open.ts';
import { useNotices } from './notices.tsx';
import { PRODUCT } from './product.ts';

/** The split panel beside or below the page, open as long as it is given. */
interface PagePanel {
  readonly panel: ReactNode;
  readonly onClose: () => void;
}

interface PageProps {
  /** The heading, and the title of the browser's tab unless `tabTitle` is given. */
  readonly title: string;
  readonly tabTitle?: string;
  readonly description?: ReactNode;
  readonly counter?: string;
  /** Beside the heading: badges, status. */
  readonly info?: ReactNode;
  readonly actions?: ReactNode;
  /** The pages above this one. */
  readonly crumbs?: readonly Crumb[];
  readonly contentType?: AppLayoutToolbarProps.ContentType;
  readonly side?: PagePanel | undefined;
  /** Most width of the content in pixels; unlimited when absent. */
  readonly maxWidth?: number;
  readonly children: ReactNode;
}

/** A page of the console: navigation, way up, heading, content. */
export const Page = (props: PageProps) => {
  const { title, tabTitle = title, crumbs = [], side } = props;
  const [isNavigationOpen, setNavigationOpen] = useNavigationOpen();
  const { shown } = useNotices();
  const [panelSize, setPanelSize] = useState(firstPanelSize);
  useEffect(() => {
    document.title = `${tabTitle} · ${PRODUCT}`;
  }, [tabTitle]);
  return (
    <AppLayoutToolbar
      headerSelector={`#${TOP_BAR_ID}`}
      navigation={<ConsoleNavigation />}
      navigationOpen={isNavigationOpen}
      onNavigationChange={({ detail }) => setNavigationOpen(detail.open)}
      navigationWidth={248}
      toolsHide
      contentType={props.contentType ?? 'default'}
      {...(props.maxWidth !== undefined && { maxContentWidth: props.maxWidth })}
      breadcrumbs={crumbs.length > 0 && <Breadcrumbs above={crumbs} page={tabTitle} />}
      notifications={shown.length > 0 && <Flashbar items={shown} />}
      // Always given: the layout cannot begin to be told later.
      splitPanel={side?.panel}
      splitPanelOpen={side !== undefined}
      onSplitPanelToggle={() => side?.onClose()}
      splitPanelPreferences={PANEL_PLACE}
      splitPanelSize={panelSize}
      onSplitPanelResize={({ detail }) => setPanelSize(detail.size)}
      ariaLabels={LABELS}
      content={
        <div id={CONTENT_ID} tabIndex={-1}>
          <ContentLayout
            header={
              <Header
                variant="h1"
                {...(props.counter !== undefined && { counter: props.counter })}
                info={props.info}
                description={props.description}
                actions={props.actions}
              >
                {title}
              </Header>
            }
          >
            {props.children}
          </ContentLayout>
        </div>
      }
    />
  );
};

const PANEL_PLACE = { position: 'side' } as const;

/** Pixels: of its width beside the page, of its height below a narrow one. */
const firstPanelSize = (): number =>
  window.innerWidth < 900 ? Math.round(window.innerHeight * 0.6) : 480;

const LABELS: AppLayoutToolbarProps.Labels = {
  navigation: 'Console',
  navigationToggle: 'Open navigation',
  navigationClose: 'Close navigation',
  notifications: 'Notices',
};
