/** What tells workers apart: `gpu`, `linux`, `region:eu`. */
export const labelPattern = /^[a-z0-9][a-z0-9._:-]{0,62}$/
