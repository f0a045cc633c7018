import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { NotFound } from './components/not-found.tsx'
import { PageFault } from './components/page-fault.tsx'
import { Shell } from './components/shell.tsx'
import { HomePage } from './pages/home-page.tsx'
import { RunsPage } from './pages/runs-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { PullPage } from './pages/pull-page.tsx'
import { families, numberOf, present, runLists, tabs, textOf, views, wordOf } from './search.ts'

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFault })

const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: HomePage })

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search) => present({ next: textOf(search['next']) }),
})

const toNumber = (text: string) => Number(text)

/** Everything that belongs to an organization stands in the frame with its sidebar. */
const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$organizationId',
  component: Shell,
  params: {
    parse: ({ organizationId }) => ({ organizationId: toNumber(organizationId) }),
    stringify: ({ organizationId }) => ({ organizationId: String(organizationId) }),
  },
})

const runsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: RunsPage,
  validateSearch: (search) =>
    present({
      show: wordOf(runLists, search['show']),
      q: textOf(search['q']),
      repo: numberOf(search['repo']),
    }),
})

const runRoute = createRoute({
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

const pullRoute = createRoute({
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
