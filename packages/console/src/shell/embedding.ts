/** Whether a page of the platform shows the console in a frame, within its own header and navigation. */
export const isEmbedded = (): boolean => window.self !== window.top;
