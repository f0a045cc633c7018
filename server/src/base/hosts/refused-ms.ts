const dayMs = 24 * 60 * 60_000

/** How long a code host is left alone that has asked for it, in milliseconds: a day at most; 0 where it has said nothing. */
export const refusedMs = (retryInMs: number | undefined): number => Math.min(retryInMs ?? 0, dayMs)
