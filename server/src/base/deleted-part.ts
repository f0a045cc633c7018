/** What is deleted of a run: all of it (`runs`), or one part. */
export const deletedParts = ['runs', 'logs', 'artifacts', 'egress', 'model_calls', 'repositories'] as const
export type DeletedPart = (typeof deletedParts)[number]

/** What one deletion is about, as metrics count it. */
export type DeletedKind = DeletedPart | 'repo' | 'organization'
