/** Bounds of looking up the addresses of hosts that somebody has named. Times in milliseconds. */
export const nameLimits = {
  /** One look-up in all. */
  lookupMs: 5_000,
  /** So many at once in one process, for one organization, and waiting for it. */
  lookupsMax: 512,
  lookupsEachMax: 8,
  lookupsWaitingMax: 200,
  /** How long one name server has, and how often it is asked; addresses of one name that are looked at. */
  nameServerMs: 1_500,
  nameServerTries: 2,
  addressesMax: 64,
  /** How long what a name server says is kept at least and at most, and that there is no such name; how many names. */
  nameKeptMsMin: 1_000,
  nameKeptMsMax: 60_000,
  noNameKeptMs: 3_000,
  namesKeptMax: 2_000,
  /** How often `/etc/hosts` and `/etc/resolv.conf` are read, at most. */
  hostsFileMs: 1_000,
} as const
