import { AppError } from '#base/errors.ts'

/** What cannot be done with a pull request as it is; `why` is said of it, as in "is merged". */
export const refusePull = (pullId: number, why: string): AppError =>
  new AppError('conflict', { message: `Pull request ${pullId} ${why}.` })
