"""A light token as a number: `8 * player + face` (see `state`)."""

from lampion.core.compile import rule
from lampion.core.types import Player
from lampion.games.lumens.components import Face
from lampion.games.lumens.state import TOKEN_STRIDE


@rule(inline=True)
def token_of(player: Player, face: Face) -> int:
    return TOKEN_STRIDE * player + face


@rule(inline=True)
def token_owner(token: int) -> Player:
    return token // TOKEN_STRIDE


@rule(inline=True)
def token_face(token: int) -> Face:
    return token % TOKEN_STRIDE
