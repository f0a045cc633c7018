-- For runs of a repository that name no engine; null: the service chooses.
alter table repos add column default_engine text;
