// Tests that programs made from records give the same results as the exporter's own and delegate what its
// partitioner delegated.
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "app/tasks/rewrite/shadow_run.h"
#include "app/tasks/verify/verify_file.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/lower/partitioner.h"
#include "backends/xnnpack/payload/payload.h"
#include "bundled_program/bundle.h"
#include "bundled_program/writer.h"
#include "etrecord/writer.h"
#include "inspector/session/belonging.h"
#include "inspector/session/session.h"
#include "runtime/archive/zip.h"
#include "runtime/kernels/builtin.h"
#include "tests/support/damaged_records.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
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
using testing::IsSubsetOf;
using testing::Not;

struct Tolerance {
    double relative = 1e-4;
    double absolute = 1e-5;
};

/// Tolerances of the manifest, by "programs/add/portable.bpte".
std::map<std::string, Tolerance> manifestTolerances() {
    std::map<std::string, Tolerance> tolerances;
    simdjson::ondemand::parser parser;
    simdjson::padded_string text =
        simdjson::padded_string::load((test::sharedData() / "manifest.json").string()).value();
    auto document = parser.iterate(text).value();
    for (auto program : document["programs"]) {
        std::vector<std::string> files;
        for (auto file : program["files"]) {
            files.emplace_back(file.get_string().value());
        }
        Tolerance read;
        double number = 0;
        if (program["rtol"].get(number) == simdjson::SUCCESS) {
            read.relative = number;
        }
        if (program["atol"].get(number) == simdjson::SUCCESS) {
            read.absolute = number;
        }
        for (const std::string& file : files) {
            tolerances[file] = read;
        }
    }
    return tolerances;
}

class LowerRecords : public testing::Test {
  protected:
    /// Runs the record's cases on the program made from it; returns the failure, empty if all pass.
    std::string difference(const fs::path& record, const fs::path& cases, LowerBackend backend,
                           const Tolerance& tolerance) {
        const auto lowered = lower({.record = record, .output = {}, .backend = backend});
        if (!lowered) {
            return lowered.error().toString();
        }
        const auto bundle = bundled_program::Bundle::open(cases).value();
        const auto bytes =
            bundled_program::writeBundle(lowered->lowered.file.joined(), bundle->suites).value();
        const fs::path made = folder.path() / "lowered.bpte";
        std::ofstream(made, std::ios::binary) << textOf(bytes);
        VerifySettings settings;
        settings.model = {};
        settings.tolerances.relative = {fmt::format("{}", tolerance.relative)};
        settings.tolerances.absolute = {fmt::format("{}", tolerance.absolute)};
        settings.cases.tolerances = parseTolerances(settings.tolerances).value();
        const auto report = verifyFile(made, settings);
        return report.verdict == bundled_program::Verdict::Pass ? "" : "cases: " + report.message;
    }

    test::ScratchFolder folder;
};

/// Records with unsupported graphs, and the reason.
const std::map<std::string, std::string>& refused() {
    static const std::map<std::string, std::string> reasons{
        {"programs/demo_backend/sin_whole.etrecord", "executorch_call_delegate"},
        {"programs/map/dynamic.etrecord", "expected float32 [4, 5]"},  // the record specifies no other sizes
    };
    return reasons;
}

class LowerCorpus : public LowerRecords, public testing::WithParamInterface<LowerBackend> {};

TEST_P(LowerCorpus, GivesTheExpectedOutputs) {
    ET_NEEDS_SHARED_DATA();
    const auto tolerances = manifestTolerances();
    std::size_t passed = 0;
    for (const fs::path& record : test::sharedFiles(test::sharedData() / "programs", ".etrecord")) {
        fs::path cases = record;
        cases.replace_extension(".bpte");
        const std::string name = fs::relative(record, test::sharedData()).generic_string();
        const auto known = tolerances.find(fs::relative(cases, test::sharedData()).generic_string());
        if (!fs::exists(cases) || name.starts_with("programs/backends/")) {
            continue;
        }
        const std::string said =
            difference(record, cases, GetParam(), known == tolerances.end() ? Tolerance() : known->second);
        const bool inDelegates = GetParam() == LowerBackend::None && name.contains("8da");
        if (const auto reason = refused().find(name); inDelegates) {
            EXPECT_THAT(said, HasSubstr("no kernel \"torchao::choose_qparams_affine.out\"")) << name;
        } else if (reason != refused().end()) {
            EXPECT_THAT(said, HasSubstr(reason->second)) << name;
        } else {
            EXPECT_THAT(said, IsEmpty()) << name;
            passed += said.empty() ? 1 : 0;
        }
    }
    EXPECT_GE(passed, 85U);
}

