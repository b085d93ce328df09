"""The web app: a server with one game per browser; mines are sent only after the end of a game."""

from sapper.server.app import create_app
from sapper.server.http.networks import Networks
from sapper.server.listening import Listening, bind
from sapper.server.logs import log_json
from sapper.server.run import open_store, serve, served_hosts
from sapper.server.sso.settings import SsoSettings

__all__ = [
    "Listening",
    "Networks",
    "SsoSettings",
    "bind",
    "create_app",
    "log_json",
    "open_store",
    "serve",
    "served_hosts",
]
