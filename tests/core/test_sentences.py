"""Events told as people do, from the catalogs of the games."""

from __future__ import annotations

from lampion.core.sentences import Event, Reader, outcome, sentences

NAMES = ["Ada", "Milo", "Iris"]
PLACED = {"event": "move", "cause": "place", "player": 1, "count": 1}
RED = {"event": "move", "cause": "facing", "player": 0, "color": "R", "count": 1}
WHITE = {**RED, "player": 2, "color": "W"}
FAVOR = {"event": "move", "cause": "platform", "player": 0, "count": 1}


def told(*events: Event, seat: int = -1, language: str = "en") -> list[str]:
    return sentences(events, Reader("lanterns", NAMES, language, seat))


def dice_told(*events: Event) -> list[str]:
    return sentences(events, Reader("lanterns_dice", NAMES))


def test_a_move_and_who_gets_what_is_one_sentence_with_the_verb_once() -> None:
    assert told(PLACED, RED, WHITE, seat=0) == [
        "Milo places a tile: you get a red lantern, Iris a white lantern"
    ]
    assert told(PLACED, RED, FAVOR, WHITE, seat=1) == [
        "You place a tile: Ada gets a red lantern and a favor for the platform, "
        "Iris a white lantern"
    ]
    assert told(PLACED, RED, WHITE, seat=0, language="fr") == [
        "Milo pose une tuile : vous recevez une lanterne rouge, Iris une lanterne blanche"
    ]
    assert told(PLACED, RED, WHITE, seat=0, language="it") == [
        "Milo posa una tessera: ricevi una lanterna rossa, Iris una lanterna bianca"
    ]


def test_what_an_action_leads_to_can_be_told_alone() -> None:
    reader = Reader("lanterns", NAMES, seat=0)
    assert outcome([PLACED, RED], reader) == "You get a red lantern"
    assert outcome([PLACED], reader) == ""


def test_a_rule_that_gave_nothing_says_so_and_facts_say_nothing() -> None:
    assert told(PLACED, {**RED, "count": 0}, {"event": "facts"}) == [
        "Milo places a tile: nothing for Ada, as the red pile is empty"
    ]


def test_events_without_a_deed_are_a_sentence_of_their_own() -> None:
    give = {"event": "move", "cause": "dedicate_give", "player": 1, "color": "G", "count": 4}
    assert told(give) == ["4 green"]
    assert told() == []


def test_the_deed_comes_first_whatever_came_before_it() -> None:
    give = {"event": "move", "cause": "dedicate_give", "player": 1, "color": "G", "count": 4}
    deed = {"event": "move", "cause": "dedicate", "player": 1, "stack": "four_of_a_kind"}
    assert told(give, {**deed, "count": 8}) == [
        "Milo dedicates four of a kind for 8 honor: 4 green"
    ]
    assert told(give, {**deed, "count": 8}, language="fr") == [
        "Milo dédie un carré et gagne 8 points d’honneur : 4 vertes"
    ]


def test_forms_of_keys_and_of_placeholders() -> None:
    paid = [{"event": "move", "cause": "reroll", "player": 1, "count": count} for count in (1, 2)]
    assert dice_told(*paid) == [
        "Milo pays a gift to roll again",
        "Milo pays 2 gifts to roll again",
    ]
    rolled = {"event": "dice_rolled", "dice": "RBOW"}
    assert dice_told(rolled) == ["The dice show red, blue, orange, white"]
    shaded = {"event": "area_shaded", "player": 1, "area": "c4u", "color": "R", "by": "die"}
    assert dice_told(shaded) == ["Milo shades the red area in c4"]


def test_an_undo_is_told_in_words_that_all_games_share() -> None:
    undone = {"event": "undone", "to": 4}
    told_in = {language: told(undone, language=language) for language in ("en", "fr", "it")}
    assert told_in["en"] == ["The last move is taken back"]
    assert len({sentence for (sentence,) in told_in.values()}) == 3