INSTANTIATE_TEST_SUITE_P(Backends, LowerCorpus, testing::Values(LowerBackend::None, LowerBackend::Xnnpack));

/// Nodes in the reference's delegates and in ours.
struct Coverage {
    std::set<std::string> reference;
    std::set<std::string> own;
};

Coverage measureCoverage(const fs::path& folder, std::string_view variant) {
    Coverage coverage;
    simdjson::ondemand::parser parser;
    simdjson::padded_string text = simdjson::padded_string::load((folder / "lowering.json").string()).value();
    auto document = parser.iterate(text).value();
    for (auto delegate : document[variant]["delegates"]) {
        for (auto node : delegate["nodes"]) {
            const std::string_view name = node.get_string().value();
            if (!name.starts_with("getitem")) {  // torch's name for one of several results
                coverage.reference.emplace(name);
            }
        }
    }
    const auto lowered =
        lower({.record = folder / fmt::format("{}.etrecord", variant), .output = {}}).value();
    for (const LoweredMethod& method : lowered.lowered.methods) {
        for (std::size_t i = 0; i < method.graph->nodes.size(); ++i) {
            if (method.partition.decisions[i].part) {
                coverage.own.insert(method.graph->nodes[i].name);
            }
        }
    }
    return coverage;
}

struct Variant {
    std::string_view model, name;
};
constexpr Variant variants[] = {{"encoder2", "float"}, {"encoder2", "q8"}, {"encoder2", "qd8"},
                                {"mbv2_025", "float"}, {"mbv2_025", "q8"}, {"resnet8", "float"},
                                {"resnet8", "q8"}};

TEST(LowerCoverage, DelegatesTheSameNodesAsTheReference) {
    ET_NEEDS_SHARED_DATA();
    for (const Variant& each : variants) {
        const Coverage coverage = measureCoverage(test::sharedData() / "quant" / each.model, each.name);
        EXPECT_GT(coverage.reference.size(), 30U) << each.model << each.name;
        std::vector<std::string> missing;
        std::ranges::set_difference(coverage.reference, coverage.own, std::back_inserter(missing));
        EXPECT_THAT(missing, IsEmpty()) << each.model << each.name;
    }
}

/// XNNPACK node flags in all XNNPACK delegates of a program, by node kind.
std::map<std::string_view, std::set<std::uint32_t>> flagsOf(const program::Program& program) {
    std::map<std::string_view, std::set<std::uint32_t>> flags;
    for (const program::Method& method : program.methods) {
        for (const program::Delegate& delegate : method.delegates) {
            const auto payload = backends::xnnpack::readPayload(delegate.payload).value();
            for (const backends::xnnpack::PayloadNode& node : payload.nodes) {
                flags[node.traits->name].insert(node.flags);
            }
        }
    }
    return flags;
}

/// XNNPACK versions differ in the flags they accept: some reject flags that others ignore.
TEST(LowerCoverage, NodesHaveTheFlagsOfTheExporter) {
    ET_NEEDS_SHARED_DATA();
    for (const Variant& each : variants) {
        const fs::path at = test::sharedData() / "quant" / each.model;
        const auto own = lower({.record = at / fmt::format("{}.etrecord", each.name), .output = {}}).value();
        const auto reference = program::Program::open(at / fmt::format("{}.pte", each.name)).value();
        const auto exporters = flagsOf(*reference);
        std::size_t compared = 0;
        for (const auto& [kind, flags] : flagsOf(*own.program)) {
            if (const auto known = exporters.find(kind); known != exporters.end()) {
                EXPECT_THAT(flags, IsSubsetOf(known->second)) << each.model << each.name << ": " << kind;
                ++compared;
            }
        }
        EXPECT_GE(compared, 4U) << each.model << each.name;
    }
}

