"""The calls of a streamed reply, kept apart and put together whatever the provider sends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    ActionCallMessageContent,
    DeltaContent,
    DeltaMessage,
    Message,
    ReasoningDeltaMessageContent,
    StreamedReply,
    TextDeltaMessageContent,
)


def streamed(*pieces: DeltaContent) -> Message:
    return Message.from_deltas([DeltaMessage(piece) for piece in pieces])


def test_the_pieces_of_a_call_are_joined_whatever_comes_first() -> None:
    message = streamed(
        ActionCallDeltaMessageContent(1, arguments='{"foo":'),
        ActionCallDeltaMessageContent(1, id="c1", native="Mock_test"),
        ActionCallDeltaMessageContent(1, arguments=""),
        ActionCallDeltaMessageContent(1, id="c1", arguments='"bar"}'),
    )

    assert message.calls == [ActionCallMessageContent("c1", "Mock_test", '{"foo":"bar"}')]


def test_parallel_calls_whose_pieces_alternate_stay_apart() -> None:
    message = streamed(
        ActionCallDeltaMessageContent(0, "c0", "A_a", "{"),
        ActionCallDeltaMessageContent(1, "c1", "B_b", "["),
        ActionCallDeltaMessageContent(0, arguments="}"),
        ActionCallDeltaMessageContent(1, arguments="]"),
    )

    assert [call.arguments for call in message.calls] == ["{}", "[]"]


#: A piece of a call: index, id, name, arguments.
Piece = tuple[int | None, str, str, str]

ONE, TWO = ("a", "Stock_count", '{"n": 1}'), ("b", "Stock_count", '{"n": 2}')


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([(0, *ONE), (0, *TWO)], [ONE, TWO]),
        (
            [
                (0, "a", "Stock_count", ""),
                (0, "", "", '{"n": 1}'),
                (0, "b", "Stock_count", ""),
                (0, "", "", '{"n": 2}'),
            ],
            [ONE, TWO],
        ),
        (
            [
                (0, "a", "Stock_count", '{"n":'),
                (0, "b", "Stock_count", '{"n":'),
                (0, "a", "", " 1}"),
                (0, "b", "", " 2}"),
            ],
            [ONE, TWO],
        ),
        (
            [
                (None, "a", "Stock_count", '{"n":'),
                (None, "", "", " 1}"),
                (None, "b", "Stock_count", ""),
                (None, "b", "", '{"n": 2}'),
            ],
            [ONE, TWO],
        ),
        (
            [
                (None, "a", "Stock_count", '{"n":'),
                (None, "b", "Stock_count", '{"n":'),
                (None, "a", "", " 1}"),
                (None, "b", "", " 2}"),
            ],
            [ONE, TWO],
        ),
        (
            [(None, "", "Stock_count", '{"n": 1}'), (None, "", "Stock_count", '{"n": 2}')],
            [("", *ONE[1:]), ("", *TWO[1:])],
        ),
        (
            [
                (0, "", "Stock_count", ""),
                (0, "", "", '{"n": 1}'),
                (0, "", "Stock_count", ""),
                (0, "", "", '{"n":'),
                (0, "", "", " 2}"),
            ],
            [("", *ONE[1:]), ("", *TWO[1:])],
        ),
        (
            [(0, "", "Stock_count", '{"n": '), (0, "", "Clock_now", "{}")],
            [("", "Stock_count", '{"n": '), ("", "Clock_now", "{}")],
        ),
        (
            [(0, "", "Clock_now", ""), (0, "", "Stock_count", '{"n": 1}')],
            [("", "Clock_now", ""), ("", *ONE[1:])],
        ),
        ([(0, "a", "Clock_now", ""), (0, "b", "Clock_now", "")], None),
        ([(0, *ONE), (1, "a", *TWO[1:])], [ONE, ("a", *TWO[1:])]),
        ([(0, *ONE), (0, "a", *TWO[1:])], [ONE, ("a", *TWO[1:])]),
        ([(None, *ONE), (None, "a", *TWO[1:])], [ONE, ("a", *TWO[1:])]),
        ([(0, "", *ONE[1:]), (0, "b", "Stock_count", ""), (0, "", "", '{"n": 2}')], None),
        ([(0, "", *ONE[1:]), (0, "b", "", '{"n": 2}')], None),
        ([(5, *ONE), (3, *TWO)], [ONE, TWO]),
        ([(0, *ONE), (1, "a", "", '{"n": 2}')], [ONE, ("a", "", '{"n": 2}')]),
        ([(0, *ONE), (0, "a", "", '{"n": 2}')], [ONE, ("a", "", '{"n": 2}')]),
    ],
    ids=[
        "one index, whole calls",
        "one index, in pieces",
        "one index, pieces that alternate",
        "no index, in pieces",
        "no index, pieces that alternate",
        "neither index nor id, whole calls",
        "one index, no id, in pieces",
        "another name before the arguments were whole",
        "another name before any arguments",
        "no arguments at all",
        "one id at two indices",
        "one id at one index",
        "one id without index",
        "a new id behind a whole call without one",
        "a new id with arguments behind a whole call",
        "indices out of order",
        "one id at two indices, the second without a name",
        "one id at one index, the second without a name",
    ],
)
def test_different_calls_are_kept_apart(
    pieces: list[Piece], expected: list[tuple[str, str, str]] | None
) -> None:
    message = streamed(*(ActionCallDeltaMessageContent(*piece) for piece in pieces))

    found = [(call.id, call.native, call.arguments) for call in message.calls]
    assert len(found) == 2
    assert expected is None or found == expected


@pytest.mark.parametrize(
    "pieces",
    [
        [(0, "a", "Stock_count", '{"n":'), (0, "a", "Stock_count", " 1}")],
        [(0, "a", "Stock_count", '{"n":'), (0, "", "Stock_count", " 1}")],
        [(0, "", "Stock_count", '{"n": 1}'), (0, "a", "", "")],
        [(0, "", "Stock_count", '{"n":'), (0, "a", "Stock_count", " 1}")],
        [(0, "a", "Stock_count", '{"n": 1}'), (0, "", "Stock_count", "")],
        [(0, "a", "Stock_count", '{"n": 1}'), (0, "a", "Stock_count", "")],
        [(0, "a", "", '{"n":'), (0, "", "", " 1}"), (0, "", "Stock_count", "")],
        [(None, "", "", '{"n": 1}'), (None, "a", "Stock_count", "")],
        [(None, "a", "Stock_count", ""), (0, "", "", '{"n":'), (0, "", "", " 1}")],
        [(0, "a", "Stock_count", '{"n":'), (None, "", "", " 1}")],
        [(0, "a", "Stock_count", '{"n":'), (1, "a", "", " 1}")],
        [(0, "a", "Stock", ""), (0, "a", "Stock_count", '{"n": 1}')],
        [(0, "", "Stock", ""), (0, "a", "Stock_count", '{"n": 1}')],
        [(0, "a", "Stock", ""), (0, "", "_count", '{"n": 1}')],
        [(0, "a", "Stock", '{"n":'), (0, "", "_count", " 1}")],
        [(0, "a", "Stock_count", ""), (0, "b", "", '{"n":'), (0, "b", "", " 1}")],
        [(0, "a", "Stock_count", '{"n":'), (0, "b", "", " "), (0, "c", "", "1}")],
        [(None, "a", "Stock_count", '{"n":'), (None, "b", "", " 1}")],
        [(0, "a", "Stock_count", ""), (1, "", "", '{"n":'), (2, "", "", " 1}")],
        [(0, *ONE), (0, *ONE)],
        [(0, "a", "Stock_count", ""), (0, "", "", '{"n":'), (0, "", "", " 1}"), (0, *ONE)],
        [(0, *ONE), (0, "", "", '{"n": 1}')],
        [(0, *ONE), (0, "a", "", '{"n": 1}\n')],
        [(0, "a", "Stock_count", '{"n'), (0, "", "", '{"n": '), (0, "", "", '{"n": 1}')],
        [(0, "a", "Stock_count", "{}"), (0, "", "", '{"n":'), (0, "", "", " 1}")],
        [(0, "a", "Stock_count", ""), (0, "", "", ""), (0, "", "", '{"n": 1}'), (0, "", "", "")],
    ],
    ids=[
        "id and name in each piece",
        "the name in each piece",
        "the id late",
        "the id late, the name twice",
        "the name again at the end",
        "id and name again at the end",
        "the name last",
        "the arguments first, no index",
        "the index late",
        "the index once",
        "the index wrong behind the first piece",
        "the name growing, under one id",
        "the name growing, the id late",
        "the name in pieces",
        "name and arguments cut at once",
        "another id behind the first piece",
        "another id in each piece",
        "another id, no index",
        "the index counted up",
        "the call twice",
        "the call again behind its pieces",
        "the arguments twice",
        "the arguments twice, with the id",
        "what came before in each piece",
        "an empty object first",
        "empty pieces between",
    ],
)
def test_the_pieces_of_one_call_stay_together(pieces: list[Piece]) -> None:
    message = streamed(*(ActionCallDeltaMessageContent(*piece) for piece in pieces))

    assert message.calls == [ActionCallMessageContent(*ONE)]


@pytest.mark.parametrize(
    "pieces",
    [
        [(0, "a", "Stock", ""), (0, "", "_count", ""), (0, "", "", '{"n": 1}')],
        [(0, "a", "Stock", ""), (0, "a", "_count", '{"n": 1}')],
        [(None, "a", "Sto", ""), (None, "", "ck_", ""), (None, "", "count", '{"n": 1}')],
        [(0, "", "Stock_", ""), (0, "a", "count", '{"n": 1}')],
    ],
    ids=["the id once", "the id in each piece", "no index", "the id late"],
)
def test_a_name_in_pieces_is_joined_where_it_is_one_on_offer(pieces: list[Piece]) -> None:
    reply = StreamedReply(["Stock_count", "Stock_site"])
    for piece in pieces:
        reply.add(DeltaMessage(ActionCallDeltaMessageContent(*piece)))

    assert reply.message().calls == [ActionCallMessageContent(*ONE)]


def test_a_name_on_offer_sets_right_one_that_is_not() -> None:
    reply = StreamedReply(["Stock_count"])
    for piece in ((0, "a", "Wrong", ""), (0, "", "Stock_count", '{"n": 1}')):
        reply.add(DeltaMessage(ActionCallDeltaMessageContent(*piece)))

    assert reply.message().calls == [ActionCallMessageContent(*ONE)]


@pytest.mark.parametrize(
    ("pieces", "names"),
    [
        ([(0, "", "Stock", ""), (0, "", "_count", "{}")], ["Stock", "_count"]),
        ([(0, "a", "get", ""), (0, "b", "_all", "{}")], ["get", "_all"]),
        ([(0, "", "get", ""), (0, "", "site", "{}")], ["get", "site"]),
        ([(0, "", "get", "{}"), (0, "", "_all", "{}")], ["get", "_all"]),
    ],
    ids=["no such name", "another id", "a name by itself", "behind arguments"],
)
def test_names_that_make_up_none_on_offer_are_those_of_two_calls(
    pieces: list[Piece], names: list[str]
) -> None:
    reply = StreamedReply(["get_all", "getsite", "site"])
    for piece in pieces:
        reply.add(DeltaMessage(ActionCallDeltaMessageContent(*piece)))

    assert [call.native for call in reply.message().calls] == names


@pytest.mark.parametrize(
    "text",
    [
        '{"n": "}"}',
        r'{"n": "\\"}',
        r'{"n": "\"}{"}',
        '{"n": {"m": [1, {}]}}',
        '{"n": "Stock_count"}',
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_name_in_each_piece_parts_no_call_whatever_its_texts_hold(text: str, size: int) -> None:
    parts = [text[start : start + size] for start in range(0, len(text), size)]

    message = streamed(
        *(ActionCallDeltaMessageContent(None, "", "Stock_count", part) for part in parts)
    )

    assert [call.arguments for call in message.calls] == [text]


def test_what_follows_a_whole_call_without_a_name_stays_with_it() -> None:
    message = streamed(
        ActionCallDeltaMessageContent(0, "a", "Stock_count", '{"n": 1}'),
        ActionCallDeltaMessageContent(0, arguments='{"n": 2}'),
    )

    assert [call.arguments for call in message.calls] == ['{"n": 1}{"n": 2}']


@pytest.mark.parametrize(
    "parts",
    [
        ['{"n": "before ', "{}", ' after"}'],
        ['{"n": "', "x", "x", '"}'],
        ['{"n": ', '{"n": 1}', "}"],
        ['{"n"', '{"n": 1}{"n": 2}'],
    ],
    ids=["an object within a text", "equal pieces", "a name within itself", "no JSON in any way"],
)
def test_pieces_that_only_look_like_ones_said_again_are_joined(parts: list[str]) -> None:
    message = streamed(
        ActionCallDeltaMessageContent(0, "a", "Stock_count"),
        *(ActionCallDeltaMessageContent(0, arguments=part) for part in parts),
    )

    assert [call.arguments for call in message.calls] == ["".join(parts)]


def test_two_calls_without_ids_may_be_alike() -> None:
    pieces = [ActionCallDeltaMessageContent(0, "", *ONE[1:])] * 2

    assert [call.arguments for call in streamed(*pieces).calls] == [ONE[2]] * 2


def test_a_character_that_was_cut_in_two_is_one_again() -> None:
    message = streamed(
        TextDeltaMessageContent("a\ud83d"),
        TextDeltaMessageContent("\ude00\ud83d"),
        ReasoningDeltaMessageContent("\ud83d"),
        ReasoningDeltaMessageContent("\ude00"),
        ActionCallDeltaMessageContent(0, "a", "Stock_count", '{"n": "\ud83d'),
        ActionCallDeltaMessageContent(0, arguments='\ude00"}'),
    )

    assert (message.to_text(), message.reasoning) == ("a\U0001f600\ud83d", "\U0001f600")
    assert message.calls[0].arguments == '{"n": "\U0001f600"}'


def test_a_call_of_which_nothing_came_is_left_out() -> None:
    assert streamed(ActionCallDeltaMessageContent(0), ActionCallDeltaMessageContent()).calls == []


def test_a_call_in_a_hundred_thousand_pieces_with_a_name_each_is_put_together() -> None:
    pieces = [ActionCallDeltaMessageContent(0, native="Stock_count", arguments="{")] * 100_000

    message = streamed(*pieces)

    assert len(message.calls[0].arguments) == 100_000


def test_a_piece_comes_back_with_the_number_of_its_call() -> None:
    reply = StreamedReply()
    pieces = [(None, *ONE), (None, *TWO), (None, "a", "", " ")]

    placed = [reply.add(DeltaMessage(ActionCallDeltaMessageContent(*one))) for one in pieces]

    assert [one.content.index for one in placed if one.content] == [0, 1, 0]
    assert streamed(*(one.content for one in placed if one.content)) == reply.message()


pieces_of_calls = st.lists(
    st.tuples(
        st.sampled_from([None, 0, 1]),
        st.sampled_from(["", "a", "b"]),
        st.sampled_from(["", "X", "Y"]),
        st.sampled_from(["", "{", "}", '"', "\\", " "]),  # no whole object, to be said again
    ),
    max_size=12,
)


@given(pieces_of_calls)
def test_no_piece_of_a_call_is_lost_whatever_comes(pieces: list[Piece]) -> None:
    message = streamed(*(ActionCallDeltaMessageContent(*piece) for piece in pieces))

    arrived = sorted("".join(piece[3] for piece in pieces))
    assert sorted("".join(call.arguments for call in message.calls)) == arrived
    ids = {call.id for call in message.calls if call.id}
    assert {piece[1] for piece in pieces if piece[1] and piece[2]} <= ids
    assert ids <= {piece[1] for piece in pieces}


def test_a_call_without_id_or_with_broken_arguments_is_kept_as_it_is() -> None:
    message = streamed(ActionCallDeltaMessageContent(0, native="A_a", arguments='{"x": '))

    assert message.calls == [ActionCallMessageContent("", "A_a", '{"x": ')]
