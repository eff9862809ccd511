// Fuzzes input of `reduce`: replies of candidate processes, lists of numbers on their command lines, and the
// saved state from which it continues.
#include "app/tasks/reduce/candidate.h"
#include "app/tasks/reduce/reduction_state.h"
#include "app/tasks/rewrite/node_choice.h"
#include "app/tasks/rewrite/number_list.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using et::fuzz::require;
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto report = et::tasks::readCandidateJson(text)) {
        const std::string written = et::tasks::candidateJson(*report);
        const auto again = et::tasks::readCandidateJson(written);
        require(again && et::tasks::candidateJson(*again) == written);
    }
    if (const auto state = et::tasks::readState(text)) {
        const std::string written = et::tasks::stateJson(*state);
        const auto again = et::tasks::readState(written);
        require(again && et::tasks::stateJson(*again) == written);
    }
    constexpr std::size_t longList = 1000;  // "0..999999" is written as it was read
    const auto numbers = et::tasks::parseNumberList(text, "--instructions");
    if (numbers && numbers->size() < longList) {
        const auto again = et::tasks::parseNumberList(et::tasks::numberListText(*numbers), "");
        require(again && *again == *numbers);
    }
    constexpr std::size_t instructions[] = {2, 3, 7};
    const auto nodes = et::tasks::parseNodeChoice(text, instructions, "--nodes");
    if (nodes && et::tasks::nodeCount(*nodes) < longList) {
        const auto again =
            et::tasks::parseNodeChoice(et::tasks::nodeChoiceText(*nodes, instructions), instructions, "");
        require(again && *again == *nodes);
    }
    return 0;
}
