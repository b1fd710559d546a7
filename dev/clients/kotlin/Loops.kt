// The guide's loops, on roads that are made up: nothing is sent.
import dodooni.apis.PlayApi
import dodooni.apis.SeatsApi
import dodooni.models.Event
import dodooni.models.EventPage
import dodooni.models.MatchUpdate
import dodooni.models.MatchView
import java.io.IOException
import java.lang.reflect.Proxy
import kotlinx.coroutines.runBlocking
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
inline fun <reified T> api(noinline answer: (String, Array<Any?>) -> Any): T =
    Proxy.newProxyInstance(T::class.java.classLoader, arrayOf(T::class.java)) { _, method, arguments ->
        Response(200, Headers(emptyMap()), answer(method.name, arguments), null)
    } as T

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
    val told = buildJsonArray {
        runBlocking {
            animate(table, listOf(4, 5, 5, 6, 9).map(::event)) { add(it.substringAfterLast(" ").toInt()) }
            follow(play, seats, table) { add(it.substringAfterLast(" ").toInt()) }
        }
    }
    return buildJsonObject {
        put("told", told)
        put("shown", table.shown)
        put("drawn", table.view.version)
        put("sat", sat)
    }
}

/** How often a request is sent in vain: to a server that is out of order, on no road at all, and too often for an hour. */
fun inVain(): JsonElement {
    val problem = """{"type":"","title":"","status":500,"detail":"","code":"internal_error","params":{},"request_id":""}"""
    var (sent, tried) = 0 to 0
    val outcome = runBlocking {
        settle<Unit> {
            sent += 1
            Response(500, Headers(mapOf("Retry-After" to "0")), null, problem)
        }
    }
    val lost = try {
        runBlocking {
            settle<Unit> {
                tried += 1
                if (tried < ATTEMPTS) Response(503, Headers(mapOf("Retry-After" to "0")), null, problem) else throw IOException("lost")
            }
        }
        null
    } catch (given: IOException) {
        given.message
    }
    var asked = 0
    val limited = runBlocking {
        settle<Unit> {
            asked += 1
            Response(429, Headers(mapOf("Retry-After" to "3600")), null, LIMITED)
        }
    }
    return buildJsonObject {
        put("asked", asked)
        put("said", JsonPrimitive((limited as? Refused)?.let { say(it.problem) }))
        put("sent", sent)
        put("code", JsonPrimitive((outcome as? Refused)?.problem?.code))
        put("tried", tried)
        put("lost", lost)
    }
}
