-- Who people are to a provider of OpenID Connect. Its subject is what counts from the first sign-in on; an address may be given
-- to somebody else later, so a person is bound to one subject of an issuer. Sessions that begin so stand for the credential.
create table identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users,
  credential_id bigint not null references credentials,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (issuer, user_id)
);
