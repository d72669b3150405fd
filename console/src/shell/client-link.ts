/**
 * The address within the console that a click on a link leads to; undefined where the browser is to
 * follow the link itself. So every `href` is a link of the router, those of Cloudscape included.
 */
export const clientLink = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href');
  if (!link || !href?.startsWith('/') || (link.target !== '' && link.target !== '_self')) {
    return undefined;
  }
  return href;
};
