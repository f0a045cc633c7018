import type { Deliveries } from '#test/github/deliver.ts'
import type { Route } from '#test/github/route.ts'
import { actionsRoutes } from './actions-routes.ts'
import { appRoutes } from './app-routes.ts'
import { checkRoutes } from './check-routes.ts'
import { graphqlRoutes } from './graphql.ts'
import { hookRoutes } from './hook-routes.ts'
import { issueRoutes } from './issue-routes.ts'
import { pullRoutes } from './pull-routes.ts'
import { repositoryRoutes } from './repository-routes.ts'
import { reviewRoutes } from './review-routes.ts'

/** All of the API that is here. The first one that fits answers. */
export const allRoutes = (deliveries: Pick<Deliveries, 'all' | 'redeliver'>): Route[] => [
  ...appRoutes,
  ...repositoryRoutes,
  ...reviewRoutes,
  ...pullRoutes,
  ...issueRoutes,
  ...checkRoutes,
  ...actionsRoutes,
  ...hookRoutes(deliveries),
  ...graphqlRoutes,
]
