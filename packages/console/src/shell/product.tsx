/** The name of the web application, as its users know it. */
export const PRODUCT = PRODUCT_NAME;

export const ProductName = () => (
  <>
    <img className="mark" src="/icon.svg" alt="" />
    {PRODUCT}
  </>
);
