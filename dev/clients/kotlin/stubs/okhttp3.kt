// Only what the generated client and the guide name of OkHttp: its jars are on Maven, and from there nothing is fetched
// here. The client is compiled against these declarations; it cannot send with them.
package okhttp3

interface Call {
    interface Factory
}

fun interface Interceptor {
    fun intercept(chain: Chain): Response

    interface Chain {
        fun request(): Request

        fun proceed(request: Request): Response
    }
}

class Request {
    fun header(name: String): String? = TODO(name)

    fun newBuilder(): Builder = TODO()

    class Builder {
        fun addHeader(name: String, value: String): Builder = TODO("$name: $value")

        fun build(): Request = TODO()
    }
}

class Response

class Headers(private val named: Map<String, String>) {
    operator fun get(name: String): String? = named[name]
}

abstract class RequestBody

abstract class ResponseBody {
    abstract fun string(): String
}

class MediaType {
    companion object {
        fun String.toMediaType(): MediaType = TODO(this)
    }
}

class OkHttpClient : Call.Factory {
    fun newBuilder(): Builder = TODO()

    class Builder {
        fun addInterceptor(interceptor: Interceptor): Builder = TODO(interceptor.toString())

        fun build(): OkHttpClient = TODO()
    }
}
