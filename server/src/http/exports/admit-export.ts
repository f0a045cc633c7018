import type { FastifyReply } from 'fastify'
import { AppError } from '#base/errors.ts'
import { exportLimits } from '#base/export-limits.ts'

/** Of each organization or person how many exports are under way in this process. */
const underWay = new Map<string, number>()

/** Lets an export begin, until it is disposed of. Throws `rate_limited` where enough of them are under way. */
export function admitExport(reply: FastifyReply, owner: string): Disposable {
  const mine = underWay.get(owner) ?? 0
  const all = [...underWay.values()].reduce((sum, count) => sum + count, 0)
  if (mine >= exportLimits.perOwnerMax || all >= exportLimits.perProcessMax) {
    reply.header('retry-after', exportLimits.retrySeconds)
    const whose = mine >= exportLimits.perOwnerMax ? 'of yours' : 'of others'
    throw new AppError('rate_limited', {
      message: `${mine >= exportLimits.perOwnerMax ? mine : all} exports ${whose} are in progress. Try again when one of them has ended.`,
    })
  }
  underWay.set(owner, mine + 1)
  let isOver = false
  return {
    [Symbol.dispose]: () => {
      if (isOver) return
      isOver = true
      const left = (underWay.get(owner) ?? 1) - 1
      if (left) underWay.set(owner, left)
      else underWay.delete(owner)
    },
  }
}
