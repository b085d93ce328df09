"""Both game clocks, on a time source that tests can set."""

from sapper.game.clock import Clock, Stopwatch


class FakeTime:
    """A time source that tests can advance."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_stopwatch_adds_running_time() -> None:
    """Only running time counts."""
    time = FakeTime()
    watch = Stopwatch(time)
    assert watch.elapsed_s == 0
    watch.start()
    time.now_s += 2
    watch.stop()
    time.now_s += 100
    watch.start()
    time.now_s += 3
    assert watch.running
    assert watch.elapsed_s == 5


def test_repeated_start_and_stop_have_no_effect() -> None:
    """A second start does not reset the stopwatch, and a second stop adds nothing."""
    time = FakeTime()
    watch = Stopwatch(time)
    watch.start()
    time.now_s += 2
    watch.start()
    time.now_s += 2
    watch.stop()
    time.now_s += 2
    watch.stop()
    assert (watch.elapsed_s, watch.running) == (4, False)


def test_stopwatch_can_be_set() -> None:
    """A running stopwatch continues from the value set."""
    time = FakeTime()
    watch = Stopwatch(time)
    watch.set(7, running=True)
    time.now_s += 1
    assert watch.elapsed_s == 8
    watch.set(3)
    time.now_s += 1
    assert watch.elapsed_s == 3


def test_solver_clock_runs_only_while_thinking() -> None:
    """The solver's clock runs inside `thinking`, even if an exception ends the block."""
    time = FakeTime()
    clock = Clock(time)
    with clock.thinking():
        time.now_s += 1
    time.now_s += 10
    try:
        with clock.thinking():
            time.now_s += 2
            raise KeyError
    except KeyError:
        pass
    assert (clock.solver_s, clock.player_s) == (3, 0)
    clock.reset()
    assert clock.solver_s == 0
