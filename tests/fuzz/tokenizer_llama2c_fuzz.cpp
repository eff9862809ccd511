// Fuzzes llama2.c's tokenizer.bin.
#include "tests/fuzz/support/drive_tokenizer.h"
#include "tests/fuzz/support/mutate_tokenizer.h"

#define ET_FUZZ_MUTATE et::fuzz::mutateRecords
#include "tests/fuzz/support/structure_mutator.h"

#include <cstdint>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = et::inspector::openTokenizerBytes(bytes, "tokenizer.bin");
    if (!tokenizer) {
        std::ignore = tokenizer.error().toString();
        return 0;
    }
    et::fuzz::driveTokenizer(**tokenizer, bytes);
    return 0;
}
