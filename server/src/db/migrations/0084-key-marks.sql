-- Which secret key a token was digested with: tells what is lost when the previous one is taken away. Null: before this column.
alter table credentials add column key_mark bytea check (octet_length(key_mark) = 4);
