/** How the console presents itself. */
export interface Brand {
  readonly name: string;
  /** As `#rrggbb`, readable on white. The theme is made of it. */
  readonly colour: string;
  /** An SVG document. By default the console has a mark in its colour. */
  readonly logo?: string;
}

export const MESSAGING: Brand = { name: 'Messaging', colour: '#4353c4' };

/** The console's page or its mark, which have name and colour of `MESSAGING`. */
export const branded = (text: string, { name, colour }: Brand): string =>
  text.replaceAll(MESSAGING.colour, () => colour).replaceAll(MESSAGING.name, () => escaped(name));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const VARIABLE = 'CONSOLE_BRAND';

/** The variable of the process that builds the console. */
export const brandVariable = (brand: Brand) => ({ [VARIABLE]: JSON.stringify(brand) });

export const brandIn = ({ [VARIABLE]: text }: NodeJS.ProcessEnv): Brand =>
  text === undefined ? MESSAGING : JSON.parse(text);
