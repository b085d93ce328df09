"""Single sign-on by OpenID Connect: the provider's URLs, keys and id tokens."""
