"""An OpenID provider over HTTP, which uses the server side of Authlib.

It signs in the person chosen by the test, without asking. Tests can change its answers and tokens.
"""

from __future__ import annotations

import html
import json
import threading
import time
from base64 import urlsafe_b64encode
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from authlib.oauth2.rfc6749 import (
    AuthorizationCodeMixin,
    AuthorizationServer,
    ClientMixin,
    OAuth2Error,
    OAuth2Request,
)
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core.grants import OpenIDCode
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

__all__ = ["CLIENT", "SECRET", "OpenIdProvider", "public_pem_as_secret", "running", "unsigned"]

CLIENT = "sapper-client"
SECRET = "s3cret-0123456789abcdef"

Change = Callable[[dict[str, Any], dict[str, Any]], "str | None"]
"""Changes the header and claims of an id token, or returns another token."""


class _Client(ClientMixin):
    def get_client_id(self) -> str:
        return CLIENT

    def get_default_redirect_uri(self) -> None:
        return None

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        parts = urlsplit(redirect_uri)
        return (parts.scheme, parts.hostname, parts.path) == ("http", "localhost", "/account")

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method in ("client_secret_basic", "client_secret_post")

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


@cache
def _key(kind: str, name: str) -> RSAKey | ECKey:
    """Return the key with this name, cached because generating one is slow."""
    parameters = {"kid": name, "use": "sig"}
    if kind == "RSA":
        return RSAKey.generate_key(2048, parameters)
    return ECKey.generate_key("P-256", parameters)


@dataclass
class _Code(AuthorizationCodeMixin):
    code: str
    redirect_uri: str
    scope: str
    nonce: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    person: dict[str, Any]

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str | None:
        return self.nonce

    def get_auth_time(self) -> int:
        return int(time.time())

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


class _Request(OAuth2Request):
    def __init__(self, method: str, url: str, form: dict[str, str], headers: Any) -> None:
        super().__init__(method, url, headers=headers)
        self._args = {key: values[0] for key, values in parse_qs(urlsplit(url).query).items()}
        self._form = form
        self.payload = BasicOAuth2Payload({**self._args, **form})

    @property
    def args(self) -> dict[str, str]:
        return self._args

    @property
    def form(self) -> dict[str, str]:
        return self._form


