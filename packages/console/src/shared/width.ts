import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** A ref for an element, and the width in pixels that the page gives the element. */
export const useWidth = (): readonly [RefObject<HTMLDivElement | null>, number] => {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [place, width];
};
