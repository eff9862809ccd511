// Tests that programs lowered from their instructions give the same results, and delegate the same operators
// as when lowered from the record's graph.
#include "app/tasks/lab/lower_program.h"

#include "app/tasks/base/program_file.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "app/tasks/verify/verify_file.h"
#include "etrecord/record.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using backends::lowering::LoweredMethod;
using testing::HasSubstr;
using testing::IsEmpty;

/// Number of delegated nodes by operator.
std::map<std::string, std::size_t> delegatedOperators(const LowerResult& result) {
    std::map<std::string, std::size_t> counts;
    for (const LoweredMethod& method : result.lowered.methods) {
        for (std::size_t i = 0; i < method.graph->nodes.size(); ++i) {
            if (method.partition.decisions[i].part) {
                ++counts[method.graph->nodes[i].op];
            }
        }
    }
    return counts;
}

/// Failure message of the cases of a bundled program; empty if all pass.
std::string caseMessage(const fs::path& bundle) {
    VerifySettings settings;
    settings.model = {};
    // XNNPACK keeps sums of bfloat16 products in float32; its last bit is 8e-3 of a number.
    settings.tolerances.relative = {"1e-4", "bfloat16=2e-2"};
    settings.tolerances.absolute = {"1e-5"};
    settings.cases.tolerances = parseTolerances(settings.tolerances).value();
    const auto report = verifyFile(bundle, settings);
    return report.verdict == bundled_program::Verdict::Pass ? "" : "cases: " + report.message;
}

class LowerPrograms : public testing::Test {
  protected:
    /// Writes the lowered bundle and runs its cases.
    std::string messageOfLowered(const fs::path& cases) {
        const fs::path made = folder.path() / "lowered.bpte";
        const auto lowered = lower({.record = cases, .output = made});
        if (!lowered) {
            return lowered.error().toString();
        }
        counts = delegatedOperators(*lowered);
        return caseMessage(made);
    }

    test::ScratchFolder folder;
    std::map<std::string, std::size_t> counts;
};

/// Backends that a program delegates to.
std::set<std::string_view> backendsOf(const program::Program& program) {
    std::set<std::string_view> backends;
    for (const program::Method& method : program.methods) {
        for (const program::Delegate& delegate : method.delegates) {
            backends.insert(delegate.backend);
        }
    }
    return backends;
}

/// True if a program may lack an operator of its record: exporters drop views that copy nothing and
/// constant-fold.
bool mayBeMissing(std::string_view op) {
    return op == "aten.view_copy.default" || op == "aten.permute_copy.default";
}

/// If the original program fails its cases (wrong cases, missing backends), the lowered one reports the same;
/// otherwise it passes. A program without delegates has as many delegated operators as when lowered from the
/// record.
TEST_F(LowerPrograms, GiveExpectedOutputsAndDelegateTheSameOperatorsAsRecords) {
    ET_NEEDS_SHARED_DATA();
    std::size_t passed = 0;
    std::size_t compared = 0;
    for (const fs::path& cases : test::sharedFiles(test::sharedData() / "programs", ".bpte")) {
        const std::string name = fs::relative(cases, test::sharedData()).generic_string();
        if (name.starts_with("programs/backends/")) {
            continue;
        }
        const ProgramFile file = ProgramFile::open(cases).value();
        const auto backends = backendsOf(*file.program);
        const std::string said = messageOfLowered(cases);
        if (backends.size() > backends.count("XnnpackBackend")) {
            EXPECT_THAT(said, HasSubstr("no backend")) << name;  // the backend is still required
        } else if (!said.empty()) {
            EXPECT_EQ(said, caseMessage(cases)) << name;
        }
        passed += said.empty() ? 1 : 0;
        fs::path record = cases;
        record.replace_extension(".etrecord");
        if (!backends.empty() || !fs::exists(record)) {
            continue;
        }
        const auto ofRecord = lower({.record = record, .output = {}});
        ASSERT_TRUE(ofRecord || name == "programs/map/dynamic.bpte") << name;
        if (ofRecord) {
            ++compared;
            for (const auto& [op, count] : delegatedOperators(*ofRecord)) {
                EXPECT_TRUE(counts[op] >= count || mayBeMissing(op)) << name << ": " << op;
            }
        }
    }
    EXPECT_GE(passed, 85U);
    EXPECT_GE(compared, 45U);
}

/// Number of kernel calls by operator.
std::map<std::string, std::size_t> kernelCalls(const program::Program& program) {
    std::map<std::string, std::size_t> calls;
    for (const program::Method& method : program.methods) {
        for (const program::Chain& chain : method.chains) {
            for (const program::Instruction& instruction : chain.instructions) {
                if (const auto* call = std::get_if<program::KernelCall>(&instruction)) {
                    ++calls[method.op(call->op).fullName()];
                }
            }
        }
    }
    return calls;
}

