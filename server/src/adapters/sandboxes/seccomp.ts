/**
 * The system calls that a sandbox may not make, as a classic BPF program for `bwrap --seccomp`. A list of what is
 * refused, on top of the namespaces: it narrows the part of the kernel that an agent's commands can reach.
 */

type Architecture = 'x64' | 'arm64'
/** Operation, jump if true, jump if false, operand. */
type Instruction = [code: number, jumpTrue: number, jumpFalse: number, operand: number]

const LOAD = 0x20
const AND = 0x54
const RETURN = 0x06
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45

const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const errorNumber = (code: number) => 0x00050000 | code
const NOT_PERMITTED = errorNumber(1)
const NO_MEMORY = errorNumber(12)
const NOT_IMPLEMENTED = errorNumber(38)
const OPTION_NOT_SUPPORTED = errorNumber(92)
const PROTOCOL_NOT_SUPPORTED = errorNumber(93)
const FAMILY_NOT_SUPPORTED = errorNumber(97)

const auditArchitecture = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
/** On x64 numbers from here on are the x32 interface, a second way into the same kernel. */
const X32_FIRST = 0x40000000

/** Numbers of each call on x64 and arm64; -1 where it does not exist. */
export const refusedCalls: Record<string, [x64: number, arm64: number]> = {
  acct: [163, 89],
  add_key: [248, 217],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  create_module: [174, -1],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  get_kernel_syms: [177, -1],
  init_module: [175, 105],
  ioperm: [173, -1],
  iopl: [172, -1],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  migrate_pages: [256, 238],
  modify_ldt: [154, -1],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  name_to_handle_at: [303, 264],
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  query_module: [178, -1],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  _sysctl: [156, -1],
  sysfs: [139, -1],
  syslog: [103, 116],
  umount2: [166, 39],
  uselib: [134, -1],
  userfaultfd: [323, 282],
  ustat: [136, -1],
  vhangup: [153, 58],
  vserver: [236, -1],
}

/** Programs fall back to older calls when these do not exist. The flags of clone3 lie in memory, where no filter sees
 *  them; those of clone it sees. */
export const unknownCalls: Record<string, [x64: number, arm64: number]> = {
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
}

const inspected = {
  clone: [56, 220],
  unshare: [272, 97],
  socket: [41, 198],
  socketpair: [53, 199],
  setsockopt: [54, 208],
  ioctl: [16, 29],
  personality: [135, 92],
  shmget: [29, 194],
} as const

/** CLONE_NEW… for mount, cgroup, uts, ipc, user, pid and net; and for time, a bit that in `clone` is part of a signal. */
export const NAMESPACE_FLAGS = 0x7e020000
export const NEW_TIME_FLAG = 0x80
export const AF_UNIX = 1
export const AF_INET = 2
export const AF_INET6 = 10
export const AF_NETLINK = 16
export const NETLINK_ROUTE = 0
/** Streams, datagrams, raw; the bits beside them say how it is opened. Other types and protocols of IPv4 and IPv6 would
 *  load parts of the kernel that nobody needs. */
export const internetTypes = [1, 2, 3]
export const TYPE_BITS = 0xf
/** Whichever fits the type, ICMP, TCP, UDP, ICMPv6. */
export const internetProtocols = [0, 1, 6, 17, 58]
/** Lays another protocol, such as the kernel's own TLS, over a TCP connection. */
export const SOL_TCP = 6
export const TCP_ULP = 31
/** Put characters into a terminal's input, as if a person had typed them; make a terminal a modem line, by another driver. */
export const TIOCSTI = 0x5412
export const TIOCLINUX = 0x541c
export const TIOCSETD = 0x5423
/** Plain, 32-bit addresses, and the question what it is now. */
const personalities = [0, 8, 0x20000, 0x20008, 0xffffffff]

/** PostgreSQL needs 56 bytes of it. With 4096 segments of this size a sandbox has less than its /dev/shm. */
export const SEGMENT_BYTES_MAX = 32 * 1024

export type SeccompFilter = {
  architecture?: string
  /** Whether memory that no process has mapped is seen by nobody, so that there must be little of it. */
  limitsSegments: boolean
}

/** The filter for one architecture. Throws for one whose call numbers are not in the table. */
export function seccompFilter({ architecture = process.arch, limitsSegments }: SeccompFilter): Buffer {
  if (architecture !== 'x64' && architecture !== 'arm64') throw new Error(`no system call table for ${architecture}`)
  return encode(program(architecture, limitsSegments))
}

