"""Messages in the reader's language: English sources and gettext catalogues in `sapper/locale`."""

from sapper.translation.catalogues import LANGUAGES, Catalogue, catalogue, preferred_language
from sapper.translation.labels import LabelledEnum, in_words, label_of
from sapper.translation.text import Text, capital, percent, seconds, sentences, t, tn

__all__ = [
    "LANGUAGES",
    "Catalogue",
    "LabelledEnum",
    "Text",
    "capital",
    "catalogue",
    "in_words",
    "label_of",
    "percent",
    "preferred_language",
    "seconds",
    "sentences",
    "t",
    "tn",
]
