-- How much models think, and how often one turn may ask them; null: as the repository, the organization and the operator say.
alter table runs
  add column effort text check (effort in ('none', 'low', 'medium', 'high')),
  add column max_model_calls integer check (max_model_calls between 1 and 20000);
alter table repos add column default_effort text check (default_effort in ('none', 'low', 'medium', 'high'));
alter table organizations add column default_effort text check (default_effort in ('none', 'low', 'medium', 'high'));
