"""Metrics of a running server in Prometheus's text format.

The server counts with plain integers, which prometheus-client, an optional dependency, reads only
when `/metrics` is requested.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import sapper
from sapper._util.installing import pip_install
from sapper.errors import MissingExtra
from sapper.server.cluster.bus import Bus, BusMessage
from sapper.server.http.endpoints import address_of, endpoint
from sapper.server.http.errors import Forbidden
from sapper.server.http.networks import Networks
from sapper.server.http.proxies import is_forwarded, is_own_machine
from sapper.server.instruments import Durations, refusals
from sapper.server.protocol import Json
from sapper.server.rooms.hub import RoomHub
from sapper.server.session.sessions import Sessions

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

__all__ = ["METRICS_PATH", "JobQueue", "MetricsApi"]

METRICS_PATH: Final = "/metrics"

_TIMEOUT_S: Final = 2.0
"""How long to wait for the metrics of other workers."""


class JobQueue(Protocol):
    """A pool of threads or processes."""

    durations: Durations

    @property
    def waiting(self) -> int:
        """Number of jobs that no worker has started yet."""

    @property
    def unfinished(self) -> int:
        """Number of waiting and running jobs."""


class _Merged:
    """The metrics of all workers, for prometheus-client; each has the label ``worker``.

    Args:
        figures: The figures of each worker by name; without a label for an empty name.
    """

    def __init__(self, figures: Mapping[str, Json]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        from prometheus_client.metrics_core import Metric

        merged: dict[str, Metric] = {}
        for worker, found in sorted(self._figures.items()):
            label = {"worker": worker} if worker else {}
            for family in found["families"]:
                name = family["name"]
                if name not in merged:
                    merged[name] = Metric(name, family["help"], family["type"])
                for sample, labels, value in family["samples"]:
                    merged[name].add_sample(sample, {**label, **labels}, value)
        yield from merged.values()


class MetricsApi:
    """Answers requests for metrics from this machine and from configured networks.

    Args:
        sessions: The games.
        rooms: The rooms.
        windows: Function that returns the number of open windows.
        connections: Function that returns the number of open connections.
        queues: Worker pools by name.
        bus: Reaches the other workers, whose metrics are included.
        readers: The networks that may read metrics, in addition to this machine.
    """

    def __init__(
        self,
        sessions: Sessions,
        rooms: RoomHub,
        windows: Callable[[], int],
        connections: Callable[[], int],
        queues: Mapping[str, JobQueue],
        bus: Bus,
        readers: Networks,
    ) -> None:
        self._sessions, self._rooms = sessions, rooms
        self._windows, self._connections = windows, connections
        self._queues, self._bus, self._readers = queues, bus, readers
        bus.answer("metrics", self._own_figures)

    @property
    def routes(self) -> list[Route]:
        """The route."""
        return [Route(METRICS_PATH, endpoint(self._answer))]

    async def _answer(self, request: Request) -> Response:
        """Return all metrics.

        Raises:
            Forbidden: If the request comes from elsewhere or through a proxy.
            MissingExtra: If prometheus-client is not installed.
        """
        is_reader = address_of(request) in self._readers and not is_forwarded(request)
        if not (is_reader or is_own_machine(request)):
            address = address_of(request)
            raise Forbidden(
                "metrics cannot be read through a proxy; ask the server itself"
                if is_forwarded(request)
                else f"{address} may not read metrics; allow it with --metrics-from {address}"
            )
        try:
            from prometheus_client import CollectorRegistry
            from prometheus_client.exposition import choose_encoder
        except ImportError:
            said = f"prometheus-client is not installed: {pip_install('metrics')}"
            raise MissingExtra(said) from None
        figures = await self._bus.ask_all("metrics", {}, _TIMEOUT_S)
        if self._bus.worker not in figures:
            # The message bus is not delivering messages right now.
            figures = {self._bus.worker: self._own()}
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Merged(figures))
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), headers={"content-type": content_type})

    async def _own_figures(self, _: BusMessage) -> Json:
        return self._own()

    def _own(self) -> Json:
        """Return the figures of this worker as JSON."""
        from prometheus_client import CollectorRegistry, ProcessCollector

        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(self)
        return {
            "families": [
                {
                    "name": family.name,
                    "help": family.documentation,
                    "type": family.type,
                    "samples": [[one.name, one.labels, one.value] for one in family.samples],
                }
                for family in registry.collect()
            ]
        }

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics for prometheus-client."""
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
            InfoMetricFamily,
        )

        sessions, saving = self._sessions, self._sessions.save_queue
        build = {"version": sapper.__version__, "python": platform.python_version()}
        yield InfoMetricFamily("sapper_build", "Versions.", value=build)
        yield GaugeMetricFamily(
            "sapper_connections", "Open connections, including windows.", self._connections()
        )
        yield GaugeMetricFamily("sapper_windows", "Open windows.", self._windows())
        yield GaugeMetricFamily("sapper_games_in_memory", "Games in memory.", len(sessions))
        yield GaugeMetricFamily("sapper_rooms", "Open rooms.", len(self._rooms))
        yield CounterMetricFamily(
            "sapper_moves", "Actions in games, by players and bots.", sessions.moves
        )
        yield GaugeMetricFamily(
            "sapper_save_queue_games", "Games with changes that are not saved yet.", len(saving)
        )
        yield HistogramMetricFamily(
            "sapper_commit_seconds",
            "Time to save a batch of changes.",
            saving.durations.cumulative(),
            saving.durations.total_s,
        )
        yield CounterMetricFamily(
            "sapper_commit_failures", "Batches that could not be saved.", saving.failures
        )
        refused = CounterMetricFamily(
            "sapper_refusals", "Refused or dropped, by limit.", labels=["limit"]
        )
        for limit, count in sorted(refusals.items()):
            refused.add_metric([limit], count)
        yield refused
        waiting = GaugeMetricFamily(
            "sapper_jobs_waiting", "Jobs that no worker has begun.", labels=["queue"]
        )
        unfinished = GaugeMetricFamily(
            "sapper_jobs_unfinished", "Jobs that wait or run.", labels=["queue"]
        )
        durations = HistogramMetricFamily(
            "sapper_job_seconds", "Time from submitting a job to its end.", labels=["queue"]
        )
        for name, queue in self._queues.items():
            waiting.add_metric([name], queue.waiting)
            unfinished.add_metric([name], queue.unfinished)
            durations.add_metric([name], queue.durations.cumulative(), queue.durations.total_s)
        yield from (waiting, unfinished, durations)
