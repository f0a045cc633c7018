/** Where the gateway has a repository, below its address, and the token that opens it. */
export type GitAccess = { path: string; secret: string }
