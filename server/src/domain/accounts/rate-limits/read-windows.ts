import type { Policy } from '#base/rate-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import type { Window, WindowState } from './window.ts'

/** How a token's windows stand, as the database counts them. */
export async function readWindows<Of extends Policy>(
  db: Db,
  credentialId: number,
  windows: Window<Of>[],
): Promise<WindowState<Of>[]> {
  const found = await rows<{ policy: Policy; used: number; resetsInMs: number | null }>(
    db,
    `select a.policy, count(t.time)::int as used,
       (extract(epoch from min(t.time) + a.width - clock_timestamp()) * 1000)::float8 as "resetsInMs"
     from (select policy, "limit", make_interval(secs => seconds) as width
           from unnest($2::text[], $3::int[], $4::float8[]) as asked (policy, "limit", seconds)) a
     left join rate_windows w on w.credential_id = $1 and w.policy = a.policy
     left join lateral unnest(w.times[greatest(cardinality(w.times) - a."limit" + 1, 1) :]) as t (time)
       on t.time > clock_timestamp() - a.width
     group by a.policy, a.width`,
    [
      credentialId,
      windows.map(({ policy }) => policy),
      windows.map(({ limit }) => limit),
      windows.map(({ windowMs }) => windowMs / 1_000),
    ],
  )
  return windows.map((window) => {
    const state = found.find(({ policy }) => policy === window.policy)
    return { ...window, used: state?.used ?? 0, resetsInMs: state?.resetsInMs ?? null }
  })
}
