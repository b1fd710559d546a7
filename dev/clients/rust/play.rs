//! Plays a solo deal with the generated client against the server of the first argument, and reads an answer of the
//! future (the second, a file).

use dodooni::apis::configuration::Configuration;
use dodooni::apis::{matches_api, play_api, players_api};
use dodooni::models::{MatchSetup, MatchStatus, MatchUpdate, NewGuest, SeatSetup, SeatSetups, TokenRequest};
use serde_json::json;

fn play(server: &str) {
    let mut client = Configuration { base_path: server.to_string(), ..Configuration::new() };
    let guest = NewGuest { name: Some("Ila".to_string()), ..NewGuest::new() };
    let first = players_api::create_player(&client, Some(guest)).unwrap().tokens;
    let renewal = TokenRequest {
        refresh_token: Some(first.refresh_token),
        ..TokenRequest::new("refresh".to_string(), "a-nonce-of-this-app".to_string())
    };
    client.bearer_access_token = Some(players_api::create_tokens(&client, renewal).unwrap().tokens.access_token);

    let seat = |kind: &str| Some(Box::new(SeatSetup::new(kind.to_string())));
    let seats = SeatSetups { north: seat("human"), east: seat("bot"), south: seat("bot"), west: seat("bot") };
    let setup = MatchSetup { deals: Some(1), seats: Some(Box::new(seats)), ..MatchSetup::new() };
    let mut update = matches_api::create_match(&client, None, Some(setup)).unwrap();
    let mut plays = 0;
    loop {
        plays += update.events.iter().filter(|event| event.r#type == "play").count();
        let view = update.r#match;
        if view.status != MatchStatus::Playing {
            println!("{}", json!({"status": view.status, "scores": view.result.unwrap().scores, "plays": plays}));
            return;
        }
        let next = view.you.unwrap().legal_moves.swap_remove(0);
        update = play_api::make_move(&client, &view.id, view.next_move, next).unwrap();
    }
}

fn read(file: &str) {
    let update: MatchUpdate = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let seats: Vec<_> = update.r#match.seats.iter().map(|seat| &seat.r#type).collect();
    let types: Vec<_> = update.events.iter().map(|event| &event.r#type).collect();
    let cards: Vec<_> = update.events.iter().map(|event| &event.card).collect();
    println!("{}", json!({"seats": seats, "types": types, "cards": cards}));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    play(&arguments[1]);
    read(&arguments[2]);
}
