/** Milliseconds as seconds, to a hundredth. */
export const secondsOf = (ms: number): number => Math.round(ms / 10) / 100
