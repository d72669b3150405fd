/** The name of the web application, as its users know it. */
export const PRODUCT = 'Messaging';

export const ProductName = () => (
  <>
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M8 10.5A2.5 2.5 0 0 1 10.5 8h11a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5H15l-5 4v-4.05a2.5 2.5 0 0 1-2-2.45z" />
    </svg>
    {PRODUCT}
  </>
);