/// ExecuTorch drops the source data of a delegate's constants, so only nodes that pack constants may have
/// them.
TEST(LowerCoverage, OnlyNodesThatPackConstantsHaveThem) {
    ET_NEEDS_SHARED_DATA();
    using backends::xnnpack::NodeForm;
    const auto packs = [](NodeForm form) {
        return form == NodeForm::Convolution || form == NodeForm::DepthwiseConvolution ||
               form == NodeForm::TransposedConvolution || form == NodeForm::FullyConnected;
    };
    std::size_t arguments = 0;
    for (const fs::path& record : test::sharedFiles(test::sharedData() / "programs", ".etrecord")) {
        const auto own = lower({.record = record, .output = {}});
        for (const program::Method& method : own ? own->program->methods : std::vector<program::Method>()) {
            for (const program::Delegate& delegate : method.delegates) {
                const auto payload = backends::xnnpack::readPayload(delegate.payload);
                if (!payload) {
                    continue;  // of another backend, unchanged
                }
                for (const backends::xnnpack::PayloadNode& node : payload->nodes) {
                    const bool hasConstant =
                        std::ranges::any_of(node.inputs, [&](backends::xnnpack::ValueIndex input) {
                            return input != backends::xnnpack::noValue && payload->value(input).constant != 0;
                        });
                    EXPECT_TRUE(!hasConstant || packs(node.traits->form())) << record << node.traits->name;
                }
                arguments += payload->externals.size();
            }
        }
    }
    EXPECT_GT(arguments, 100U);
}

/// Uses the signature of ExecuTorch's own kernel, without a trailing result.
TEST(LowerCoverage, RowsAreCopiedWithThreeArguments) {
    ET_NEEDS_SHARED_DATA();
    const auto own =
        lower({.record = test::sharedData() / "programs/map/portable.etrecord", .output = {}}).value();
    const program::Method& method = own.program->methods.front();
    std::size_t calls = 0;
    for (const program::Instruction& instruction : method.chains.front().instructions) {
        const auto* const call = std::get_if<program::KernelCall>(&instruction);
        if (call == nullptr || method.operators[call->op.value].name != "executorch_prim::et_copy_index") {
            continue;
        }
        ++calls;
        ASSERT_EQ(call->args.size(), 3U);
        EXPECT_EQ(method.value(call->args[0]).as<program::TensorInfo>()->dynamism,
                  program::ShapeDynamism::Bounded);
    }
    EXPECT_GT(calls, 0U);
}

/// Instructions of branches and loops have handles of nodes in subgraphs, or none.
TEST(LowerCoverage, BranchesLoopsAndCachesBelongToTheirRecords) {
    ET_NEEDS_SHARED_DATA();
    const test::ScratchFolder folder;
    const fs::path program = folder.path() / "lowered.pte";
    const fs::path record = folder.path() / "lowered.etrecord";
    for (const char* from : {"programs/cond/plain", "programs/map/portable", "programs/map/xnnpack",
                             "llm/models/tiny-a/portable_fp32", "llm/models/tiny-a/xnnpack_2method"}) {
        const auto made = lower({.record = test::sharedData() / fmt::format("{}.etrecord", from),
                                 .output = program,
                                 .recordOutput = record});
        ASSERT_TRUE(made) << from << ": " << made.error().toString();
        const auto session =
            inspector::Session::open({.trace = {}, .record = record, .debugBuffer = {}, .program = program});
        ASSERT_TRUE(session) << from << ": " << session.error().toString();
        EXPECT_THAT(inspector::contradictions(**session), IsEmpty()) << from;
    }
}

