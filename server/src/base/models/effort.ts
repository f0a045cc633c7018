/** How much a model thinks before it answers. Every provider knows these; what some have between and above them is left out. */
export const efforts = ['none', 'low', 'medium', 'high'] as const

export type Effort = (typeof efforts)[number]

/** Of runs for which nobody has chosen one, where the model is known to think. */
export const effortDefault: Effort = 'medium'