function program(architecture: Architecture, limitsSegments: boolean): Instruction[] {
  const column = architecture === 'x64' ? 0 : 1
  const answer = (number: number, verdict: number): Instruction[] =>
    number < 0 ? [] : [jump(JUMP_EQUAL, number, 0, 1), verdictOf(verdict)]
  return [
    load(4),
    jump(JUMP_EQUAL, auditArchitecture[architecture], 1, 0),
    verdictOf(KILL_PROCESS),
    load(0),
    ...(architecture === 'x64' ? [jump(JUMP_AT_LEAST, X32_FIRST, 0, 1), verdictOf(NOT_IMPLEMENTED)] : []),
    ...Object.values(unknownCalls).flatMap((numbers) => answer(numbers[column], NOT_IMPLEMENTED)),
    ...Object.values(refusedCalls).flatMap((numbers) => answer(numbers[column], NOT_PERMITTED)),
    ...inspect(inspected.clone[column], refuseBits(NAMESPACE_FLAGS)),
    ...inspect(inspected.unshare[column], refuseBits(NAMESPACE_FLAGS | NEW_TIME_FLAG)),
    ...inspect(inspected.socket[column], allowFamilies()),
    ...inspect(inspected.socketpair[column], allowOnly(0, [AF_UNIX], FAMILY_NOT_SUPPORTED)),
    ...inspect(inspected.setsockopt[column], refuseUpperProtocols()),
    ...inspect(inspected.ioctl[column], refuseOnly(1, [TIOCSTI, TIOCLINUX, TIOCSETD])),
    ...inspect(inspected.personality[column], allowOnly(0, personalities, NOT_PERMITTED)),
    ...(limitsSegments ? inspect(inspected.shmget[column], refuseLarger(1, SEGMENT_BYTES_MAX)) : []),
    verdictOf(ALLOW),
  ]
}

const load = (offset: number): Instruction => [LOAD, 0, 0, offset]
const jump = (code: number, operand: number, whenTrue: number, whenFalse: number): Instruction => [
  code,
  whenTrue,
  whenFalse,
  operand,
]
const verdictOf = (verdict: number): Instruction => [RETURN, 0, 0, verdict >>> 0]
/** The low word of an argument; both architectures are little-endian. */
const loadArgument = (index: number) => load(16 + index * 8)
const loadHighWord = (index: number) => load(20 + index * 8)

/** A call that is judged by its arguments. `body` always comes to a verdict. */
const inspect = (number: number, body: Instruction[]): Instruction[] => [
  jump(JUMP_EQUAL, number, 0, body.length),
  ...body,
]

const refuseBits = (bits: number): Instruction[] => [
  loadArgument(0),
  jump(JUMP_ANY_BIT, bits, 0, 1),
  verdictOf(NOT_PERMITTED),
  verdictOf(ALLOW),
]

/** Goes on with the next instruction when the argument, or what `bits` leave of it, is one of these. */
const requireOneOf = (argument: number, values: number[], otherwise: number, bits?: number): Instruction[] => [
  loadArgument(argument),
  ...(bits === undefined ? [] : [[AND, 0, 0, bits] satisfies Instruction]),
  ...values.map((value, index) => jump(JUMP_EQUAL, value, values.length - index, 0)),
  verdictOf(otherwise),
]

const allowOnly = (argument: number, values: number[], otherwise: number): Instruction[] => [
  ...requireOneOf(argument, values, otherwise),
  verdictOf(ALLOW),
]

const refuseOnly = (argument: number, values: number[]): Instruction[] => [
  loadArgument(argument),
  ...values.map((value, index) => jump(JUMP_EQUAL, value, values.length - index, 0)),
  verdictOf(ALLOW),
  verdictOf(NOT_PERMITTED),
]

/** Unix; IPv4 and IPv6 of the usual kinds; of netlink only the routing protocol, by which programs list interfaces. */
function allowFamilies(): Instruction[] {
  const routing = allowOnly(2, [NETLINK_ROUTE], FAMILY_NOT_SUPPORTED)
  const internet = [
    ...requireOneOf(1, internetTypes, PROTOCOL_NOT_SUPPORTED, TYPE_BITS),
    ...allowOnly(2, internetProtocols, PROTOCOL_NOT_SUPPORTED),
  ]
  return [
    loadArgument(0),
    jump(JUMP_EQUAL, AF_UNIX, 0, 1),
    verdictOf(ALLOW),
    jump(JUMP_EQUAL, AF_NETLINK, 0, routing.length),
    ...routing,
    jump(JUMP_EQUAL, AF_INET, 1, 0),
    jump(JUMP_EQUAL, AF_INET6, 0, internet.length),
    ...internet,
    verdictOf(FAMILY_NOT_SUPPORTED),
  ]
}

const refuseUpperProtocols = (): Instruction[] => [
  loadArgument(1),
  jump(JUMP_EQUAL, SOL_TCP, 0, 3),
  loadArgument(2),
  jump(JUMP_EQUAL, TCP_ULP, 0, 1),
  verdictOf(OPTION_NOT_SUPPORTED),
  verdictOf(ALLOW),
]

/** For an argument of 64 bits. */
const refuseLarger = (argument: number, max: number): Instruction[] => [
  loadHighWord(argument),
  jump(JUMP_EQUAL, 0, 0, 2),
  loadArgument(argument),
  jump(JUMP_AT_LEAST, max + 1, 0, 1),
  verdictOf(NO_MEMORY),
  verdictOf(ALLOW),
]

function encode(instructions: Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  instructions.forEach(([code, jumpTrue, jumpFalse, operand], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jumpTrue, index * 8 + 2)
    bytes.writeUInt8(jumpFalse, index * 8 + 3)
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4)
  })
  return bytes
}
