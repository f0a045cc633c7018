import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { NotFound } from './components/not-found.tsx'
import { PageFault } from './components/page-fault.tsx'
import { Shell } from './components/shell.tsx'
import { HomePage } from './pages/home-page.tsx'
import { RunsPage } from './pages/runs-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { PullPage } from './pages/pull-page.tsx'

const runLists = ['needs', 'work', 'ended', 'mine'] as const
export type RunList = (typeof runLists)[number]

const tabs = ['plan', 'changes', 'artifacts', 'json'] as const
export type RunTab = (typeof tabs)[number]

const views = ['reader', 'timeline'] as const
export type TraceView = (typeof views)[number]

const families = ['thought', 'tool', 'edit', 'error', 'user', 'pr'] as const
export type Family = (typeof families)[number]

const wordOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value)
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : typeof value === 'number' ? String(value) : undefined

/** Leaves out what is not there, so that it does not stand in the address. */
function present<T extends object>(search: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never
}

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFault })

const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: HomePage })

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search) => present({ next: textOf(search['next']) }),
})

const toNumber = (text: string) => Number(text)

/** Everything that belongs to an organization stands in the frame with its sidebar. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$organizationId',
  component: Shell,
  params: {
    parse: ({ organizationId }) => ({ organizationId: toNumber(organizationId) }),
    stringify: ({ organizationId }) => ({ organizationId: String(organizationId) }),
  },
})

export const runsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: RunsPage,
  validateSearch: (search) =>
    present({
      show: wordOf(runLists, search['show']),
      q: textOf(search['q']),
      repo: Number(search['repo']) || undefined,
    }),
})

export const runRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '$runId',
  component: lazyRouteComponent(() => import('./pages/run-page.tsx'), 'RunPage'),
  params: {
    parse: ({ runId }) => ({ runId: toNumber(runId) }),
    stringify: ({ runId }) => ({ runId: String(runId) }),
  },
  validateSearch: (search) =>
    present({
      tab: wordOf(tabs, search['tab']),
      view: wordOf(views, search['view']),
      only: wordOf(families, search['only']),
      q: textOf(search['q']),
    }),
})

export const pullRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/$organizationId/repos/$repoId/pulls/$number',
  component: PullPage,
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  organizationRoute.addChildren([runsRoute, runRoute]),
  pullRoute,
])

/** The whole UI: one page for each address. */
export function makeRouter() {
  return createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: false })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
