// Fuzzes input of `reduce`: replies of candidate processes, lists of numbers on their command lines, and the
// saved state from which it continues.
#include "app/tasks/reduce/candidate.h"
#include "app/tasks/reduce/reduction_state.h"
#include "app/tasks/surgery/node_choice.h"
#include "app/tasks/surgery/number_list.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using et::fuzz::require;
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto report = et::app::readCandidateJson(text)) {
        const std::string written = et::app::candidateJson(*report);
        const auto again = et::app::readCandidateJson(written);
        require(again && et::app::candidateJson(*again) == written);
    }
    if (const auto state = et::app::readState(text)) {
        const std::string written = et::app::stateJson(*state);
        const auto again = et::app::readState(written);
        require(again && et::app::stateJson(*again) == written);
    }
    constexpr std::size_t longList = 1000;  // "0..999999" is written as it was read
    const auto numbers = et::app::parseNumberList(text, "--instructions");
    if (numbers && numbers->size() < longList) {
        const auto again = et::app::parseNumberList(et::app::numberListText(*numbers), "");
        require(again && *again == *numbers);
    }
    constexpr std::size_t instructions[] = {2, 3, 7};
    const auto nodes = et::app::parseNodeChoice(text, instructions, "--nodes");
    if (nodes && et::app::nodeCount(*nodes) < longList) {
        const auto again =
            et::app::parseNodeChoice(et::app::nodeChoiceText(*nodes, instructions), instructions, "");
        require(again && *again == *nodes);
    }
    return 0;
}
