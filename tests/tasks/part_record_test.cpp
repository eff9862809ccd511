// Tests that the record of an extracted part matches its program: number of inputs and outputs, and values.
#include "app/tasks/rewrite/part_record.h"

#include "app/tasks/gap/gap_run.h"
#include "app/tasks/rewrite/part_maker.h"
#include "app/tasks/rewrite/part_run.h"
#include "backends/delegate_part.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/units.h"
#include "inspector/session/record_check.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::tasks {
namespace {

/// A program and its delegates to choose from.
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

/// Chooses consecutive operators of one or several delegates, with the instructions between them.
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
    std::size_t refused = 0;  // parts rejected because several nodes of the graph share a debug handle
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
                            testing::AnyOf(testing::HasSubstr("no node of the record belongs to the part"),
                                           testing::HasSubstr("has no part with these inputs and outputs")));
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

/// The lowest signal-to-noise ratio, in decibels, of all values that can be compared with the part's record;
/// nothing if the part has no record.
std::optional<double> leastRatio(std::string_view model, std::size_t instruction, const std::string& nodes) {
    const test::ScratchFolder folder;
    const std::filesystem::path whole = test::sharedData() / fmt::format("{}.bpte", model);
    PartSettings settings{.model = whole, .options = {}, .output = folder.path() / "part.bpte"};
    settings.options.record = std::filesystem::path(whole).replace_extension(".etrecord");
    settings.instructions = std::to_string(instruction);
    settings.nodes = nodes;
    const auto part = takePart(settings);
    if (!part || part->record.empty()) {
        return std::nullopt;
    }
    GapSettings gap{.program = settings.output, .trace = {}, .debugBuffer = {}, .inputs = {}, .model = {}};
    gap.model.record = part->record;
    ProgressReporter watch({.mode = ProgressMode::None}, std::nullopt);
    double least = std::numeric_limits<double>::infinity();
    const auto result = runGaps(gap, watch);
    EXPECT_TRUE(result) << (result ? "" : result.error().toString());
    for (const auto& row : result ? result->gaps.front()->rows : std::vector<inspector::GapRow>()) {
        for (const inspector::GapPair& pair : row.pairs) {
            EXPECT_EQ(pair.difference, "") << model << ' ' << nodes;
            if (inspector::isWhole(pair.runtime.tensor.view.dtype())) {
                continue;  // the whole call returns integers there, the graph real numbers
            }
            least = std::min(least, pair.numbers[inspector::GapMetric::Snr].value_or(least));
        }
    }
    return least;
}

/// [1, 8, 8, 8] has equal sizes in NHWC and NCHW: the nodes at the record's boundary determine the layout.
TEST(PartRecord, GapTellsDimensionsOfEqualSizesApart) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string_view nodes : {"1", "0..1", "1..2", "1..3", "2..4", "3", "0..5"}) {
        const auto ratio = leastRatio("programs/simple/xnnpack", 0, std::string(nodes));
        ASSERT_TRUE(ratio) << nodes;
        EXPECT_GT(*ratio, 100) << nodes;
    }
}

TEST(PartRecord, GapOfPartsIsAsSmallAsThatOfTheWhole) {
    ET_NEEDS_SHARED_DATA();
    std::mt19937 random(8);  // NOLINT(cert-msc51-cpp): the same parts each time
    std::size_t compared = 0;
    for (const auto& [name, bound] : {std::pair("programs/simple/xnnpack_q8", 20.0),
                                      std::pair("programs/mobilenet_v2_small/xnnpack", 80.0),
                                      std::pair("programs2/ds_cnn/xnnpack_q8", 10.0)}) {
        const OpenedProgram all = openProgram(name);
        for (int i = 0; i < 8; ++i) {
            const auto [instruction, count] = all.delegates[random() % all.delegates.size()];
            const std::size_t begin = random() % count;
            const std::size_t last = std::min<std::size_t>(begin + random() % 5, count - 1);
            const std::string nodes = fmt::format("{}..{}", begin, last);
            if (const auto ratio = leastRatio(name, instruction, nodes)) {
                ++compared;
                EXPECT_GT(*ratio, bound) << name << ' ' << nodes;
            }
        }
    }
    EXPECT_GT(compared, 15U);
}

}  // namespace
}  // namespace et::tasks
