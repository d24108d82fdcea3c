"""Some tests of play, live tables, polling and the lobby once more: through a balancer that sends every
request to another one of three processes on one PostgreSQL. At night all of them run so, while one
process after the other is killed (LAMPION_BALANCED)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server import test_live, test_lobby, test_play, test_polling
from tests.server.chaos.balancer import Site
from tests.server.store.postgres import Postgres

table = test_play.table

test_standing_up = test_lobby.test_a_player_stands_up_and_another_one_sits_down
test_leaving_hosts = test_lobby.test_a_host_who_leaves_passes_the_table_on
test_removals = test_lobby.test_a_removal_renews_the_invitation
test_clocks = test_lobby.test_a_clock_waits_for_everybody
test_questions = test_play.test_stopped_by_consent_without_a_result
test_polling_callers = test_polling.test_who_asks_is_present_and_others_are_told
test_first_messages = test_live.test_who_comes_is_told_the_table_then_the_game
iris = test_lobby.iris


@pytest.fixture(scope="module")
def server(postgres: Postgres) -> Iterator[Site]:
    with Site(postgres.create("behind_a_balancer")) as site:
        yield site
