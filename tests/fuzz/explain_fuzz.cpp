// Fuzzes logs, which come from devices: each is read in one block and in pieces, and explained.
#include "inspector/explain/code_page.h"
#include "inspector/explain/explanation.h"
#include "tests/fuzz/support/byte_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace {

using et::fuzz::require;
using et::inspector::Explanation;
using et::inspector::LogScanner;

Explanation explainPieces(std::string_view log, std::size_t size) {
    LogScanner scanner;
    while (!log.empty()) {
        const std::string_view piece = log.substr(0, size);
        scanner.add(piece);
        log.remove_prefix(piece.size());
    }
    return et::inspector::explain(scanner.finish());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view log(reinterpret_cast<const char*>(data), size);
    const Explanation whole = explainPieces(log, std::max<std::size_t>(size, 1));
    const Explanation pieces = explainPieces(log, 7);
    require(whole.known == pieces.known && whole.failure == pieces.failure);
    require(whole.causes.size() == pieces.causes.size());
    for (const et::inspector::ExplainedCause& cause : whole.causes) {
        require(!cause.cause.empty() && !cause.evidence.empty() && !cause.remedy.empty());
    }
    std::ignore = et::inspector::findCodes(log);
    return 0;
}
