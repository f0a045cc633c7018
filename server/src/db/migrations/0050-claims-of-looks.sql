-- Who looks at a repository, or lists those of an integration: one whose claim was taken over changes nothing any more.
alter table host_polls add column claim_id uuid;
alter table integrations add column sync_claim_id uuid;
