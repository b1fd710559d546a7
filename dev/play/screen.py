"""The table in plain text, from my view and from the events."""

from __future__ import annotations

from typing import Any

from dev.play.words import NAMES, SYMBOLS, card, cards_by_suit, in_order, move_text

Json = dict[str, Any]


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
            return f"    {seat} bank{s} the pile: {_tricks_of(event['tricks'])} for {event['side']}"
        case "deal_scored":
            return _scored(event["result"])
        case "match_finished":
            return "— the match is over —"
    return None


def _tricks_of(number: int) -> str:
    return "1 trick" if number == 1 else f"{number} tricks"


def final(match: Json) -> str:
    """How it ended."""
    scores, side = match["scores"], _side(match["you"]["seat"])
    mine, theirs = scores[side], scores["ew" if side == "ns" else "ns"]
    verdict = "You win" if mine > theirs else "You lose" if mine < theirs else "A draw"
    return f"\n{verdict}: you {mine}, they {theirs}."


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


def _side(seat: str) -> str:
    return "ns" if seat in ("north", "south") else "ew"