/// Integer results do not depend on summation order: they match the exporter's program bit for bit.
TEST(LowerIntegers, MatchTheReferenceProgramBitForBit) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& [model, name] :
         {Variant{"encoder2", "q8"}, Variant{"encoder2", "qd8"}, Variant{"resnet8", "q8"}}) {
        const fs::path at = test::sharedData() / "quant" / model;
        const auto own = lower({.record = at / fmt::format("{}.etrecord", name), .output = {}}).value();
        const auto bundle = bundled_program::Bundle::open(at / fmt::format("{}.bpte", name)).value();
        const auto reference = program::Program::open(at / fmt::format("{}.pte", name)).value();
        const auto runs = runTwins({.program = reference}, {.program = own.program}, bundle.get()).value();
        ASSERT_EQ(runs.size(), 1U) << at;
        EXPECT_THAT(runs[0].difference, IsEmpty()) << at << name;
        EXPECT_THAT(runs[0].notRun, IsEmpty()) << at << name;
        EXPECT_EQ(runs[0].cases, 4U) << at;
    }
}

TEST_F(LowerRecords, FloatModelsGiveTheExpectedOutputs) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string_view model : {"encoder2", "mbv2_025", "resnet8"}) {
        const fs::path at = test::sharedData() / "quant" / model;
        for (const std::string_view record : {"float.etrecord", "portable.etrecord"}) {
            EXPECT_THAT(difference(at / record, at / "float.bpte", LowerBackend::Xnnpack, {}), IsEmpty())
                << at << record;
        }
    }
}

/// Datatypes of the values that each kind of node reads and writes, over all XNNPACK delegates.
std::map<std::string_view, std::set<backends::xnnpack::Datatype>> datatypesOf(
    const program::Program& program) {
    std::map<std::string_view, std::set<backends::xnnpack::Datatype>> datatypes;
    for (const program::Delegate& delegate : program.methods.front().delegates) {
        const auto payload = backends::xnnpack::readPayload(delegate.payload).value();
        for (const backends::xnnpack::PayloadNode& node : payload.nodes) {
            for (const auto* values : {&node.inputs, &node.outputs}) {
                for (const backends::xnnpack::ValueIndex value : *values) {
                    if (value != backends::xnnpack::noValue) {
                        datatypes[node.traits->name].insert(payload.value(value).datatype);
                    }
                }
            }
        }
    }
    return datatypes;
}

/// Products and elementwise operators in bfloat16, with weights of any kind: one delegate, as the exporter's.
TEST_F(LowerRecords, BrainFloatsAreDelegatedAsByTheExporter) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = test::sharedData() / "xnnpack_bf16";
    for (const auto& [name, tolerance] : {std::pair("bf16_linear", 0.02), std::pair("bf16_activations", 0.02),
                                          std::pair("qd8_bf16_qb4w", 0.08)}) {
        const fs::path record = at / fmt::format("{}.etrecord", name);
        const auto own = lower({.record = record, .output = {}});
        ASSERT_TRUE(own) << name << own.error().toString();
        const program::Method& method = own->program->methods.front();
        EXPECT_EQ(method.delegates.size(), 1U) << name;
        EXPECT_EQ(method.chains.front().instructions.size(), 1U) << name;
        const auto reference = program::Program::open(at / fmt::format("{}.pte", name)).value();
        EXPECT_EQ(datatypesOf(*own->program), datatypesOf(*reference)) << name;
        EXPECT_THAT(difference(record, at / fmt::format("{}.bpte", name), LowerBackend::Xnnpack,
                               {.relative = tolerance, .absolute = tolerance}),
                    IsEmpty())
            << name;
    }
}

const backends::lowering::NodeDecision& decisionOn(const LowerResult& result, std::string_view node) {
    const LoweredMethod& method = result.lowered.methods.at(0);
    const auto found = std::ranges::find(method.graph->nodes, node, &etrecord::Node::name);
    return method.partition.decisions.at(static_cast<std::size_t>(found - method.graph->nodes.begin()));
}

