import { createRootRoute, createRoute, createRouter, Navigate, Outlet, useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { lazyPage } from './components/shell/lazy-page.tsx'
import { PageFault } from './components/shell/page-fault.tsx'
import { Shell } from './components/shell/shell.tsx'
import { UnknownPage } from './components/shell/unknown-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { RunsPage } from './pages/runs-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import {
  families,
  listStates,
  numberOf,
  present,
  pullTabs,
  readAuditSearch,
  repoSections,
  readRunsSearch,
  tabs,
  textOf,
  views,
  wordOf,
} from './base/search.ts'

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: UnknownPage, errorComponent: PageFault })

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: HomePage,
  validateSearch: (search) => present({ all: search['all'] === true ? true : undefined }),
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search) => present({ next: textOf(search['next']), fault: textOf(search['fault']) }),
})

const recordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/record',
  component: lazyPage(() => import('./pages/record-page.tsx'), 'RecordPage'),
  validateSearch: (search) =>
    present({ example: search['example'] === true ? true : undefined, step: numberOf(search['step']) }),
})

const organizationParams = {
  parse: ({ organizationId }: { organizationId: string }) => ({ organizationId: Number(organizationId) }),
  stringify: ({ organizationId }: { organizationId: number }) => ({ organizationId: String(organizationId) }),
}

/** Of what has a number in a repository. */
const numberParams = {
  parse: ({ organizationId, repoId, number }: Record<'organizationId' | 'repoId' | 'number', string>) => ({
    organizationId: Number(organizationId),
    repoId: Number(repoId),
    number: Number(number),
  }),
  stringify: ({ organizationId, repoId, number }: Record<'organizationId' | 'repoId' | 'number', number>) => ({
    organizationId: String(organizationId),
    repoId: String(repoId),
    number: String(number),
  }),
}

/** Everything that belongs to an organization stands in the frame with its sidebar. */
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell })

const runsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/runs/$organizationId',
  component: RunsPage,
  params: organizationParams,
  validateSearch: readRunsSearch,
})

const compareRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/runs/$organizationId/compare',
  component: lazyPage(() => import('./pages/compare-page.tsx'), 'ComparePage'),
  params: organizationParams,
  validateSearch: (search) => present({ a: numberOf(search['a']), b: numberOf(search['b']) }),
})

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/runs/$organizationId/$runId',
  component: lazyPage(() => import('./pages/run-page.tsx'), 'RunPage'),
  params: {
    parse: ({ organizationId, runId }) => ({ organizationId: Number(organizationId), runId: Number(runId) }),
    stringify: ({ organizationId, runId }) => ({ organizationId: String(organizationId), runId: String(runId) }),
  },
  validateSearch: (search) =>
    present({
      tab: wordOf(tabs, search['tab']),
      view: wordOf(views, search['view']),
      only: wordOf(families, search['only']),
      q: textOf(search['q']),
      step: numberOf(search['step']),
    }),
})

const reposRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/repos',
  component: lazyPage(() => import('./pages/repos-page.tsx'), 'ReposPage'),
  params: organizationParams,
  // GitHub leads back here with what finishes the App that it has made.
  validateSearch: (search) =>
    present({ github: textOf(search['github']), code: textOf(search['code']), state: textOf(search['state']) }),
})

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/settings',
  component: lazyPage(() => import('./pages/organization-page.tsx'), 'OrganizationPage'),
  params: organizationParams,
})

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/audit',
  component: lazyPage(() => import('./pages/audit-page.tsx'), 'AuditPage'),
  params: organizationParams,
  validateSearch: readAuditSearch,
})

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/tokens',
  component: lazyPage(() => import('./pages/tokens-page.tsx'), 'TokensPage'),
  params: organizationParams,
})

const workersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/workers',
  component: lazyPage(() => import('./pages/workers-page.tsx'), 'WorkersPage'),
  params: organizationParams,
})

const mcpRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/mcp',
  component: lazyPage(() => import('./pages/mcp-page.tsx'), 'McpPage'),
  params: organizationParams,
})

const modelProvidersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/model-providers',
  component: lazyPage(() => import('./pages/model-providers-page.tsx'), 'ModelProvidersPage'),
  params: organizationParams,
})

const enginesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/engines',
  component: lazyPage(() => import('./pages/engines-page.tsx'), 'EnginesPage'),
  params: organizationParams,
})

const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/inbox',
  component: lazyPage(() => import('./pages/inbox-page.tsx'), 'InboxPage'),
  params: organizationParams,
})

const comparisonsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/comparisons',
  component: lazyPage(() => import('./pages/comparisons-page.tsx'), 'ComparisonsPage'),
  params: organizationParams,
})

const comparisonRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/comparisons/$comparisonId',
  component: lazyPage(() => import('./pages/comparison-page.tsx'), 'ComparisonPage'),
  params: {
    parse: ({ organizationId, comparisonId }) => ({
      organizationId: Number(organizationId),
      comparisonId: Number(comparisonId),
    }),
    stringify: ({ organizationId, comparisonId }) => ({
      organizationId: String(organizationId),
      comparisonId: String(comparisonId),
    }),
  },
})

const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/start',
  component: lazyPage(() => import('./pages/start-page.tsx'), 'StartPage'),
  params: organizationParams,
})

const pullRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/repos/$repoId/pulls/$number',
  component: lazyPage(() => import('./pages/pull-page.tsx'), 'PullPage'),
  params: numberParams,
  validateSearch: (search) => present({ tab: wordOf(pullTabs, search['tab']) }),
})

const repoParams = {
  parse: ({ organizationId, repoId }: Record<'organizationId' | 'repoId', string>) => ({
    organizationId: Number(organizationId),
    repoId: Number(repoId),
  }),
  stringify: ({ organizationId, repoId }: Record<'organizationId' | 'repoId', number>) => ({
    organizationId: String(organizationId),
    repoId: String(repoId),
  }),
}

const repoRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/repos/$repoId',
  component: lazyPage(() => import('./pages/repo-page.tsx'), 'RepoPage'),
  params: repoParams,
  validateSearch: (search) => present({ section: wordOf(repoSections, search['section']) }),
})

const hostRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/hosts/$integrationId',
  component: lazyPage(() => import('./pages/host-page.tsx'), 'HostPage'),
  params: {
    parse: ({ organizationId, integrationId }) => ({
      organizationId: Number(organizationId),
      integrationId: Number(integrationId),
    }),
    stringify: ({ organizationId, integrationId }) => ({
      organizationId: String(organizationId),
      integrationId: String(integrationId),
    }),
  },
})

const pullsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/repos/$repoId/pulls',
  component: lazyPage(() => import('./pages/pulls-page.tsx'), 'PullsPage'),
  params: repoParams,
  validateSearch: (search) => present({ state: wordOf(listStates, search['state']) }),
})

const issuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/repos/$repoId/issues',
  component: lazyPage(() => import('./pages/issues-page.tsx'), 'IssuesPage'),
  params: repoParams,
  validateSearch: (search) => present({ state: wordOf(listStates, search['state']) }),
})

const issueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId/repos/$repoId/issues/$number',
  component: lazyPage(() => import('./pages/issue-page.tsx'), 'IssuePage'),
  params: numberParams,
})

/** Addresses that were cut short lead to the nearest page. */
const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organizations/$organizationId',
  params: organizationParams,
  component: ToRuns,
})

function ToRuns(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId' })
  return <Navigate to="/runs/$organizationId" params={{ organizationId }} replace />
}

const ToHome = () => <Navigate to="/" replace />
const allRunsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/runs', component: ToHome })
const organizationsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/organizations', component: ToHome })

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  recordRoute,
  allRunsRoute,
  organizationsRoute,
  shellRoute.addChildren([
    runsRoute,
    compareRoute,
    runRoute,
    organizationRoute,
    reposRoute,
    settingsRoute,
    auditRoute,
    tokensRoute,
    workersRoute,
    mcpRoute,
    modelProvidersRoute,
    enginesRoute,
    repoRoute,
    hostRoute,
    pullsRoute,
    comparisonsRoute,
    comparisonRoute,
    startRoute,
    inboxRoute,
    pullRoute,
    issuesRoute,
    issueRoute,
  ]),
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
