"""Accounts: names, passkeys, recovery codes and sign-ins, without HTTP and SQL."""