TEST(LowerChoice, OmitsExcludedOperatorsWithAReason) {
    ET_NEEDS_SHARED_DATA();
    const fs::path record = test::sharedData() / "programs/simple/xnnpack.etrecord";
    const auto all = lower({.record = record, .output = {}}).value();
    const std::string node = all.lowered.methods.at(0).graph->nodes.at(0).name;
    EXPECT_TRUE(decisionOn(all, node).part);
    const auto some = lower({.record = record, .output = {}, .except = {node}}).value();
    EXPECT_FALSE(decisionOn(some, node).part);
    EXPECT_EQ(decisionOn(some, node).rule, "it was excluded");
    const auto only = lower({.record = record, .output = {}, .only = {node}}).value();
    EXPECT_TRUE(decisionOn(only, node).part);
    EXPECT_EQ(only.lowered.methods.at(0).partition.parts.at(0).nodes.size(), 1U);
    const auto unknown = lower({.record = record, .output = {}, .except = {"no_such_node"}});
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().message, HasSubstr("is called \"no_such_node\""));
}

TEST(LowerChoice, NamesRuleAndPythonLine) {
    ET_NEEDS_SHARED_DATA();
    const auto result =
        lower({.record = test::sharedData() / "programs/add_mul/xnnpack.etrecord", .output = {}}).value();
    const auto& decision = decisionOn(result, "aten_mm_default");
    EXPECT_FALSE(decision.part);
    EXPECT_THAT(decision.rule, HasSubstr("must be a constant"));
    EXPECT_THAT(pythonLine(result.lowered.methods.at(0).graph->nodes.at(0)), HasSubstr(".py:"));
}

TEST_F(LowerRecords, RecordMapsTheInstructionsOfItsProgram) {
    ET_NEEDS_SHARED_DATA();
    const fs::path made = folder.path() / "made.etrecord";
    const auto result = lower({.record = test::sharedData() / "quant/encoder2/float.etrecord",
                               .output = folder.path() / "made.pte",
                               .recordOutput = made})
                            .value();
    const auto record = etrecord::Record::open(made).value();
    const auto* maps = record->maps("forward");
    ASSERT_NE(maps, nullptr);
    const auto& origins = result.lowered.methods.at(0).emitted.origins;
    EXPECT_EQ(maps->debugHandles.size(), origins.size());
    EXPECT_EQ(maps->delegates.size(), result.lowered.methods.at(0).partition.parts.size());
    EXPECT_EQ(record->archiveNames(), result.record->archiveNames());
    EXPECT_EQ(*record->edgeGraph("forward"), *result.record->edgeGraph("forward"));
}

/// Lowering rejects damaged graphs or makes a program that loads, and never reads out of bounds.
class DamagedGraphs : public testing::TestWithParam<std::string_view> {};

TEST_P(DamagedGraphs, AreRefusedOrLowered) {
    ET_NEEDS_SHARED_DATA();
    test::DamagedRecords records(test::sharedData() / GetParam());
    std::size_t refusals = 0;
    constexpr std::size_t rounds = 120;
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto record = records.next();
        const auto made = backends::lowering::lowerRecord(
            *record, {.kernels = kernels::builtin(),
                      .partitioner = backends::xnnpack::makePartitioner(kernels::builtin()),
                      .except = {},
                      .only = {}});
        refusals += made ? 0 : 1;
        if (made) {
            EXPECT_TRUE(test::parseBytes<program::Program>(made->file.joined())) << round;
        } else {
            EXPECT_THAT(made.error().message, Not(IsEmpty())) << round;
        }
    }
    EXPECT_GT(refusals, 10U);
    EXPECT_LT(refusals, rounds);
}

INSTANTIATE_TEST_SUITE_P(Records, DamagedGraphs,
                         testing::Values("quant/resnet8/float.etrecord", "quant/resnet8/q8.etrecord",
                                         "quant/encoder2/qd8.etrecord", "programs/mlp_8da4w/xnnpack.etrecord",
                                         "programs/simple/portable.etrecord"));

}  // namespace
}  // namespace et::tasks