/// True for kernels that exporters add or drop when they emit a graph: views, copies into buffers, sizes.
bool isOfEmission(std::string_view kernel) {
    return kernel.starts_with("executorch_prim::") || kernel.starts_with("aten::view_copy") ||
           kernel.starts_with("aten::copy_") || kernel.starts_with("aten::sym_size");
}

/// No operator that the exporter's partitioner delegates remains a kernel call, whether the record or the
/// program without delegates is lowered.
TEST_F(LowerPrograms, DelegateEverythingTheReferenceDelegates) {
    ET_NEEDS_SHARED_DATA();
    std::size_t pairs = 0;
    for (const fs::path& reference : test::sharedFiles(test::sharedData() / "programs", ".bpte")) {
        const std::string name = fs::relative(reference, test::sharedData()).generic_string();
        std::string variant = reference.stem().string();
        const bool isPair = variant.starts_with("xnnpack") && !name.starts_with("programs/backends/");
        if (!isPair) {
            continue;
        }
        const auto calls = kernelCalls(*ProgramFile::open(reference).value().program);
        const fs::path folderOf = reference.parent_path();
        const auto expectNoMore = [&](const fs::path& from) {
            if (!fs::exists(from)) {
                return;
            }
            const auto lowered = lower({.record = from, .output = {}});
            ASSERT_TRUE(lowered) << from << lowered.error().toString();
            ++pairs;
            for (const auto& [kernel, count] : kernelCalls(*lowered->program)) {
                const auto known = calls.find(kernel);
                EXPECT_TRUE(isOfEmission(kernel) || (known != calls.end() && count <= known->second))
                    << from << ": " << kernel << " " << count;
            }
        };
        expectNoMore(folderOf / (variant + ".etrecord"));
        variant.replace(0, std::string_view("xnnpack").size(), "portable");
        expectNoMore(folderOf / (variant + ".bpte"));
        expectNoMore(folderOf / (variant + ".etrecord"));
    }
    EXPECT_GE(pairs, 40U);
}

/// 1-D convolutions become 2-D convolutions with all their arguments.
TEST_F(LowerPrograms, ConvolutionsOfRows) {
    ET_NEEDS_SHARED_DATA();
    std::size_t delegated = 0;
    for (const fs::path& cases : test::sharedFiles(test::sharedData() / "ops" / "portable", ".bpte")) {
        const std::string name = cases.filename().string();
        if (!name.contains("conv1d") && !name.contains("convtranspose1d") && !name.contains("f32_conv")) {
            continue;
        }
        EXPECT_THAT(messageOfLowered(cases), IsEmpty()) << name;
        delegated += counts["aten.convolution.default"];
    }
    EXPECT_GE(delegated, 12U);
}

/// A scale that does not give integral sizes is not delegated: XNNPACK supports only sizes.
TEST_F(LowerPrograms, ResizedImages) {
    ET_NEEDS_SHARED_DATA();
    std::size_t delegated = 0;
    std::size_t left = 0;
    for (const fs::path& cases : test::sharedFiles(test::sharedData() / "ops" / "portable", ".bpte")) {
        const std::string name = cases.filename().string();
        if (!name.starts_with("upsample_bilinear2d_vec__f32") &&
            !name.starts_with("suite_upsample_bilinear2d__")) {
            continue;
        }
        counts.clear();
        EXPECT_THAT(messageOfLowered(cases), IsEmpty()) << name;
        (counts["aten.upsample_bilinear2d.vec"] == 0 ? left : delegated) += 1;
    }
    EXPECT_GE(delegated, 15U);
    EXPECT_GE(left, 1U);
}

const backends::lowering::NodeDecision& decisionAbout(const LowerResult& result, std::string_view node) {
    const LoweredMethod& method = result.lowered.methods.at(0);
    const auto found = std::ranges::find(method.graph->nodes, node, &etrecord::Node::name);
    return method.partition.decisions.at(static_cast<std::size_t>(found - method.graph->nodes.begin()));
}

