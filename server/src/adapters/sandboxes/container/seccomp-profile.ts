/**
 * The rules of `seccomp.ts` as a profile for container engines, whose own let more through. An engine's library compares
 * whole arguments of 64 bits where the kernel takes 32 of them, so no rule that refuses a value compares it as a whole.
 */
import {
  AF_INET,
  AF_INET6,
  AF_NETLINK,
  AF_UNIX,
  internetProtocols,
  internetTypes,
  NAMESPACE_FLAGS,
  NETLINK_ROUTE,
  NEW_TIME_FLAG,
  refusedCalls,
  SEGMENT_BYTES_MAX,
  SOL_TCP,
  TCP_ULP,
  TIOCLINUX,
  TIOCSETD,
  TIOCSTI,
  TYPE_BITS,
  unknownCalls,
  type SeccompFilter,
} from '#adapters/sandboxes/seccomp.ts'

const NOT_PERMITTED = 1
const NO_MEMORY = 12
const NOT_IMPLEMENTED = 38
const OPTION_NOT_SUPPORTED = 92
const PROTOCOL_NOT_SUPPORTED = 93
const FAMILY_NOT_SUPPORTED = 97

const WORD = 0xffffffff
/** The flags of `personality` that may be set: 32-bit addresses, and the number 8. */
const personalityBits = [3, 17]
const SIGN_BIT = 31

const architectures: Record<string, string> = { x64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' }

type Condition = { index: number; op: string; value: number; valueTwo?: number }
type Rule = { names: string[]; action: 'SCMP_ACT_ERRNO'; errnoRet: number; args: Condition[] }

/** As JSON. Calls of another architecture end the process that makes them. Throws for one that has no profile. */
export function seccompProfile({ architecture = process.arch, limitsSegments }: SeccompFilter): string {
  const name = architectures[architecture]
  if (name === undefined) throw new Error(`no seccomp profile for ${architecture}`)
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: [name],
    syscalls: [
      refuse(Object.keys(unknownCalls), NOT_IMPLEMENTED),
      refuse(Object.keys(refusedCalls), NOT_PERMITTED),
      ...bitsOf(NAMESPACE_FLAGS).map((bit) => refuse(['clone', 'unshare'], NOT_PERMITTED, has(0, bit))),
      refuse(['unshare'], NOT_PERMITTED, has(0, NEW_TIME_FLAG)),
      ...socketRules(),
      refuse(['setsockopt'], OPTION_NOT_SUPPORTED, isWord(1, SOL_TCP), isWord(2, TCP_ULP)),
      ...[TIOCSTI, TIOCLINUX, TIOCSETD].map((request) => refuse(['ioctl'], NOT_PERMITTED, isWord(1, request))),
      ...personalityRules(),
      ...(limitsSegments ? [refuse(['shmget'], NO_MEMORY, isMore(1, SEGMENT_BYTES_MAX))] : []),
    ],
  })
}

/** What is left of families: Unix, the routing protocol of netlink, and the usual kinds of IPv4 and IPv6. */
function socketRules(): Rule[] {
  const families = [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK]
  const others = (max: number, kept: number[]) => upTo(max).filter((value) => !kept.includes(value))
  const protocolMax = Math.max(...internetProtocols)
  const ofInternet = [AF_INET, AF_INET6].flatMap((family) => [
    ...others(TYPE_BITS, internetTypes).map((type) =>
      refuse(['socket'], PROTOCOL_NOT_SUPPORTED, is(0, family), masked(1, TYPE_BITS, type)),
    ),
    ...others(protocolMax, internetProtocols).map((protocol) =>
      refuse(['socket'], PROTOCOL_NOT_SUPPORTED, is(0, family), is(2, protocol)),
    ),
    refuse(['socket'], PROTOCOL_NOT_SUPPORTED, is(0, family), isMore(2, protocolMax)),
  ])
  return [
    ...others(AF_NETLINK, families).map((family) => refuse(['socket'], FAMILY_NOT_SUPPORTED, is(0, family))),
    refuse(['socket'], FAMILY_NOT_SUPPORTED, isMore(0, AF_NETLINK)),
    refuse(['socket'], FAMILY_NOT_SUPPORTED, is(0, AF_NETLINK), isNot(2, NETLINK_ROUTE)),
    refuse(['socketpair'], FAMILY_NOT_SUPPORTED, isNot(0, AF_UNIX)),
    ...ofInternet,
  ]
}

/** Any other flag is refused, unless all 32 are set: that asks which are. */
function personalityRules(): Rule[] {
  const sign = 2 ** SIGN_BIT
  const others = upTo(SIGN_BIT - 1)
  return [
    ...others
      .filter((bit) => !personalityBits.includes(bit))
      .map((bit) => refuse(['personality'], NOT_PERMITTED, masked(0, sign + 2 ** bit, 2 ** bit))),
    ...others.map((bit) => refuse(['personality'], NOT_PERMITTED, masked(0, sign + 2 ** bit, sign))),
  ]
}

function refuse(names: string[], errnoRet: number, ...args: Condition[]): Rule {
  return { names, action: 'SCMP_ACT_ERRNO', errnoRet, args }
}

const is = (index: number, value: number): Condition => ({ index, op: 'SCMP_CMP_EQ', value })
const isNot = (index: number, value: number): Condition => ({ index, op: 'SCMP_CMP_NE', value })
const isMore = (index: number, value: number): Condition => ({ index, op: 'SCMP_CMP_GT', value })
const masked = (index: number, mask: number, value: number): Condition => ({
  index,
  op: 'SCMP_CMP_MASKED_EQ',
  value: mask,
  valueTwo: value,
})
const has = (index: number, bit: number) => masked(index, bit, bit)
const isWord = (index: number, value: number) => masked(index, WORD, value)
const upTo = (max: number) => Array.from({ length: max + 1 }, (_, value) => value)
const bitsOf = (flags: number) => upTo(SIGN_BIT).flatMap((bit) => ((flags >>> bit) & 1 ? [2 ** bit] : []))
