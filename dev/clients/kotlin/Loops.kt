// The guide's loops, on roads that are made up: nothing is sent.
import dodooni.apis.DealsApi
import dodooni.apis.MatchesApi
import dodooni.apis.PlayApi
import dodooni.apis.PlayersApi
import dodooni.apis.SeatsApi
import dodooni.infrastructure.Serializer.kotlinxSerializationJson as json
import dodooni.models.DealRecord
import dodooni.models.Event
import dodooni.models.EventPage
import dodooni.models.MatchStatus
import dodooni.models.MatchUpdate
import dodooni.models.MatchView
import dodooni.models.Move
import dodooni.models.SignIn
import dodooni.models.TokenRequest
import dodooni.models.Turns
import java.io.IOException
import java.lang.reflect.Proxy
import java.time.ZoneOffset
import java.time.ZonedDateTime
import java.time.format.DateTimeFormatter
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import okhttp3.Headers
import retrofit2.Response

const val LIMITED = """{"type":"","title":"","status":429,"detail":"","code":"rate_limited",
    "params":{"retry_after_seconds":3600},"request_id":""}"""

/** An API whose every operation is answered by `answer`, from its name and arguments. */
inline fun <reified T> api(noinline answer: (String, Array<Any?>) -> Any = { name, _ -> TODO(name) }): T =
    Proxy.newProxyInstance(T::class.java.classLoader, arrayOf(T::class.java)) { _, method, arguments ->
        answer(method.name, arguments).let { it as? Response<*> ?: Response(200, Headers(emptyMap()), it, null) }
    } as T

val SIGN_IN = json.decodeFromString(
    SignIn.serializer(),
    """{"player":{"id":"p","created_at":"2026-01-01T00:00:00Z"},
    "tokens":{"access_token":"a","token_type":"Bearer","expires_in":900,"refresh_token":"new"}}""",
)

fun refusal(status: Int, code: String, wait: String = "0"): Response<Any> {
    val problem = """{"type":"","title":"","status":$status,"detail":"","code":"$code","params":{},"request_id":""}"""
    return Response(status, Headers(mapOf("Retry-After" to wait, "Content-Type" to "application/problem+json")), null, problem)
}

val tokens: PlayersApi = api { _, _ -> SIGN_IN }

fun apis(
    players: PlayersApi = tokens,
    matches: MatchesApi = api(),
    seats: SeatsApi = api(),
    play: PlayApi = api(),
    deals: DealsApi = api(),
) = Apis(players, matches, seats, play, deals)

fun session(apis: Apis): Session = Session(apis, SignedIn("stored"), {}, {})

/** An app that keeps a table as text, and notes what it shows. */
open class Phone(private val choices: Int = 0) : App {
    var stored = ""
    val lines = mutableListOf<String>()
    private var chosen = 0

    override suspend fun keep(table: Table) {
        stored = json.encodeToString(Table.serializer(), table)
    }

    override suspend fun show(line: String) {
        lines.add(line)
    }

    override suspend fun choose(view: MatchView): Move? = view.you?.legalMoves?.first().takeIf { chosen++ < choices }

    fun table(): Table = json.decodeFromString(Table.serializer(), stored)
}

/** A table at which others play two cards before every answer, in pages of three, until there were forty. My seat is away
 * at first, and no turn comes to me until I have taken it again. */
fun watched(update: MatchUpdate): JsonElement {
    var version = 10
    var sat = 0
    fun event(at: Int): Event = update.events.first().copy(version = at, type = "call", number = at)
    fun view(): MatchView = update.match.copy(
        version = version,
        pollAfterSeconds = 0.0,
        seats = update.match.seats.map { it.copy(away = it.seat == update.match.you?.seat && sat == 0) },
        you = update.match.you?.let { it.copy(legalMoves = if (version < 40 || sat == 0) emptyList() else it.legalMoves) },
    )
    fun <T> later(answer: () -> T): T {
        version = minOf(version + 2, 40)
        return answer()
    }
    val play = api<PlayApi> { _, arguments ->
        later {
            val after = arguments[1] as Int
            val items = (after + 1..minOf(after + 3, version)).map(::event)
            val last = after + items.size
            val news = if (items.isEmpty()) null else view()
            EventPage(items = items, version = last, more = last < version, pollAfterSeconds = 0.0, match = news)
        }
    }
    val seats = api<SeatsApi> { _, _ ->
        later {
            sat += 1
            MatchUpdate(view(), listOf(event(version)))
        }
    }
    val table = Table(view(), 4)
    val phone = Phone()
    runBlocking {
        animate(table, listOf(4, 5, 5, 6, 9).map(::event), phone)
        follow(session(apis(seats = seats, play = play)), table, phone, Channel(Channel.CONFLATED))
    }
    val told = buildJsonArray { phone.lines.forEach { add(it.substringAfterLast(" ").toInt()) } }
    return buildJsonObject {
        put("told", told)
        put("shown", table.shown)
        put("drawn", table.view.version)
        put("sat", sat)
    }
}

