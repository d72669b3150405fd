import { Page } from '../../shell/page.tsx';

export const EventTypesPage = () => <Page title="Event catalogue">{null}</Page>;
