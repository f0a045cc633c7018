-- Comments on lines of a pull request of the built-in host form threads: one that begins it, and the replies to it, which stand
-- on the same line. Who settles a thread settles the comment that began it.
alter table pull_comments
  add column review_id bigint,
  add column reply_to bigint,
  add column resolved_at timestamptz,
  add column resolved_by bigint,
  add foreign key (organization_id, review_id) references pull_reviews (organization_id, id) on delete cascade,
  add foreign key (organization_id, reply_to) references pull_comments (organization_id, id) on delete cascade,
  add check (reply_to is null or path is not null),
  add check (resolved_at is null or (path is not null and reply_to is null));
create index pull_comments_by_reply on pull_comments (organization_id, reply_to) where reply_to is not null;
create index pull_comments_by_review on pull_comments (organization_id, review_id) where review_id is not null;

-- Each comment of a review begins a thread. A trigger makes them, so that those of a process of the previous version have theirs, too.
create function begin_threads(review pull_reviews) returns void language plpgsql as $$
begin
  insert into pull_comments (organization_id, pull_id, user_id, body, path, line, side, head_commit, created_at, review_id)
  select review.organization_id, review.pull_id, coalesce(review.user_id, agent_user(review.organization_id)),
    c.value->>'body', c.value->>'path', (c.value->>'line')::int, c.value->>'side', review.head_commit, review.created_at, review.id
  from json_array_elements(review.comments) with ordinality c (value, n)
  where exists (select from pulls p where p.organization_id = review.organization_id and p.id = review.pull_id and p.url is null)
  order by c.n;
exception
  -- JSON holds characters that no text does. A comment with such a one stays in its review alone.
  when untranslatable_character or invalid_text_representation then null;
end $$;

create function begin_threads_of_review() returns trigger language plpgsql as $$
begin
  perform begin_threads(new);
  return null;
end $$;
create trigger begin_threads after insert on pull_reviews for each row
  when (new.comments::text <> '[]') execute function begin_threads_of_review();

select begin_threads(r) from pull_reviews r where r.comments::text <> '[]' order by r.id;

alter table pulls add column labels text[] not null default '{}';