/** What an answer comes to, and after how many attempts. */
fun inVain(): JsonElement {
    val html = Headers(mapOf("Retry-After" to "0", "Content-Type" to "text/html"))
    var tried = 0
    val answers = mapOf<String, () -> Response<Any>>(
        "lost" to { if (++tried < ATTEMPTS) refusal(503, "try_again") else throw IOException("lost") },
        "fault" to { refusal(500, "internal_error") },
        "bad_gateway" to { Response(502, html, null, "<!doctype html>") },
        "gateway_timeout" to { refusal(504, "none") },
        "portal" to { throw SerializationException("<!doctype html>") },
        "blocked" to { Response(403, html, null, "<!doctype html>") },
        "late" to { Response(429, Headers(mapOf("Retry-After" to "3600", "Content-Type" to "application/problem+json")), null, LIMITED) },
        "refused" to { refusal(404, "match_not_found") },
    )
    return buildJsonObject {
        for ((name, answer) in answers) {
            var sent = 0
            val told = runBlocking {
                try {
                    answered(settle { sent += 1; answer() }).toString()
                } catch (refused: Refused) {
                    say(refused.problem)
                } catch (unsettled: Unsettled) {
                    "unsettled"
                }
            }
            put(name, "$sent $told")
        }
        val hourAhead = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plusHours(1))
        runBlocking { settle { Response(204, Headers(mapOf("Date" to hourAhead)), Unit, null) } }
        put("ahead", skew.toMinutes() in 59..60)
    }
}

/** A cold start, a lost connection in a refresh and a restart: with which nonces it is sent. Then a 401, and one at the door. */
fun signedIn(): JsonElement {
    val nonces = mutableListOf<String>()
    val stored = mutableListOf(SignedIn("old"))
    var online = false
    var revoked = false
    val players = api<PlayersApi> { _, arguments ->
        nonces.add((arguments[0] as TokenRequest).clientNonce)
        if (!online) Response<Any>(504, Headers(mapOf("Retry-After" to "0")), null, "") else if (revoked) refusal(401, "session_revoked") else SIGN_IN
    }
    var expired = 0
    val matches = api<MatchesApi> { _, _ -> if (expired-- > 0) refusal(401, "token_expired") else Turns(0, emptyList(), emptyList()) }
    fun started() = Session(apis(players, matches), stored.last(), { stored.add(it) }, {})
    fun ask(session: Session): String = runBlocking {
        try {
            session.ask { this.matches.listTurns() }.count.toString()
        } catch (lost: Unsettled) {
            "unsettled"
        } catch (out: SignedOut) {
            "signed out"
        }
    }
    val told = mutableListOf(ask(started()))
    online = true
    val session = started()
    told.add(ask(session))
    val first = nonces.toSet().size
    expired = 1
    told.add(ask(session))
    val refreshes = nonces.size
    expired = 1
    revoked = true
    told.add(ask(session))
    return buildJsonObject {
        put("told", JsonPrimitive(told.joinToString()))
        put("first", first)
        put("refreshes", refreshes)
        put("left", stored.first { it.refreshToken == SIGN_IN.tokens.refreshToken }.clientNonce != null)
    }
}

/** A move without an answer is kept, and sent first after a restart; what has not changed is a 304; an app is stopped and woken. */
fun restarted(update: MatchUpdate): JsonElement {
    val moves = mutableListOf<String>()
    var online = false
    var looks = 0
    val phone = Phone(choices = 1)
    val you = requireNotNull(update.match.you)
    val mine = update.match.copy(status = MatchStatus.playing, seats = update.match.seats.map { it.copy(away = false) })
    val theirs = mine.copy(you = you.copy(legalMoves = emptyList()), pollAfterSeconds = 3600.0)
    val play = api<PlayApi> { name, arguments ->
        if (name == "listEvents") {
            looks += 1
            EventPage(items = emptyList(), version = mine.version, more = false, pollAfterSeconds = 3600.0)
        } else {
            moves.add("${arguments[1]} ${arguments[2]}")
            if (online) MatchUpdate(theirs, emptyList()) else refusal(503, "try_again")
        }
    }
    val matches = api<MatchesApi> { _, arguments ->
        if (arguments[2] == "e") Response<Any>(304, Headers(emptyMap()), null, null) else Response<Any>(200, Headers(mapOf("ETag" to "e")), mine, null)
    }
    val session = session(apis(matches = matches, play = play))
    return runBlocking {
        val lost = runCatching { playOn(session, Table(mine, mine.version), phone) }.exceptionOrNull()
        val attempts = moves.size
        online = true
        val again = open(session, mine.id, phone.table())
        val unchanged = open(session, mine.id, again) === again
        val wake = Channel<Unit>(Channel.CONFLATED)
        val job = launch { playOn(session, again, phone, wake) }
        while (moves.size == attempts) delay(1)
        val before = looks
        while (looks == before) {
            wake.send(Unit)
            delay(1)
        }
        job.cancelAndJoin()
        buildJsonObject {
            put("unsettled", lost is Unsettled)
            put("attempts", attempts)
            put("sent", moves.size)
            put("same", moves.toSet().size == 1)
            put("left", phone.table().pending == null)
            put("unchanged", unchanged)
            put("before", before)
        }
    }
}

/** A recorded deal, checked against what was noted, and against what was not. */
fun checked(update: MatchUpdate, deal: DealRecord): JsonElement {
    val own = requireNotNull(update.match.you).copy(seat = deal.seats.first().seat)
    val seed = deal.seats.first().clientSeed
    val commitments = List(deal.dealNumber) { deal.commitment }
    fun failed(noted: Noted, shown: DealRecord = deal) = runBlocking {
        val table = Table(update.match.copy(you = own), 0, noted = noted)
        unfair(session(apis(deals = api { _, _ -> shown })), table, deal.dealNumber).joinToString()
    }
    val swapped = deal.copy(seats = deal.seats.map { it.copy(hand = deal.seats.last().hand) })
    return buildJsonObject {
        put("fair", failed(Noted(commitments, seed)))
        put("other", failed(Noted(List(deal.dealNumber) { "f".repeat(64) }, "beef")))
        put("hands", failed(Noted(commitments, seed), swapped))
    }
}
