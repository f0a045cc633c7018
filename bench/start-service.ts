import { startService as start, type Service, type StartService } from '../server/test/service.ts'

/** Each part starts a service of its own; all are of one database, which is used with one key. */
export function startService(options: StartService): Promise<Service> {
  return start({ ...options, env: { RUNWRIGHT_SECRET_KEY: 'a key of the benchmarks '.repeat(2), ...options.env } })
}
