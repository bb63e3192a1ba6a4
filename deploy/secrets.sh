#!/bin/sh
# Makes the secrets of compose.yaml in deploy/secrets, once: a password, and the database's URL with it.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
if [ ! -e secrets/steelyard_database_url ]; then
    password=$(od -An -N 32 -t x1 /dev/urandom | tr -d ' \n')
    printf '%s' "$password" > secrets/database_password
    printf 'postgresql://steelyard:%s@database/steelyard' "$password" > secrets/steelyard_database_url
    # The folder keeps others out; in a container the files belong to another user, who must read them.
    chmod 444 secrets/database_password secrets/steelyard_database_url
    echo "made deploy/secrets/database_password and deploy/secrets/steelyard_database_url"
fi
