/** When agents review pull requests by themselves: never, once each is ready, or whenever its branch has come to rest. */
export const reviewTimes = ['off', 'opened', 'each_head'] as const
export type ReviewTime = (typeof reviewTimes)[number]
