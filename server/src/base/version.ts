/** Of this release; the same in every package.json. */
export const version = '0.1.0'
