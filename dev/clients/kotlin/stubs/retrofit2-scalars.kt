package retrofit2.converter.scalars

import retrofit2.Converter

object ScalarsConverterFactory {
    @JvmStatic
    fun create(): Converter.Factory = TODO()
}
