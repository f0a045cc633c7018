/** A browser without pages: follows redirects by hand and keeps cookies, of all ports of one host as browsers do. */
export class Browser {
  readonly cookies = new Map<string, string>()

  /** Goes to an address and on to where it leads, up to the first that is a page, or that begins with `until`. */
  async go(address: string, { until, form }: { until?: string; form?: Record<string, string> } = {}): Promise<Place> {
    let [url, body] = [address, form]
    for (let n = 0; n < 20; n++) {
      if (until !== undefined && url.startsWith(until)) return { url, status: 0, text: '' }
      const response = await this.#send(url, body)
      const text = await response.text()
      const to = response.headers.get('location')
      if (to === null) return { url, status: response.status, text }
      url = new URL(to, url).href
      body = undefined
    }
    throw new Error(`${address} leads round and round`)
  }

  async #send(url: string, form: Record<string, string> | undefined): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), 'sec-fetch-site': 'same-origin' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie()) this.#keep(set)
    return response
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    const ends = /expires=([^;]+)/i.exec(set)?.[1]
    const isOver = /max-age=0(?:;|$)/i.test(set) || (ends !== undefined && Date.parse(ends) <= Date.now())
    if (isOver) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** Where it has come to; without a status where it stopped before it sent anything. */
export type Place = { url: string; status: number; text: string }
