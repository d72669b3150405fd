import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB's API writes it, in JSON or as the SDK reads it: `{ name: { S: 'text' } }`. */
export type Item = Record<string, AttributeValue>;

/**
 * The bytes of an item by DynamoDB's rules for capacity units: names and values.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export const itemBytes = (item: Item): number =>
  sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueBytes(value)));

const MAP_OR_LIST_BYTES = 3;
const ELEMENT_BYTES = 1;

const valueBytes = (value: AttributeValue): number => {
  const [[type, content] = ['NULL', true]]: [string, unknown][] = Object.entries(value);
  switch (type) {
    case 'S':
      return Buffer.byteLength(String(content));
    case 'N':
      return numberBytes(String(content));
    case 'B':
      return content instanceof Uint8Array
        ? content.length
        : Buffer.from(String(content), 'base64').length;
    case 'L':
      return nestedBytes((content as AttributeValue[]).map(valueBytes));
    case 'M':
      return nestedBytes(
        Object.entries(content as Item).map(
          ([name, nested]) => Buffer.byteLength(name) + valueBytes(nested),
        ),
      );
    case 'SS':
      return sum((content as string[]).map((text) => Buffer.byteLength(text)));
    case 'NS':
      return sum((content as string[]).map(numberBytes));
    default:
      return 1; // A boolean, or null.
  }
};

const nestedBytes = (elements: readonly number[]): number =>
  MAP_OR_LIST_BYTES + sum(elements.map((bytes) => bytes + ELEMENT_BYTES));

/** A byte for two digits, without the zeros at both ends, and a byte; a byte more for a minus. */
const numberBytes = (text: string): number => {
  const digits = text.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith('-') ? 1 : 0);
};

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
