"""What a runtime does, wherever its roles live."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gossamer.errors import DeadlineExceeded, PeerLost, RuntimeFault
from gossamer.runtime import processes
from gossamer.runtime.contract import MAX_CALLS, Peer, Runtime
from gossamer.runtime.local import LocalRuntime
from gossamer.runtime.processes import ProcessRuntime
from tests.runtime.roles import MODULE, spec

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 20.0

Test = Callable[[Runtime], Awaitable[None]]
Run = Callable[[Test], None]


@pytest.fixture(params=["local", "processes"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a test with a runtime, which is closed at the end."""
    monkeypatch.chdir(ROOT)  # workers find the roles there

    async def with_runtime(test: Test) -> None:
        runtime: Runtime = LocalRuntime()
        if request.param == "processes":
            runtime = ProcessRuntime([MODULE])
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await test(runtime)
        finally:
            await runtime.close()

    return lambda test: asyncio.run(with_runtime(test))


async def until_lost(peer: Peer) -> None:
    """Wait until the role behind it is gone."""
    while True:
        try:
            await peer.call("echo", b"", seconds=5)
        except PeerLost:
            return
        await asyncio.sleep(0.002)


async def until_exists(path: Path) -> None:
    while not path.exists():
        await asyncio.sleep(0.002)


# -- Calls


