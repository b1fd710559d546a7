// Reads recorded answers with the generated models and the guide's code. The argument is a file:
// {"answers": [{"schema": …, "value": …}], "future": a MatchUpdate of tomorrow, "deals": [a DealRecord, …]}. Prints what it read, as JSON, with what
// the guide's loops did (Loops.kt).
import dodooni.infrastructure.Serializer.kotlinxSerializationJson as json
import dodooni.models.DealRecord
import dodooni.models.MatchSetup
import dodooni.models.MatchUpdate
import java.io.File
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.serializer

/** The value as the model has it, written again. */
fun again(schema: String, value: JsonElement): JsonElement {
    val model = serializer(Class.forName("dodooni.models.$schema"))
    return json.encodeToJsonElement(model, json.decodeFromJsonElement(model, value))
}

fun main(arguments: Array<String>) {
    configure()
    val recorded = json.parseToJsonElement(File(arguments[0]).readText()).jsonObject
    val update = json.decodeFromJsonElement(MatchUpdate.serializer(), recorded.getValue("future"))
    val deals = recorded.getValue("deals").jsonArray.map { json.decodeFromJsonElement(DealRecord.serializer(), it) }
    val told = buildJsonObject {
        val answers = recorded.getValue("answers").jsonArray.map { it.jsonObject }
        put("answers", JsonArray(answers.map { again(it.getValue("schema").jsonPrimitive.content, it.getValue("value")) }))
        put("seats", JsonArray(update.match.seats.map { JsonPrimitive(it.type) }))
        put("told", JsonArray(update.events.map { JsonPrimitive(line(it)) }))
        put("playable", JsonArray(playableCards(update.match).map { JsonPrimitive(it) }))
        put("setup", json.encodeToJsonElement(MatchSetup.serializer(), MatchSetup(deals = 1, clientSeed = "c0ffee")))
        put("watched", watched(update))
        put("in_vain", inVain())
        put("signed_in", signedIn())
        put("restarted", restarted(update))
        put("checked", JsonArray(deals.map { checked(update, it) }))
    }
    println(told)
}
