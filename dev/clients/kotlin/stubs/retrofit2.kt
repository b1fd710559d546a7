// Only what the generated client names of Retrofit: see okhttp3.kt. An answer can be made, for the guide's code to read.
package retrofit2

class Response<T>(private val status: Int, private val headers: okhttp3.Headers, private val body: T?, private val error: String?) {
    val isSuccessful: Boolean get() = status in 200..299

    fun code(): Int = status

    fun headers(): okhttp3.Headers = headers

    fun body(): T? = body

    fun errorBody(): okhttp3.ResponseBody? = error?.let {
        object : okhttp3.ResponseBody() {
            override fun string(): String = it
        }
    }
}

interface Converter<F, T> {
    abstract class Factory
}

interface CallAdapter<R, T> {
    abstract class Factory
}

class Retrofit {
    fun <S> create(service: Class<S>): S = TODO(service.name)

    class Builder {
        fun baseUrl(url: String): Builder = TODO(url)

        fun addCallAdapterFactory(factory: CallAdapter.Factory): Builder = TODO(factory.toString())

        fun addConverterFactory(factory: Converter.Factory): Builder = TODO(factory.toString())

        fun callFactory(factory: okhttp3.Call.Factory): Builder = TODO(factory.toString())

        fun build(): Retrofit = TODO()
    }
}
