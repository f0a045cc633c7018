/** A secret is named as the environment variable that commands find it in. */
export const secretNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

/** By these, programs find their files, their libraries and each other: with another value a command does not start. */
const takenPattern = /^(?:RUNWRIGHT_.*|LD_.*|PATH|HOME|SHELL|USER|LOGNAME|TMPDIR|ENV|BASH_ENV|IFS)$/

export function isTakenName(name: string): boolean {
  return takenPattern.test(name)
}
