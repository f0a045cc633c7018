/** What metrics tell apart, so that they stay few; all others count as one. */
export const metricLimits = {
  modelsMax: 100,
  /** Those of which most slots are wanted. */
  labelSetsMax: 50,
} as const