@dataclass
class OpenIdProvider:
    """A provider, and everything that tests can change about it.

    Attributes:
        issuer: Its issuer identifier.
        person: The claims of the person who signs in; None if the person declines.
        change: Changes id tokens.
        keys: Its private keys by id; the last one signs.
        documents: Replaces the answers at some paths: a status, headers and a body.
        silent: Paths at which nothing is answered until the end.
        requests: The number of requests by path.
        asks: Whether a page asks the person to continue.
    """

    issuer: str = ""
    person: dict[str, Any] | None = field(
        default_factory=lambda: {"sub": "person-1", "preferred_username": "Ann"}
    )
    change: Change | None = None
    keys: dict[str, RSAKey | ECKey] = field(default_factory=dict)
    documents: dict[str, tuple[int, dict[str, str], Iterator[bytes] | bytes]] = field(
        default_factory=dict
    )
    silent: set[str] = field(default_factory=set)
    requests: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    asks: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    def rotate(self, kind: str = "RSA") -> None:
        """Replace the keys with a new one."""
        name = f"key {len(self.keys) + self.requests['rotations']}"
        self.requests["rotations"] += 1
        self.keys = {name: _key(kind, name)}

    @property
    def signing_key(self) -> RSAKey | ECKey:
        """The key that signs."""
        return list(self.keys.values())[-1]

    @property
    def algorithm(self) -> str:
        """Its algorithm."""
        return "RS256" if isinstance(self.signing_key, RSAKey) else "ES256"

    def configuration(self) -> dict[str, Any]:
        """Return the discovery document."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "authorization_response_iss_parameter_supported": True,
        }

    def key_set(self) -> dict[str, Any]:
        """Return the public keys, and some keys that are not for signatures."""
        others = [{"kty": "oct", "k": "AAAA"}, {"kty": "OKP"}, 5, {"kty": "EC", "crv": "x"}]
        return {"keys": [*(key.as_dict(private=False) for key in self.keys.values()), *others]}


def unsigned(header: dict[str, Any], claims: dict[str, Any]) -> str:
    """Return a token with the algorithm ``none``."""
    parts = [json.dumps(part).encode() for part in ({**header, "alg": "none"}, claims)]
    return ".".join([urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts] + [""])


def public_pem_as_secret(
    key: RSAKey | ECKey, header: dict[str, Any], claims: dict[str, Any]
) -> str:
    """Return a token signed with the text of the public key as a shared secret."""
    secret = OctKey.import_key(urlsafe_b64encode(key.as_pem(private=False)).decode())
    return jwt.encode({**header, "alg": "HS256"}, claims, secret, ["HS256"])


class _Server(AuthorizationServer):
    def __init__(self, provider: OpenIdProvider) -> None:
        super().__init__()
        self.provider = provider
        self.codes: dict[str, _Code] = {}
        self.register_token_generator("default", BearerTokenGenerator(lambda **_: "access token"))
        extensions = [CodeChallenge(required=True), _OpenId(self)]
        self.register_grant(type("Grant", (_Grant,), {"codes": self.codes}), extensions)

    def query_client(self, client_id: str) -> _Client | None:
        return _Client() if client_id == CLIENT else None

    def save_token(self, token: Any, request: Any) -> None:
        pass

    def send_signal(self, name: str, *args: Any, **named: Any) -> None:
        pass

    def create_oauth2_request(self, request: Any) -> Any:
        return request

    def handle_response(self, status: int, body: Any, headers: Any) -> Any:
        text = json.dumps(body) if isinstance(body, dict) else body
        return status, dict(headers), text.encode()

    def authorize(self, request: _Request) -> Any:
        """Return the answer to a browser."""
        try:
            grant = self.get_consent_grant(request, self.provider.person or {"sub": ""})
        except OAuth2Error as problem:
            return 400, {}, str(problem).encode()
        person = self.provider.person
        status, headers, body = self.create_authorization_response(
            request=request, grant_user=person, grant=grant
        )
        if "Location" in headers:
            headers["Location"] += f"&iss={self.provider.issuer}"
        return status, headers, body


class _Grant(AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]  # noqa: RUF012
    codes: dict[str, _Code]

    def save_authorization_code(self, code: str, request: Any) -> None:
        data = request.payload.data
        self.codes[code] = _Code(
            code,
            data["redirect_uri"],
            data["scope"],
            data.get("nonce"),
            data.get("code_challenge"),
            data.get("code_challenge_method"),
            request.user,
        )

    def query_authorization_code(self, code: str, client: Any) -> _Code | None:
        return self.codes.get(code)

    def delete_authorization_code(self, authorization_code: _Code) -> None:
        del self.codes[authorization_code.code]

    def authenticate_user(self, authorization_code: _Code) -> dict[str, Any]:
        return authorization_code.person


class _OpenId(OpenIDCode):
    def __init__(self, server: _Server) -> None:
        super().__init__(require_nonce=True)
        self._server = server

    def exists_nonce(self, nonce: str, request: Any) -> bool:
        return any(code.nonce == nonce for code in self._server.codes.values())

    def resolve_client_private_key(self, client: Any) -> RSAKey | ECKey:
        return self._server.provider.signing_key

    def get_client_algorithm(self, client: Any) -> str:
        return self._server.provider.algorithm

    def get_encode_header(self, client: Any) -> dict[str, Any]:
        provider = self._server.provider
        return {"alg": provider.algorithm, "kid": provider.signing_key.kid}

    def get_client_claims(self, client: Any) -> dict[str, Any]:
        return {"iss": self._server.provider.issuer, "aud": CLIENT}

    def generate_user_info(self, user: dict[str, Any], scope: str) -> dict[str, Any]:
        return user

    def encode_id_token(self, token: Any, request: Any) -> str:
        made = str(super().encode_id_token(token, request))
        provider = self._server.provider
        if provider.change is None:
            return made
        read = jwt.decode(made, provider.signing_key, [provider.algorithm])
        header, claims = dict(read.header), dict(read.claims)
        other = provider.change(header, claims)
        if other is not None:
            return other
        return jwt.encode(header, claims, provider.signing_key, [header["alg"]])


@contextmanager
def running() -> Iterator[OpenIdProvider]:
    """Run a provider until the end of the block."""
    provider = OpenIdProvider()
    provider.rotate()
    server = _Server(provider)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            self._answer({key: values[0] for key, values in parse_qs(body).items()})

        def _answer(self, form: dict[str, str]) -> None:
            path = urlsplit(self.path).path
            with lock:
                provider.requests[path] += 1
                status, headers, body = self._found(path, form)
            if path in provider.silent:
                provider.ended.wait()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if isinstance(body, bytes):
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                return
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            try:
                for part in body:
                    self.wfile.write(part)
            except OSError:
                # The client has stopped reading.
                pass

        def _found(self, path: str, form: dict[str, str]) -> Any:
            if path in provider.documents:
                return provider.documents[path]
            request = _Request(self.command, provider.issuer + self.path, form, self.headers)
            if path == "/.well-known/openid-configuration":
                return 200, {}, json.dumps(provider.configuration()).encode()
            if path == "/keys":
                return 200, {}, json.dumps(provider.key_set()).encode()
            if path == "/token":
                return server.create_token_response(request)
            if path == "/authorize" and provider.asks and "yes" not in request.args:
                address = html.escape(self.path + "&yes=1")
                page = f"<!doctype html><title>Provider</title><a href='{address}'>Continue</a>"
                return 200, {"content-type": "text/html"}, page.encode()
            if path == "/authorize":
                return server.authorize(request)
            return 404, {}, b"{}"

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    provider.issuer = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.ended.set()
        http.shutdown()
        thread.join()
        http.server_close()
