/**
 * Of words, dates and numbers: the language of the pages, whatever the browser's is. Of the browser's
 * settings only the hour cycle counts, and the time zone, which no locale has.
 */
const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
export const LOCALE = new Intl.Locale('en-GB', hourCycle ? { hourCycle } : {}).toString();

export const inDigits = (count: number): string => count.toLocaleString(LOCALE);
