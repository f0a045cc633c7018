-- What a token is narrowed to. Tokens made before may all that their owner's role may.
alter table credentials
  add column scopes text[] not null default '{read,run,manage,admin}',
  add constraint credentials_scopes_check check (scopes <@ '{read,run,manage,admin}'::text[] and cardinality(scopes) > 0);

-- What agents are told besides the prompt: by the organization, and by the person who starts the run.
alter table organizations add column rules text;
alter table users add column custom_prompt text;
