#!/bin/sh
# Run once by the image of PostgreSQL, when its folder is empty. Row security does not hold for superusers, so the service gets a login that is none.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username=postgres --dbname=postgres <<'SQL'
create role runwright_tenant nologin;
create role runwright login password :'password';
grant runwright_tenant to runwright with inherit false, set true;
create database runwright owner runwright;
revoke temporary on database runwright from public;
SQL
