"""The web app's pages: HTML, style sheets and scripts, bundled and translated for browsers."""

from sapper.web.assets import STATIC, Assets, Preview
from sapper.web.installing import install_routes
from sapper.web.language import (
    LANGUAGE_COOKIE,
    LanguageChoice,
    current_language,
    in_its_language,
    translated,
)

__all__ = [
    "LANGUAGE_COOKIE",
    "STATIC",
    "Assets",
    "LanguageChoice",
    "Preview",
    "current_language",
    "in_its_language",
    "install_routes",
    "translated",
]
