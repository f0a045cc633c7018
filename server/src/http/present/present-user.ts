import type { Me, User } from '#domain/accounts/users/user.ts'
import type { Components } from '#http/schemas/index.ts'

/** Clients expect a text where there is no account on a code host. */
export function presentUser(user: User): Components['User'] {
  return {
    id: user.id,
    email: user.email,
    github_user_id: user.github?.id ?? '',
    github_username: user.github?.login ?? '',
    avatar_url: user.avatarUrl,
    full_name: user.fullName,
    kind: user.kind,
    role: user.role,
    is_admin: user.role === 'ADMIN',
  }
}

export function presentMe(me: Me): Components['Me'] {
  return { ...presentUser(me), user_custom_prompt: me.customPrompt }
}
