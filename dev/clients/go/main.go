// Plays a solo deal with the generated client against the server of the first argument, and reads an answer of the
// future (the second, a file).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example.org/do-dooni/dodooni"
)

func need[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func say(value any) {
	fmt.Println(string(need(json.Marshal(value))))
}

func play(server string) {
	configuration := dodooni.NewConfiguration()
	configuration.Servers = dodooni.ServerConfigurations{{URL: server}}
	client := dodooni.NewAPIClient(configuration)
	ctx := context.Background()

	guest := dodooni.NewNewGuest()
	guest.SetName("Ila")
	signIn, _, err := client.PlayersAPI.CreatePlayer(ctx).NewGuest(*guest).Execute()
	need(signIn, err)

	renewal := dodooni.NewTokenRequest("refresh", "a-nonce-of-this-app")
	renewal.SetRefreshToken(signIn.Tokens.RefreshToken)
	signIn, _, err = client.PlayersAPI.CreateTokens(ctx).TokenRequest(*renewal).Execute()
	need(signIn, err)
	ctx = context.WithValue(ctx, dodooni.ContextAccessToken, signIn.Tokens.AccessToken)

	setup := dodooni.NewMatchSetup()
	setup.SetDeals(1)
	setup.SetSeats(dodooni.SeatSetups{
		North: dodooni.NewSeatSetup("human"),
		East:  dodooni.NewSeatSetup("bot"),
		South: dodooni.NewSeatSetup("bot"),
		West:  dodooni.NewSeatSetup("bot"),
	})
	update, _, err := client.MatchesAPI.CreateMatch(ctx).MatchSetup(*setup).Execute()
	need(update, err)
	plays := 0
	for {
		for _, event := range update.Events {
			if event.Type == "play" {
				plays++
			}
		}
		match := update.Match
		if match.Status != dodooni.PLAYING {
			say(map[string]any{"status": match.Status, "scores": match.Result.Scores, "plays": plays})
			return
		}
		move := match.You.LegalMoves[0]
		update, _, err = client.PlayAPI.MakeMove(ctx, match.Id, match.NextMove).Move(move).Execute()
		need(update, err)
	}
}

func read(file string) {
	var update dodooni.MatchUpdate
	if err := json.Unmarshal(need(os.ReadFile(file)), &update); err != nil {
		panic(err)
	}
	var seats, types []string
	var cards []*string
	for _, seat := range update.Match.Seats {
		seats = append(seats, seat.Type)
	}
	for _, event := range update.Events {
		types, cards = append(types, event.Type), append(cards, event.Card)
	}
	say(map[string]any{"seats": seats, "types": types, "cards": cards})
}

func main() {
	play(os.Args[1])
	read(os.Args[2])
}
