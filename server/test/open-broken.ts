import { after } from 'node:test'
import { readConfig } from '#base/config/config.ts'
import { limits } from '#base/limits.ts'
import { requestPolicies } from '#base/rate-limits.ts'
import { openPool } from '#db/pool.ts'
import { RateLimiter } from '#domain/accounts/rate-limits/rate-limiter.ts'
import { buildServer } from '#http/build-server.ts'
import type { HttpDeps } from '#http/pipeline/deps.ts'
import type { TestApp } from './test-app.ts'

/** The addresses of servers of one service on which not everything is as it should be. */
export type Broken = {
  /** Waits for a body for a moment only. */
  impatient: string
  /** Lets one request of a token pass. */
  limited: string
  /** Slows who has shown one wrong token, and lets nobody install engines. */
  wary: string
  /** Finds no table in its database. */
  faulty: string
  /** Finds no database. */
  alone: string
}

/** Call once at the top of a file. */
export async function openBroken({ app, rateLimiter }: TestApp): Promise<Broken> {
  const open = async (changes: Partial<HttpDeps>) => {
    const server = await buildServer({ app, rateLimiter, ...changes })
    after(() => server.close())
    return server.listen({ port: 0, host: '127.0.0.1' })
  }
  const withDatabase = (url: string) => {
    const pool = openPool(url)
    after(() => pool.end())
    // What the others remember of tokens is no help here.
    return { ...app, pool, tokenKeys: { ...app.tokenKeys, seen: new Map() } }
  }
  const limit = requestPolicies.map((policy) => `${policy}=1/60`).join(',')
  const quotas = readConfig({ RUNWRIGHT_RATE_LIMITS: limit }, { root: app.config.dataDir }).rateLimits
  const limiter = new RateLimiter(app.pool, { quotas, logger: app.logger })
  await limiter.start()
  after(() => limiter[Symbol.asyncDispose]())
  const options = encodeURIComponent('-c search_path=nowhere')
  return {
    impatient: await open({ arrival: { headersMs: limits.headersMs, bodyMs: 20 } }),
    limited: await open({ rateLimiter: limiter }),
    wary: await open({
      app: {
        ...app,
        config: { ...app.config, wrongTokensMax: 1, engines: { ...app.config.engines, mayInstall: false } },
      },
    }),
    faulty: await open({
      app: withDatabase(`${app.pool.options.connectionString}?options=${options}`),
      problems: () => Promise.reject(new Error('Nobody knows what keeps the service from working.')),
    }),
    alone: await open({ app: withDatabase('postgres://nobody@127.0.0.1:1/nothing') }),
  }
}
