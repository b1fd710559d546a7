import dodooni.ApiClient;
import dodooni.api.MatchesApi;
import dodooni.api.PlayApi;
import dodooni.api.PlayersApi;
import dodooni.model.Event;
import dodooni.model.MatchSetup;
import dodooni.model.MatchStatus;
import dodooni.model.MatchUpdate;
import dodooni.model.MatchView;
import dodooni.model.NewGuest;
import dodooni.model.SeatInfo;
import dodooni.model.SeatSetup;
import dodooni.model.SeatSetups;
import dodooni.model.TokenRequest;
import dodooni.model.Tokens;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Plays a solo deal with the generated client against the server of the first argument, and reads an answer of the
 * future (the second, a file). */
class Play {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        play(client);
        read(client, Path.of(arguments[1]));
    }

    private static void play(ApiClient client) throws Exception {
        PlayersApi players = new PlayersApi(client);
        Tokens first = players.createPlayer(new NewGuest().name("Ila")).getTokens();
        TokenRequest renewal = new TokenRequest().type("refresh").refreshToken(first.getRefreshToken());
        String token = players.createTokens(renewal.clientNonce("a-nonce-of-this-app")).getTokens().getAccessToken();
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

        SeatSetup bot = new SeatSetup().type("bot");
        SeatSetups seats = new SeatSetups().north(new SeatSetup().type("human")).east(bot).south(bot).west(bot);
        PlayApi play = new PlayApi(client);
        MatchUpdate update = new MatchesApi(client).createMatch(null, new MatchSetup().deals(1).seats(seats));
        long plays = plays(update);
        MatchView match = update.getMatch();
        while (match.getStatus() == MatchStatus.PLAYING) {
            update = play.makeMove(match.getId(), match.getNextMove(), match.getYou().getLegalMoves().get(0));
            plays += plays(update);
            match = update.getMatch();
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("status", match.getStatus());
        told.put("scores", match.getResult().getScores());
        told.put("plays", plays);
        System.out.println(client.getObjectMapper().writeValueAsString(told));
    }

    private static long plays(MatchUpdate update) {
        return update.getEvents().stream().filter(event -> event.getType().equals("play")).count();
    }

    private static void read(ApiClient client, Path file) throws Exception {
        MatchUpdate update = client.getObjectMapper().readValue(Files.readString(file), MatchUpdate.class);
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("seats", update.getMatch().getSeats().stream().map(SeatInfo::getType).collect(Collectors.toList()));
        told.put("types", update.getEvents().stream().map(Event::getType).collect(Collectors.toList()));
        told.put("cards", update.getEvents().stream().map(Event::getCard).collect(Collectors.toList()));
        System.out.println(client.getObjectMapper().writeValueAsString(told));
    }
}
