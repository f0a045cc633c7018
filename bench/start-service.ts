import { startService as start, type Service, type StartService } from '../server/test/service.ts'

/** Each part starts a service of its own; all are of one database, which is used with one key. */
export function startService(given: StartService): Promise<Service> {
  return start({ ...given, env: { RUNWRIGHT_SECRET_KEY: 'a key of the benchmarks '.repeat(2), ...given.env } })
}
