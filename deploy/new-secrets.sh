#!/bin/sh
# Create the database password, and the database URL with the password, in secrets/.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf '%s' "$password" > secrets/database_password
printf 'postgresql://sapper:%s@postgres/sapper' "$password" > secrets/database
# The users in the containers differ from yours, so the files are protected by the directory.
chmod 644 secrets/database secrets/database_password
