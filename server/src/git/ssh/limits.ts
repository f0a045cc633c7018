const KiB = 1024
const MiB = 1024 * KiB

/** What one process serves by SSH, and how long it waits. */
export const sshLimits = {
  /** Connections at once: in all, from one address, and of both those that have not shown a key yet. */
  connectionsMax: 256,
  addressMax: 64,
  strangersMax: 128,
  strangersOfAddressMax: 32,
  /** How often one address may connect: each time costs a key exchange. */
  pace: { perSecond: 5, atOnce: 60 },
  addressesCountedMax: 10_000,
  /** How long it may take to show a key, how many requests that may need, how many keys may be wrong, and what may be sent for it. */
  signInMs: 20_000,
  signInRequestsMax: 20,
  wrongKeysMax: 6,
  signInBytesMax: 256 * KiB,
  /** What may come before the line that says which protocol is spoken. */
  greetingBytesMax: 8 * KiB,
  /** A connection on which nothing is asked for is closed after this, and a clone or push in which nothing moves after that. */
  restMs: 30_000,
  idleMs: 5 * 60_000,
  /** How often a silent client is asked whether it is there, and how often it may not answer. */
  aliveMs: 60_000,
  unansweredMax: 4,
  /** Channels of one connection, in all and at once. */
  channelsMax: 64,
  channelsAtOnceMax: 4,
  /** Key exchanges of one connection. Clients make one for each gigabyte or so. */
  rekeysMax: 100,
  /** Clones and pushes under way, in all and of one organization. */
  conversationsMax: 64,
  conversationsOfOrganizationMax: 16,
  commandCharactersMax: 1_000,
  /** The least that a packet to the client must be able to hold. */
  packetBytesMin: 4 * KiB,
  /** What waits to be sent to a client that does not read, and to be read from one that ignores how much may come. */
  unsentBytesMax: 256 * KiB,
  unreadBytesMax: 4 * MiB,
  /** What a connection may send besides what it pushes or asks, before a part of that is added. */
  overheadBytesMax: 512 * KiB,
  /** How long a connection that is told to end may take to. */
  goodbyeMs: 1_000,
} as const