def test_a_role_answers_as_soon_as_it_is_started(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        for number in range(5):
            await runtime.start(spec(f"worker-{number}"))
            peer = runtime.peers.peer(f"worker-{number}")
            assert await peer.call("echo", b"hello", seconds=5) == b"hello"
            assert await peer.call("echo", b"", seconds=5) == b""

    run(test)


def test_an_error_travels_to_the_caller_and_hurts_nobody_else(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        peer = runtime.peers.peer("worker")
        with pytest.raises(RuntimeFault, match="'fail' failed: LookupError: no ‘such’ thing") as it:
            await peer.call("fail", "no ‘such’ thing".encode(), seconds=5)
        assert type(it.value) is RuntimeFault
        with pytest.raises(RuntimeFault, match="KeyError: 'nothing'") as it:
            await peer.call("nothing", b"", seconds=5)
        assert type(it.value) is RuntimeFault
        assert await peer.call("echo", b"on", seconds=5) == b"on"

    run(test)


def test_a_call_that_takes_too_long(run: Run, tmp_path: Path) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        peer = runtime.peers.peer("worker")
        started = time.monotonic()
        with pytest.raises(DeadlineExceeded, match="'hang' was not answered within 0"):
            await peer.call("hang", str(tmp_path / "hangs").encode(), seconds=0.05)
        assert time.monotonic() - started < 5
        assert await peer.call("echo", b"on", seconds=5) == b"on"

    run(test)


def test_a_peer_that_never_was(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        with pytest.raises(PeerLost):
            await runtime.peers.peer("stranger").call("echo", b"", seconds=5)

    run(test)


def test_a_peer_may_be_known_before_it_is_started(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        peer = runtime.peers.peer("worker")
        with pytest.raises(PeerLost):
            await peer.call("echo", b"", seconds=5)
        await runtime.start(spec("worker"))
        assert await peer.call("echo", b"here", seconds=5) == b"here"

    run(test)


def test_roles_call_each_other(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        for name in "abc":
            await runtime.start(spec(name))
        peer = runtime.peers.peer("a")
        assert await peer.call("relay", b"b c a b", seconds=5) == b"b c a b "
        # Both ways at once, more than may be worked on at a time.
        other = runtime.peers.peer("b")
        calls = [
            *(peer.call("relay", b"b", seconds=10) for _ in range(MAX_CALLS)),
            *(other.call("relay", b"a", seconds=10) for _ in range(MAX_CALLS)),
        ]
        assert await asyncio.gather(*calls) == [b"b "] * MAX_CALLS + [b"a "] * MAX_CALLS
        with pytest.raises(RuntimeFault, match="PeerLost"):
            await peer.call("relay", b"b stranger", seconds=5)

    run(test)


def test_many_calls_at_once_are_all_answered(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        peer = runtime.peers.peer("worker")
        payloads = [str(number).encode() * 1_000 for number in range(10 * MAX_CALLS)]
        replies = await asyncio.gather(
            *(peer.call("busy", payload, seconds=15) for payload in payloads)
        )
        assert replies == payloads

    run(test)


def test_a_role_works_on_so_many_calls_of_a_peer_and_no_more(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        peer = runtime.peers.peer("worker")
        await asyncio.gather(*(peer.call("busy", b"", seconds=15) for _ in range(4 * MAX_CALLS)))
        assert 1 < int(await peer.call("most_calls", b"", seconds=5)) <= MAX_CALLS

    run(test)


def test_large_payloads(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        peer = runtime.peers.peer("worker")
        large = bytes(range(256)) * 80_000
        assert len(large) > 20_000_000
        replies = await asyncio.gather(
            peer.call("echo", large, seconds=15),
            peer.call("echo", b"small", seconds=15),
            peer.call("echo", large[::-1], seconds=15),
        )
        assert [*replies] == [large, b"small", large[::-1]]

    run(test)


# -- Lives


def test_a_role_that_cannot_be_made_is_told_at_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_START_SECONDS", 2.0)

    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        for _ in range(30):  # whether birth and death are heard of at once is a matter of luck
            with pytest.raises(RuntimeFault) as it:
                await runtime.start(spec("unable", "unable"))
            assert not isinstance(it.value, DeadlineExceeded)
        assert await runtime.peers.peer("worker").call("echo", b"on", seconds=5) == b"on"

    run(test)


def test_a_death_is_reported(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        for name in "abc":
            await runtime.start(spec(name))
        runtime.kill("b")
        assert await runtime.died() == "b"
        with pytest.raises(PeerLost):
            await runtime.peers.peer("b").call("echo", b"", seconds=5)
        assert await runtime.peers.peer("a").call("echo", b"on", seconds=5) == b"on"
        runtime.kill("b")  # again: harmless
        runtime.kill("c")
        assert await runtime.died() == "c"

    run(test)


def test_a_role_can_be_called_and_killed_as_soon_as_it_is_started(run: Run) -> None:
    """Also where there is more to do than there are cores: that is when races show."""

    async def test(runtime: Runtime) -> None:
        burners = [f"burner-{number}" for number in range(3)]
        for name in burners:
            await runtime.start(spec(name))
        burning = [
            asyncio.create_task(runtime.peers.peer(name).call("burn", b"0.4", seconds=20))
            for name in burners
        ]
        for number in range(40):
            await runtime.start(spec("worker"))
            if number % 2:
                assert await runtime.peers.peer("worker").call("echo", b"1", seconds=5) == b"1"
            runtime.kill("worker")
            async with asyncio.timeout(5):
                assert await runtime.died() == "worker"
        await asyncio.gather(*burning)

    run(test)


@pytest.mark.parametrize("factory", ["worker", "crashing"])
def test_a_role_that_ends_by_itself_has_died(run: Run, factory: str) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker", factory))
        peer = runtime.peers.peer("worker")
        assert await peer.call("leave", b"", seconds=5) == b""
        assert await runtime.died() == "worker"
        await until_lost(peer)

    run(test)


def test_a_call_does_not_outlive_the_role_that_works_on_it(run: Run, tmp_path: Path) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        hangs = tmp_path / "hangs"
        peer = runtime.peers.peer("worker")
        calling = asyncio.create_task(peer.call("hang", str(hangs).encode(), seconds=1.5))
        await until_exists(hangs)
        runtime.kill("worker")
        with pytest.raises(PeerLost):
            await calling

    run(test)


def test_a_role_lives_again_under_its_name(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("caller"))
        caller, peer = runtime.peers.peer("caller"), runtime.peers.peer("worker")
        for _ in range(3):
            await runtime.start(spec("worker"))
            assert await peer.call("echo", b"1", seconds=5) == b"1"
            assert await caller.call("relay", b"worker", seconds=5) == b"worker "
            runtime.kill("worker")
            assert await runtime.died() == "worker"
            with pytest.raises(RuntimeFault):
                await caller.call("relay", b"worker", seconds=5)

    run(test)


def test_a_role_may_be_started_again_before_its_death_was_heard_of(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        runtime.kill("worker")
        await runtime.start(spec("worker"))
        for _ in range(5):  # the end of the first one may be noticed now
            await asyncio.sleep(0)
        peer = runtime.peers.peer("worker")
        assert await peer.call("echo", b"again", seconds=5) == b"again"

    run(test)


def test_a_role_that_is_stopped_finishes_first(run: Run, tmp_path: Path) -> None:
    async def test(runtime: Runtime) -> None:
        farewell = tmp_path / "farewell"
        await runtime.start(spec("worker", settings=str(farewell).encode()))
        await runtime.start(spec("other"))
        peer = runtime.peers.peer("worker")
        assert await peer.call("echo", b"", seconds=5) == b""
        await runtime.stop("worker", seconds=10)
        assert farewell.read_text() == "finished"
        await until_lost(peer)
        await runtime.stop("worker", seconds=10)  # again: harmless
        await runtime.stop("stranger", seconds=10)
        # It has not died: the first death that is heard of is another's.
        runtime.kill("other")
        assert await runtime.died() == "other"

    run(test)


def test_a_role_that_does_not_stop_in_time_is_ended(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("stubborn", "stubborn"))
        await runtime.stop("stubborn", seconds=0.02)
        await until_lost(runtime.peers.peer("stubborn"))

    run(test)


def test_a_stopped_role_may_be_started_again_and_then_die(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        await runtime.stop("worker", seconds=10)
        await runtime.start(spec("worker"))
        runtime.kill("worker")
        assert await runtime.died() == "worker"

    run(test)


def test_closing_ends_everything(run: Run) -> None:
    async def test(runtime: Runtime) -> None:
        await runtime.start(spec("worker"))
        await runtime.start(spec("stubborn", "stubborn"))
        peers = [runtime.peers.peer(name) for name in ("worker", "stubborn")]
        for peer in peers:
            assert await peer.call("echo", b"", seconds=5) == b""
        await runtime.close()
        for peer in peers:
            with pytest.raises(PeerLost):
                await peer.call("echo", b"", seconds=5)

    run(test)
