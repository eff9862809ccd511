// Fuzzes SentencePiece models: this project's reader, and what it passes to the library.
#include "tests/fuzz/support/drive_tokenizer.h"
#include "tests/fuzz/support/mutate_tokenizer.h"

#define ET_FUZZ_MUTATE et::fuzz::mutateMessage
#include "tests/fuzz/support/structure_mutator.h"

#include <cstdint>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = et::inspector::openTokenizerBytes(bytes, "tokenizer.model");
    if (!tokenizer) {
        std::ignore = tokenizer.error().toString();
        return 0;
    }
    et::fuzz::driveTokenizer(**tokenizer, bytes);
    return 0;
}
