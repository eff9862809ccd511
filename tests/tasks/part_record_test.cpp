// The record of a part is one of its program: as many inputs and outputs, and the same numbers.
#include "app/tasks/surgery/part_record.h"

#include "app/tasks/surgery/part_maker.h"
#include "backends/delegate_part.h"
#include "etrecord/record.h"
#include "inspector/session/record_check.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::app {
namespace {

/// What there is to choose among.
struct OpenedProgram {
    std::shared_ptr<const etrecord::Record> record;
    std::unique_ptr<PartMaker> maker;
    std::vector<std::pair<std::size_t, std::size_t>> delegates;  ///< instruction, operators
};

OpenedProgram openProgram(std::string_view name) {
    const std::filesystem::path model = test::sharedData() / fmt::format("{}.bpte", name);
    OpenedProgram opened{
        .record = etrecord::Record::open(std::filesystem::path(model).replace_extension(".etrecord")).value(),
        .maker = PartMaker::open(model, {}, 1).value(),
        .delegates = {}};
    const program::Method& whole = opened.maker->whole();
    for (std::size_t i = 0; i < whole.chains.front().instructions.size(); ++i) {
        const auto* const call = std::get_if<program::DelegateCall>(&whole.chains.front().instructions[i]);
        if (call != nullptr) {
            opened.delegates.emplace_back(i,
                                          backends::nodesIn(whole.delegate(call->delegate)).value().size());
        }
    }
    return opened;
}

/// Some operators in a row of one delegate or several, with what lies between.
PartChoice anyPart(const OpenedProgram& opened, std::mt19937& random) {
    const auto below = [&](std::size_t end) { return random() % end; };
    const std::size_t first = below(opened.delegates.size());
    const std::size_t last = std::min(first + below(3), opened.delegates.size() - 1);
    PartChoice choice;
    for (std::size_t i = opened.delegates[first].first; i <= opened.delegates[last].first; ++i) {
        choice.instructions.push_back(i);
    }
    for (std::size_t d = first; d <= last; ++d) {
        const auto [instruction, count] = opened.delegates[d];
        const std::size_t begin = below(count);
        const std::size_t end = begin + 1 + below(std::min<std::size_t>(count - begin, 6));
        for (std::size_t node = begin; node < end; ++node) {
            choice.nodes[instruction].push_back(node);
        }
    }
    return choice;
}

TEST(PartRecord, HasTheInputsOfThePart) {
    ET_NEEDS_SHARED_DATA();
    std::mt19937 random(20);  // NOLINT(cert-msc51-cpp): the same parts each time
    std::size_t made = 0;
    std::size_t opened = 0;
    std::size_t refused = 0;  // what the graph has as many nodes with one handle
    for (const std::string_view name :
         {"programs/simple/xnnpack", "programs/bert_tiny/xnnpack", "programs/mobilenet_v2_small/xnnpack",
          "programs/mobilenet_v2_small/xnnpack_q8", "programs/xnn_modes/whole", "programs/mlp/xnnpack_8da8w",
          "programs2/ds_cnn/xnnpack_q8", "programs2/encoder_dyn/xnnpack_q8"}) {
        SCOPED_TRACE(name);
        const OpenedProgram all = openProgram(name);
        for (int i = 0; i < 40; ++i) {
            const PartChoice choice = anyPart(all, random);
            if (!all.maker->cut(choice)) {
                continue;
            }
            const std::string what =
                fmt::format("instructions {}..{}, operators {}", choice.instructions.front(),
                            choice.instructions.back(), nodeCount(choice.nodes));
            const auto bytes = partRecord(*all.maker, choice, *all.record);
            if (!bytes) {
                EXPECT_THAT(bytes.error().message,
                            testing::AnyOf(testing::HasSubstr("no node of the record is of the part"),
                                           testing::HasSubstr("has no part with this border")));
                ++refused;
                continue;
            }
            ++made;
            opened += choice.nodes.size() > 1 ? 1U : 0U;
            const auto record = etrecord::Record::parse(core::MappedFile::fromMemory(*bytes, "part")).value();
            const auto part =
                program::Program::parse(core::MappedFile::fromMemory(all.maker->content(), "part")).value();
            EXPECT_EQ(inspector::contradiction(*record, *part).value_or(""), "") << what;
        }
    }
    EXPECT_GT(made, 220U);
    EXPECT_GT(opened, 10U);
    EXPECT_LT(refused, 95U);
    RecordProperty("made", static_cast<int>(made));
    RecordProperty("refused", static_cast<int>(refused));
}

}  // namespace
}  // namespace et::app
