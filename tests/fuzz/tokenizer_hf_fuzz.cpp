// Fuzzes Hugging Face's tokenizer.json. The reader ignores the member "fuzz", which contains a text to encode
// and the tokenizer_config.json of the file.
#include "inspector/tokenizers/detail/formats.h"
#include "tests/fuzz/support/drive_tokenizer.h"
#include "tests/fuzz/support/json_mutator.h"

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    simdjson::dom::element more;
    std::string_view text;
    std::string config;
    if (parser.parse(data, size).get(root) == simdjson::SUCCESS &&
        root["fuzz"].get(more) == simdjson::SUCCESS) {
        std::ignore = more["text"].get(text);
        if (simdjson::dom::element beside; more["config"].get(beside) == simdjson::SUCCESS) {
            config = simdjson::minify(beside);
        }
    }
    const auto tokenizer = et::inspector::tokenizers::detail::openHuggingFace(bytes, config);
    if (!tokenizer) {
        std::ignore = tokenizer.error().toString();
        return 0;
    }
    et::fuzz::driveTokenizer(**tokenizer, text);
    return 0;
}