TEST_F(LowerPrograms, NamesInstructionOperatorRuleAndLine) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = test::sharedData() / "programs/add_mul";
    const auto all =
        lower({.record = at / "portable.pte", .output = {}, .programRecord = at / "portable.etrecord"});
    ASSERT_TRUE(all) << all.error().toString();
    const auto& nodes = all->lowered.methods.at(0).graph->nodes;
    ASSERT_FALSE(nodes.empty());
    EXPECT_EQ(nodes.front().name, "instruction_0");
    EXPECT_EQ(nodes.front().op, "aten.mm.default");
    EXPECT_THAT(pythonLine(nodes.front()), HasSubstr(".py:"));
    EXPECT_THAT(decisionAbout(*all, "instruction_0").rule, HasSubstr("must be a constant"));
    const auto plain = lower({.record = at / "portable.pte", .output = {}});
    ASSERT_TRUE(plain);
    EXPECT_THAT(pythonLine(plain->lowered.methods.at(0).graph->nodes.front()), IsEmpty());
    const auto kept = lower({.record = at / "portable.pte", .output = {}, .except = {"instruction_1"}});
    ASSERT_TRUE(kept);
    EXPECT_EQ(decisionAbout(*kept, "instruction_1").rule, "it was excluded");
    const auto unknown = lower({.record = at / "portable.pte", .output = {}, .except = {"instruction_99"}});
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().message, HasSubstr("instruction_99"));
}

TEST_F(LowerPrograms, KeepDelegatesControlFlowAndMetadata) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = test::sharedData() / "programs";
    const auto mixed = lower({.record = at / "dyn_conv/xnnpack.pte", .output = {}}).value();
    EXPECT_EQ(decisionAbout(mixed, "instruction_0").rule, "it is already a delegate");
    EXPECT_EQ(mixed.program->methods.at(0).delegates.size(), 2U);  // the original one, and the mean at the
                                                                   // end
    const auto cond = lower({.record = at / "cond/portable.pte", .output = {}}).value();
    const auto& rules = cond.lowered.methods.at(0).partition.decisions;
    EXPECT_TRUE(std::ranges::contains(rules, "it is control flow", &backends::lowering::NodeDecision::rule));
}

TEST_F(LowerPrograms, RecordMapsTheNewInstructions) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = test::sharedData() / "programs/simple";
    const fs::path made = folder.path() / "made.etrecord";
    const auto result = lower({.record = at / "portable.pte",
                               .output = folder.path() / "made.pte",
                               .recordOutput = made,
                               .programRecord = at / "portable.etrecord"});
    ASSERT_TRUE(result) << result.error().toString();
    const auto record = etrecord::Record::open(made).value();
    const auto* maps = record->maps("forward");
    ASSERT_NE(maps, nullptr);
    EXPECT_EQ(maps->delegates.size(), result->lowered.methods.at(0).partition.parts.size());
    std::set<core::DebugHandle> before;
    for (const auto& [instruction, entry] : result->record->maps("forward")->debugHandles) {
        before.insert(entry.handles.begin(), entry.handles.end());
    }
    std::set<core::DebugHandle> after;
    for (const auto& [instruction, entry] : maps->debugHandles) {
        after.insert(entry.handles.begin(), entry.handles.end());
    }
    EXPECT_EQ(before, after);
    const auto without = lower({.record = at / "portable.pte", .output = {}, .recordOutput = made});
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().message, HasSubstr("give --etrecord"));
}

/// Damaged programs are rejected or lowered to a program that loads.
class DamagedPrograms : public testing::TestWithParam<std::string_view> {};

TEST_P(DamagedPrograms, AreRefusedOrLowered) {
    ET_NEEDS_SHARED_DATA();
    const auto original = core::MappedFile::open(test::sharedData() / GetParam()).value();
    std::minstd_rand random(1);  // NOLINT(cert-msc51-cpp): the same in each run
    std::size_t lowered = 0;
    for (std::size_t round = 0; round < 300; ++round) {
        std::vector<std::byte> bytes(original->bytes().begin(), original->bytes().end());
        for (int change = 0; change < 3; ++change) {
            bytes[random() % bytes.size()] = static_cast<std::byte>(random() % 256);
        }
        const LowerSettings settings{.record = "damaged.pte", .output = {}};
        const auto made = lowerProgram(core::MappedFile::fromMemory(bytes, "damaged.pte"), settings);
        if (made) {
            ++lowered;
            EXPECT_TRUE(test::parseBytes<program::Program>(made->lowered.file.joined())) << round;
        } else {
            EXPECT_FALSE(made.error().message.empty()) << round;
        }
    }
    EXPECT_GT(lowered, 10U);
}

INSTANTIATE_TEST_SUITE_P(Programs, DamagedPrograms,
                         testing::Values("programs/simple/portable.pte", "programs/cond/portable.pte",
                                         "programs/dyn_conv/portable.pte", "programs/memplan/view_elided.pte",
                                         "programs/linear/portable_q8.pte"));

}  // namespace
}  // namespace et::tasks
