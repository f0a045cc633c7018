import type { FastifyRequest } from 'fastify'
import type { Role } from '#domain/accounts/users/roles.ts'
import type { Principal } from '#domain/accounts/tokens/principal.ts'

/** Who sends a request, and what they are in the organization of its path, if it has one. */
export type Caller = Principal & { role: Role | null }

const callers = new WeakMap<FastifyRequest, Caller>()

export const keepCaller = (request: FastifyRequest, caller: Caller): void => void callers.set(request, caller)

/** Undefined where anybody may ask, and where nobody has been let in. */
export const callerOf = (request: FastifyRequest): Caller | undefined => callers.get(request)
