"""Single sign-on by OpenID Connect: the provider's addresses, keys and id tokens."""
