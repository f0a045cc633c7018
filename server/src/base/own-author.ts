/** Whose name and address a commit bears. */
export type Author = { name: string; email: string }

/** The service itself, where no code host knows it under an account. */
export const ownAuthor: Author = { name: 'Runwright', email: 'agent@runwright.invalid' }
