// Only what the generated client names of Retrofit: see okhttp3.kt.
package retrofit2

class Response<T> {
    val isSuccessful: Boolean get() = TODO()

    fun code(): Int = TODO()

    fun headers(): okhttp3.Headers = TODO()

    fun body(): T? = TODO()

    fun errorBody(): okhttp3.ResponseBody? = TODO()
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
