// Fuzzes Mistral's tekken.json. The reader ignores the member "fuzz", which contains a text to encode.
#include "tests/fuzz/support/drive_tokenizer.h"
#include "tests/fuzz/support/json_mutator.h"

#include <simdjson.h>

#include <cstdint>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = et::inspector::openTokenizerBytes(bytes, "tekken.json");
    if (!tokenizer) {
        std::ignore = tokenizer.error().toString();
        return 0;
    }
    simdjson::dom::parser parser;
    std::string_view text;
    std::ignore = parser.parse(data, size)["fuzz"].get(text);
    et::fuzz::driveTokenizer(**tokenizer, text);
    return 0;
}
