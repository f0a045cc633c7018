/** Of `users u`, which may be missing: who somebody is on the built-in host, as a `HostActor`. */
export const hostActor = `case when u.id is not null then json_build_object('hostUserId', u.id::text,
  'login', case when u.deleted_at is null then coalesce(nullif(u.full_name, ''), u.email, 'user ' || u.id) else 'deleted user ' || u.id end, 'isBot', u.kind = 'service') end`
