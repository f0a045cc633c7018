import type { lazyRouteComponent } from '@tanstack/react-router'
import { useEffect, useState, type ComponentType, type ReactElement } from 'react'
import { Skeleton } from '#ui/skeleton.tsx'
import { untilServerAnswers } from '#base/server-state.ts'

/** A page whose code changed with a new version is loaded anew at most this often. */
const reloadMsMin = 60_000
const reloadedKey = 'reloaded at'

export type LazyPage = ComponentType & { preload: () => Promise<void> }
const pages: LazyPage[] = []

/**
 * A page whose code is fetched when it is first needed. While the server is away the frame stays and says so, and the
 * code is fetched as soon as the server answers.
 */
export const lazyPage = makeLazyPage as unknown as typeof lazyRouteComponent

function makeLazyPage(load: () => Promise<Record<string, ComponentType>>, name: string): LazyPage {
  let loaded: ComponentType | undefined
  const fetchCode = async () => {
    loaded ??= (await load())[name]
  }
  function Page(): ReactElement {
    const [, redraw] = useState(0)
    const [fault, setFault] = useState<Error | null>(null)
    // The router shows it.
    if (fault) throw fault
    const isLoaded = loaded !== undefined
    useEffect(() => {
      if (isLoaded) return undefined
      let isGone = false
      const attempt = async (): Promise<void> => {
        try {
          await fetchCode()
        } catch {
          await untilServerAnswers()
          if (isGone) return
          // The server answers and has no such file any more: it is another version.
          await fetchCode().catch(reloadOnce)
        }
        if (!isGone) redraw((n) => n + 1)
      }
      attempt().catch(setFault)
      return () => {
        isGone = true
      }
    }, [isLoaded])
    const Loaded = loaded
    if (Loaded) return <Loaded />
    return (
      <main className="page" id="main">
        <div className="content">
          <Skeleton rows={6} height={52} />
        </div>
      </main>
    )
  }
  // The router waits for it before it shows the page; a failure is the page's own to show.
  const page = Object.assign(Page, { preload: () => fetchCode().catch(() => {}) })
  pages.push(page)
  return page
}

/** Fetches the code of all pages, one after the other, while there is nothing else to do. */
export function preloadWhenIdle(): void {
  const next = pages.shift()
  if (!next) return
  const go = () => void next.preload().then(preloadWhenIdle)
  if ('requestIdleCallback' in globalThis) requestIdleCallback(go)
  else setTimeout(go, 200)
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadedKey))
  if (Date.now() - last < reloadMsMin) throw new Error('The code of this page could not be loaded.')
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  location.reload()
}
