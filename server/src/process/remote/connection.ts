/** Where remote workers connect. What stands in front of the service hands it to a worker that listens for them. */
export const connectPath = '/v1/remote-workers/connect'

/** HTTP/2 writes pieces of 16 KiB, several at once where many wait. */
export const messageBytesMax = 16 * 1024 * 1024

/** Ends a connection for a reason that stands beside it, and that is none to come back at once. */
export const refusedCode = 4_403
