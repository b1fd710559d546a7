"""The table in plain text, from my view and from the events; moves as people type them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

Json = dict[str, Any]
SUITS = "SHDC"
RANKS = "AKQJT98765432"
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}

Move = Json


def card(text: str) -> str:
    """`AS` as ♠A, `TH` as ♥10."""
    return SYMBOLS[text[1]] + text[0].replace("T", "10")


def cards_by_suit(hand: Iterable[str]) -> str:
    """A hand on one line, suit by suit, high to low."""
    held = list(hand)
    rows = []
    for suit in SUITS:
        ranks = sorted((text[0] for text in held if text[1] == suit), key=RANKS.index)
        rows.append(f"{SYMBOLS[suit]} {' '.join(ranks).replace('T', '10') or '-'}")
    return "   ".join(rows)


def in_order(moves: Iterable[Move]) -> list[Move]:
    """Cards as a hand is shown, suit by suit, high to low; other moves as they come."""
    place = {rank + suit: number for number, (suit, rank) in enumerate(itertools.product(SUITS, RANKS))}
    return sorted(moves, key=lambda move: place.get(move.get("card", ""), 0))


def move_text(move: Move) -> str:
    """What to type for a move."""
    return str(move.get("number") or move.get("suit") or move.get("card", "pass").replace("T", "10"))


def read_move(typed: str, legal: Sequence[Move]) -> Move | None:
    """The legal move that is meant, however it is typed: `8`, `p`, `hearts`, `AS`, `s a`, `♠10`; None: none of them."""
    text = "".join(typed.upper().split()).replace("10", "T")
    for symbol in SYMBOLS if len(text) == 2 else ():
        text = text.replace(SYMBOLS[symbol], symbol)
    for move in legal:
        match move:
            case {"type": "pass"}:
                meant = bool(text) and "PASS".startswith(text)
            case {"number": number}:
                meant = text == str(number).replace("10", "T")
            case {"suit": suit}:
                meant = bool(text) and (NAMES[suit].upper().startswith(text) or text == SYMBOLS[suit])
            case {"card": card}:
                meant = text in (card, card[::-1])
        if meant:
            return move
    return None


def table(match: Json) -> str:
    """All that I may see now: the score, the contract, the trick, the pile, my hand, my legal moves."""
    you = match["you"]
    lines = ["", _heading(match)]
    deal = match.get("deal")
    if deal:
        lines += [_auction(deal), _tricks(deal), _trick(match, deal)]
    lines.append(f"  your hand ({you['seat']}):  {cards_by_suit(you['hand'])}")
    if you["legal_moves"]:
        lines.append(f"  you may:  {'  '.join(move_text(move) for move in in_order(you['legal_moves']))}")
    return "\n".join(line for line in lines if line is not None)


def event_line(event: Json, me: str | None) -> str | None:
    """An event in words; None for one that says nothing by itself (or is newer than this client)."""
    seat = "you" if event.get("seat") == me else event.get("seat", "")
    s = "" if seat == "you" else "s"
    by = {"timeout": " (out of time)", "stand_in": " (stand-in)"}.get(event.get("actor", ""), "")
    match event["type"]:
        case "deal_started":
            return f"— a new deal: {'you open' if event['opener'] == me else event['opener'] + ' opens'} —"
        case "call":
            return f"  {seat} call{s} {event['number']}{by}"
        case "pass":
            return f"  {seat} pass{'es' if s else ''}{by}"
        case "ser":
            return f"  {seat} name{s} the ser: {SYMBOLS[event['suit']]} {NAMES[event['suit']]}{by}"
        case "play":
            return f"  {seat} play{s} {card(event['card'])}{by}"
        case "trick_won":
            return f"    trick {event['trick_number']} to {seat}"
        case "banked":
            tricks = "1 trick" if event["tricks"] == 1 else f"{event['tricks']} tricks"
            return f"    {seat} bank{s} the pile: {tricks} for {event['side']}"
        case "deal_scored":
            return _scored(event["result"])
        case "match_finished":
            return "— the match is over —"
    return None


def final(match: Json) -> str:
    """How it ended."""
    scores, side = match["scores"], "ns" if match["you"]["seat"] in ("north", "south") else "ew"
    mine, theirs = scores[side], scores["ew" if side == "ns" else "ns"]
    verdict = "You win" if mine > theirs else "You lose" if mine < theirs else "A draw"
    return f"\n{verdict}: you {mine}, they {theirs}."


def share(dealt: Json) -> str:
    """A finished set as a text to send on, which tells nobody a card: a sign a deal, by how it went against par."""
    day = f" of {dealt['day']}" if "day" in dealt else ""
    rank = f", rank {dealt['rank']}" if "rank" in dealt else ""
    code = f"\nBeat me: {dealt['code']}" if "code" in dealt else ""
    signs = "".join(map(_against_par, dealt["deals"]))
    return f"Do Dooni, {dealt['type']}{day}: {dealt['score']:+d}{rank}\n{signs}{code}"


def _against_par(deal: Json) -> str:
    if "par_points" not in deal:
        return "⬜"
    return "🟩" if deal["points"] > deal["par_points"] else "🟨" if deal["points"] == deal["par_points"] else "🟥"


def _heading(match: Json) -> str:
    deal, scores = match.get("deal") or {}, match["scores"]
    of = f"deal {deal.get('deal_number', '?')} of {match['rules']['deals']}"
    return f"=== {of} · score ns {scores['ns']}, ew {scores['ew']} " + "=" * 24


def _auction(deal: Json) -> str:
    calls = ", ".join(f"{call['seat']} {call.get('number', 'pass')}" for call in deal["calls"]) or "nobody has spoken"
    if "contract" not in deal:
        return f"  auction:  {calls}  ({deal['opener']} opens)"
    ser = f"{SYMBOLS[deal['ser']]} {NAMES[deal['ser']]}" if "ser" in deal else "not named yet"
    return f"  contract: {deal['declarer']} called {deal['contract']}, ser {ser}"


def _tricks(deal: Json) -> str:
    pile, banked = deal["pile"], deal["banked"]
    held = f"{pile['tricks']} on hold {'▪' * pile['tricks']}"
    run = f"; {pile['run_seat']} won the last, and banks it with the next" if "run_seat" in pile else ""
    return f"  banked:   ns {banked['ns']}, ew {banked['ew']}\n  pile:     {held}{run}"


def _trick(match: Json, deal: Json) -> str:
    plays = {play["seat"]: card(play["card"]) for play in (deal.get("trick") or {}).get("plays", [])}
    places = []
    for seat in match["seats"]:
        name = seat["seat"] + ("*" if seat["seat"] == deal.get("turn") else "")
        places.append(f"{name} {plays.get(seat['seat'], '·')}")
    return f"  trick:    {'    '.join(places)}"


def _scored(result: Json) -> str:
    contract = f"{result['side']} called {result['contract']}, banked {result['banked']}"
    return f"— {contract}: {'made it' if result['made'] else 'failed'}, {result['score']:+d} —"
