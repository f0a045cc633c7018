const dayMs = 24 * 60 * 60_000

/** How long a code host asks to be left alone, in milliseconds: until `retryAt`, a day at most; 0 where it has said nothing. */
export const refusedMs = (retryAt: Date | undefined, now: Date): number =>
  retryAt ? Math.min(retryAt.getTime() - now.getTime(), dayMs) : 0
