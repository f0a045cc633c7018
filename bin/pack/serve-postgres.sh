#!/bin/sh
# As the public image of PostgreSQL does: makes the cluster when its folder is empty, runs what lies in /docker-entrypoint-initdb.d, and serves.
set -eu
native=$(echo /opt/postgres/*/native/bin)
data=/var/lib/postgresql/data
export PGHOST=/tmp
if [ ! -s "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  "$native/initdb" --username=postgres --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust -D "$data"
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  "$native/pg_ctl" -D "$data" -o "-c listen_addresses='' -k /tmp" -w start
  for script in /docker-entrypoint-initdb.d/*; do "$script"; done
  "$native/pg_ctl" -D "$data" -m fast -w stop
fi
exec "$native/postgres" -D "$data" -c listen_addresses='*' -k /tmp
