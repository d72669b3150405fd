interface Page {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * What a browser does on the way through a sign-in: it keeps the cookies of a site, by name and path,
 * and follows redirects unless they lead to the path where the browser is to stop.
 */
export class Browser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();
  readonly #stopAt: string;

  constructor(stopAt: string) {
    this.#stopAt = stopAt;
  }

  get cookies(): readonly string[] {
    return [...this.#cookies.keys()];
  }

  async open(address: string, form?: Readonly<Record<string, string>>): Promise<Page> {
    const url = new URL(address);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: this.#cookiesFor(url.pathname) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const location = response.headers.get('location');
    if (location === null) {
      const { headers, status } = response;
      return { status, headers, url: url.href, text: await response.text() };
    }
    await response.body?.cancel();
    const next = new URL(location, url);
    return next.pathname === this.#stopAt
      ? { status: response.status, headers: response.headers, url: next.href, text: '' }
      : this.open(next.href);
  }

  #cookiesFor(pathname: string): string {
    return [...this.#cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  #keep(cookie: string): void {
    const { name = '', value = '' } = /^(?<name>[^=]+)=(?<value>[^;]*)/.exec(cookie)?.groups ?? {};
    const path = /;\s*path=(?<path>[^;]*)/i.exec(cookie)?.groups?.path ?? '/';
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path });
  }
}
