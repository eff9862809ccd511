// Tests of program diffs of real pairs: exports of one model in several ways, and programs with one planted
// fault.
#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "inspector/program_diff/program_diff.h"
#include "inspector/session/artifact.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

std::shared_ptr<const program::Program> open(const fs::path& path) {
    auto file = core::MappedFile::open(path).value();
    if (core::detectFileKind(file->bytes()) == core::FileKind::BundledProgram) {
        const auto bundle = bundled_program::Bundle::parse(file).value();
        return program::Program::parse(bundle->file, bundle->program).value();
    }
    return program::Program::parse(file).value();
}

ProgramDiff diffFiles(const fs::path& before, const fs::path& after) {
    const auto left = open(test::sharedData() / before);
    const auto right = open(test::sharedData() / after);
    auto made = diffPrograms({.program = *left}, {.program = *right}, {.backends = backends::describable()});
    EXPECT_TRUE(made) << made.error().toString();
    return *made;
}

const MethodDiff& forwardOf(const ProgramDiff& diff) {
    return *diff.findMethod("forward");
}

std::string textAt(dom::element object, const char* key) {
    const std::string_view text = object[key];
    return std::string(text);
}

/// Returns the changed nodes of all delegates, by kind of change.
std::vector<std::string> changedNodes(const MethodDiff& method) {
    std::vector<std::string> names;
    for (const DelegateDiff& delegate : method.delegates) {
        for (const StepDiff& node : delegate.nodes) {
            if (node.differs()) {
                names.push_back(traits(node.change).sign + node.name);
            }
        }
    }
    return names;
}

TEST(ProgramDiffConformance, EveryProgramIsTheSameAsItself) {
    ET_NEEDS_SHARED_DATA();
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(test::sharedData() / "programs")) {
        if (entry.path().extension() == ".bpte") {
            const ProgramDiff same = diffFiles(entry.path(), entry.path());
            EXPECT_TRUE(same.same()) << entry.path();
            ++count;
        }
    }
    EXPECT_GT(count, 100U);
}

TEST(ProgramDiffConformance, DelegationReplacesOperators) {
    ET_NEEDS_SHARED_DATA();
    const ProgramDiff found = diffFiles("programs/add/portable.pte", "programs/add/xnnpack.pte");
    const MethodDiff& method = forwardOf(found);
    EXPECT_EQ(method.count(Change::Removed), 1U);
    EXPECT_EQ(method.count(Change::Added), 1U);
    EXPECT_EQ(method.partitions.at(0).calls, (BeforeAfter<std::uint64_t>{0, 1}));
    EXPECT_EQ(method.delegates.at(0).kinds.at(0).name, "XNNAdd");
    EXPECT_EQ(method.plannedBytes, (BeforeAfter<std::uint64_t>{96, 160}));
}

TEST(ProgramDiffConformance, QuantizationKeepsTheOperators) {
    ET_NEEDS_SHARED_DATA();
    const ProgramDiff found =
        diffFiles("programs/mobilenet_v2_small/xnnpack.bpte", "programs/mobilenet_v2_small/xnnpack_q8.bpte");
    const DelegateDiff& delegate = forwardOf(found).delegates.at(0);
    EXPECT_EQ(std::ranges::count(delegate.nodes, Change::Removed, &StepDiff::change), 0);
    for (const StepDiff& node : delegate.nodes) {
        if (node.change == Change::Added) {
            EXPECT_TRUE(node.name == "XNNConvert" || node.name == "XNNClamp") << node.name;
        }
    }
    EXPECT_LT(found.fileBytes.after, found.fileBytes.before);
}

TEST(ProgramDiffConformance, ReportsMemoryPlanChanges) {
    ET_NEEDS_SHARED_DATA();
    const auto plan = [](const char* variant) {
        return diffFiles("programs/memplan/greedy.pte", fs::path("programs/memplan") / variant);
    };
    const ProgramDiff naive = plan("naive.pte");
    EXPECT_EQ(forwardOf(naive).arenas.at(0).bytes, (BeforeAfter<std::uint64_t>{3072, 6416}));
    EXPECT_EQ(forwardOf(naive).count(Change::Same), forwardOf(naive).steps.size());
    EXPECT_FALSE(naive.same());
    EXPECT_EQ(forwardOf(plan("noin.pte")).inputs.at(0).attributes.at(0).name, "memory");
    for (const char* variant : {"align64.pte", "seg4096.pte", "stacktrace.pte", "nosegments.pte"}) {
        EXPECT_TRUE(plan(variant).same()) << variant;
    }
}

TEST(ProgramDiffConformance, APlantedFaultIsTheOnlyDifference) {
    ET_NEEDS_SHARED_DATA();
    dom::parser parser;
    const dom::element faults = parser.load((test::sharedData() / "broken/gap/manifest.json").string());
    std::size_t weights = 0;
    for (const dom::element fault : dom::array(faults)) {
        const std::string file = textAt(fault, "file");
        const std::string program = textAt(fault, "program");
        const std::string what = textAt(fault, "fault");
        if (!what.starts_with("weights")) {
            continue;  // others were rewritten with rounded scales
        }
        const ProgramDiff found = diffFiles(program + ".bpte", fs::path("broken/gap") / file);
        const std::string kind = textAt(fault, "node_kind");
        ASSERT_EQ(forwardOf(found).constants.size(), 1U) << file;
        EXPECT_TRUE(forwardOf(found).constants[0].name.starts_with(kind))
            << forwardOf(found).constants[0].name;
        EXPECT_GT(forwardOf(found).constants[0].maxAbsoluteDifference, 0) << file;
        EXPECT_LE(changedNodes(forwardOf(found)).size(), 1U) << file;
        EXPECT_EQ(forwardOf(found).count(Change::Changed), 1U) << file;
        ++weights;
    }
    EXPECT_GE(weights, 4U);
    const ProgramDiff bound = diffFiles("programs/simple/xnnpack.bpte", "broken/gap/fault_05.pte");
    EXPECT_THAT(changedNodes(forwardOf(bound)), testing::ElementsAre("~XNNConv2d"));
    const ProgramDiff other =
        diffFiles("programs/mobilenet_v2_small/xnnpack_q8.bpte", "broken/gap/fault_02.pte");
    EXPECT_THAT(changedNodes(forwardOf(other)), testing::Contains("-XNNAdd"));
    EXPECT_THAT(changedNodes(forwardOf(other)), testing::Contains("+XNNSubtract"));
}

}  // namespace
}  // namespace et::inspector
