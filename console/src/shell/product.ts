/** The name of the web application, as its users know it. */
export const PRODUCT = 'Messaging';
