// Tests of the sample sets: their files are readable, consistent and contain what the nets compute.
#include "app/samples/sample_set.h"

#include "backends/reference/interpreter.h"
#include "bundled_program/bundle.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/scalar_type.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

namespace et::samples {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::shared_ptr<const core::MappedFile> inMemory(const SampleFile& file) {
    return core::MappedFile::fromMemory(file.bytes, file.name);
}

/// A sample set, created once and read.
struct ReadSet {
    explicit ReadSet(std::string_view name) {
        auto made = makeSampleSet(name);
        EXPECT_TRUE(made) << made.error().toString();
        files = *made;
        program = program::Program::parse(inMemory(files.at(0))).value();
        bundle = bundled_program::Bundle::parse(inMemory(files.at(1))).value();
        record = etrecord::Record::parse(inMemory(files.at(2))).value();
        trace = etdump::Trace::parse(inMemory(files.at(3))).value();
    }

    std::vector<SampleFile> files;
    std::shared_ptr<const program::Program> program;
    std::shared_ptr<const bundled_program::Bundle> bundle;
    std::shared_ptr<const etrecord::Record> record;
    std::shared_ptr<const etdump::Trace> trace;
};

const ReadSet& setOf(std::string_view name) {
    static std::map<std::string_view, ReadSet> sets;
    return sets.try_emplace(name, name).first->second;
}

std::vector<float> floatsOf(const bundled_program::BundledValue& value) {
    const auto& tensor = std::get<bundled_program::BundledTensor>(value);
    std::vector<float> numbers(tensor.data.size() / sizeof(float));
    std::memcpy(numbers.data(), tensor.data.data(), tensor.data.size());
    return numbers;
}

TEST(SampleSet, IsWrittenIntoANewFolder) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "et_samples" / "new";
    const auto paths = writeSampleSet("add_mul", folder);
    ASSERT_TRUE(paths) << paths.error().toString();
    EXPECT_THAT(*paths,
                ElementsAre(folder / "add_mul.pte", folder / "add_mul.bpte", folder / "add_mul.etrecord",
                            folder / "add_mul.etdp", folder / "add_mul_debug.bin"));
    EXPECT_EQ(test::readBytes((*paths)[0]), setOf("add_mul").files[0].bytes);
    std::filesystem::remove_all(folder.parent_path());
}

TEST(SampleSet, ProgramAndRecordAreTheSameEachTime) {
    const auto again = makeSampleSet("conv_net").value();
    EXPECT_EQ(setOf("conv_net").files[0].bytes, again[0].bytes);
    EXPECT_EQ(setOf("conv_net").files[1].bytes, again[1].bytes);
    EXPECT_EQ(setOf("conv_net").files[2].bytes, again[2].bytes);
}

TEST(SampleSet, UnknownNameListsSamplesAndInvalidFolderGivesAReason) {
    EXPECT_EQ(makeSampleSet("resnet").error().toString(),
              "no sample \"resnet\"; available: add_mul, conv_net, mobilenet_v2_small, mobilenet_v2, llama, "
              "vlm, whisper, faults, native, train, diffusion, transducer, speculative");
    const auto refused = writeSampleSet("add_mul", "/proc/nowhere");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::ErrorCode::Io);
}

TEST(SampleSet, FaultsAreProgramsWithRecords) {
    const auto files = makeSampleSet("faults");
    ASSERT_TRUE(files) << files.error().toString();
    std::vector<std::string> names;
    for (const SampleFile& file : *files) {
        names.push_back(file.name);
    }
    EXPECT_THAT(names, ElementsAre("nan_mask.pte", "nan_mask.etrecord", "shared_memory.pte",
                                   "shared_memory.etrecord", "stale_cache.pte", "stale_cache.etrecord"));
    const auto shared = program::Program::parse(inMemory((*files)[2]));
    ASSERT_TRUE(shared) << shared.error().toString();
    const program::Method& method = (*shared)->methods[0];
    const auto placeOfResult = [&](std::size_t instruction) {
        const auto& call = std::get<program::KernelCall>(method.chains[0].instructions[instruction]);
        return method.value(call.args.back()).as<program::TensorInfo>()->allocation;
    };
    EXPECT_EQ(placeOfResult(0), placeOfResult(1));
    EXPECT_NE(placeOfResult(1), placeOfResult(2));
}

class EachSet : public testing::TestWithParam<std::string_view> {
  protected:
    const ReadSet& set = setOf(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Samples, EachSet, testing::ValuesIn(netSampleNames()),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(EachSet, TheBundleHoldsTheProgram) {
    EXPECT_TRUE(std::ranges::equal(set.bundle->program, set.program->bytes));
    const auto* suite = set.bundle->findSuite("forward");
    ASSERT_NE(suite, nullptr);
    ASSERT_GE(suite->cases.size(), 2U);
    EXPECT_EQ(suite->cases[0].inputs.size(), set.program->methods[0].inputs.size());
    EXPECT_NE(floatsOf(suite->cases[0].expectedOutputs[0]), floatsOf(suite->cases[1].expectedOutputs[0]));
}

/// Every instruction maps to the debug handle of a node of the same operator.
TEST_P(EachSet, TheRecordMapsEveryInstructionOfTheProgram) {
    const auto& method = set.program->methods[0];
    const auto& instructions = method.chains[0].instructions;
    const etrecord::MethodMaps* maps = set.record->maps("forward");
    const etrecord::ExportedGraph* graph = set.record->edgeGraph("forward");
    ASSERT_NE(maps, nullptr);
    ASSERT_NE(graph, nullptr);
    EXPECT_EQ(maps->debugHandles.size(), instructions.size());
    for (const auto& [instruction, entry] : maps->debugHandles) {
        const auto& call =
            std::get<program::KernelCall>(instructions.at(static_cast<std::size_t>(instruction.value)));
        std::vector<std::string> operators;
        for (const etrecord::NodeIndex node : graph->nodesOf(entry.handles.at(0))) {
            // "aten.mean.dim" -> "aten::mean"
            const std::string& op = graph->nodes[node].op;
            operators.push_back("aten::" + op.substr(5, op.find('.', 5) - 5));
        }
        EXPECT_THAT(operators, Contains(method.op(call.op).name));
    }
}

TEST_P(EachSet, TheTraceBelongsToTheRecord) {
    const auto blocks = inspector::EventBlocks::build(set.trace, set.record, inMemory(set.files[4]));
    ASSERT_TRUE(blocks) << blocks.error().toString();
    EXPECT_THAT((*blocks)->warnings(), IsEmpty());
    ASSERT_EQ((*blocks)->blocks().size(), 2U);
    const inspector::Block& execute = (*blocks)->blocks()[1];
    EXPECT_EQ(execute.method, "forward");
    EXPECT_EQ(execute.runs.size(), set.trace->runs().size() - 1);
    std::size_t kernels = 0;
    for (const inspector::Event& event : execute.events) {
        if (event.name.starts_with("native_call_")) {
            ++kernels;
            EXPECT_THAT(inspector::opTypes(execute, event), Not(IsEmpty())) << event.name;
        }
    }
    EXPECT_EQ(kernels, set.program->methods[0].chains[0].instructions.size());
}

/// The last value logged in the trace is the output that the bundled program expects.
TEST_P(EachSet, LoggedOutputsEqualTheBundle) {
    std::vector<float> logged;
    for (etdump::EventIndex i = 0; i < set.trace->eventCount(); ++i) {
        if (set.trace->events().kind[i] != etdump::EventKind::Debug ||
            !set.trace->debugValue(i).programOutput) {
            continue;
        }
        const auto& tensor = std::get<etdump::DebugTensor>(set.trace->debugValue(i).value);
        const auto bytes = core::tensorBytes(tensor.scalarType, tensor.sizes).value();
        const auto& buffer = set.files[4].bytes;
        ASSERT_LE(tensor.offset + bytes, static_cast<std::int64_t>(buffer.size()));
        logged.resize(static_cast<std::size_t>(bytes) / sizeof(float));
        std::memcpy(logged.data(), buffer.data() + tensor.offset, static_cast<std::size_t>(bytes));
    }
    EXPECT_EQ(logged, floatsOf(set.bundle->findSuite("forward")->cases[0].expectedOutputs[0]));
}

TEST_P(EachSet, ActivationsKeepTheirSize) {
    for (const auto& test : set.bundle->findSuite("forward")->cases) {
        const std::vector<float> output = floatsOf(test.expectedOutputs[0]);
        EXPECT_THAT(output, Each(testing::Truly([](float number) { return std::isfinite(number); })));
        const auto [min, max] = std::ranges::minmax(output);
        EXPECT_GT(max - min, 1e-3F);
        EXPECT_LT(max - min, 100.0F);
    }
}

/// Recomputes the expected outputs element by element.
TEST(AddMul, TheBundleExpectsTheProductAndTheSum) {
    for (const auto& test : setOf("add_mul").bundle->findSuite("forward")->cases) {
        const std::vector<float> a = floatsOf(test.inputs.at(0));
        const std::vector<float> x = floatsOf(test.inputs.at(1));
        const std::vector<float> b = floatsOf(test.inputs.at(2));
        const std::vector<float> output = floatsOf(test.expectedOutputs.at(0));
        ASSERT_EQ(output.size(), 16U);
        for (std::size_t at = 0; at < 16; ++at) {
            double wanted = double{b[at]} * double{x[at]};
            for (std::size_t k = 0; k < 4; ++k) {
                wanted += double{a[at / 4 * 4 + k]} * double{x[k * 4 + at % 4]};
            }
            EXPECT_NEAR(output[at], wanted, 1e-5) << at;
        }
    }
}

TEST(ConvNet, TheOutputIsADistribution) {
    for (const auto& test : setOf("conv_net").bundle->findSuite("forward")->cases) {
        const std::vector<float> output = floatsOf(test.expectedOutputs[0]);
        EXPECT_EQ(output.size(), 10U);
        EXPECT_NEAR(std::accumulate(output.begin(), output.end(), 0.0), 1.0, 1e-5);
    }
}

TEST(SampleSet, RecordContainsEverythingToRunItsGraph) {
    const ReadSet& set = setOf("conv_net");
    const kernels::ThreadPool threads;
    auto interpreter = backends::reference::Interpreter::edge(
        *set.record, "forward", {.kernels = kernels::builtin(), .threads = threads});
    ASSERT_TRUE(interpreter) << interpreter.error().toString();
    const auto& suite = set.bundle->suites.front();
    ASSERT_FALSE(suite.cases.empty());
    for (const auto& test : suite.cases) {
        const auto& given = std::get<bundled_program::BundledTensor>(test.inputs.front());
        std::vector<float> input = floatsOf(test.inputs.front());
        auto view = core::Tensor::make(core::ScalarType::Float, given.sizes,
                                       reinterpret_cast<std::byte*>(input.data()));
        ASSERT_TRUE(view);
        const std::array<backends::reference::ReferenceValue, 1> inputs{
            {{backends::reference::ReferenceTensor{.view = *view, .owner = nullptr}}}};
        const auto outputs = (*interpreter)->run(inputs);
        ASSERT_TRUE(outputs) << outputs.error().toString();
        const auto* made = outputs->front().as<backends::reference::ReferenceTensor>();
        ASSERT_NE(made, nullptr);
        const std::vector<float> expected = floatsOf(test.expectedOutputs.front());
        ASSERT_EQ(static_cast<std::size_t>(made->view.numel()), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_NEAR(made->view.data<float>()[i], expected[i], 1e-5) << i;
        }
    }
}

TEST(SampleSet, TheRecordHoldsTheInputsAndOutputsOfItsCases) {
    const ReadSet& set = setOf("add_mul");
    constexpr std::uint64_t enough = 1 << 10;
    const auto floatsIn = [&](std::string_view archive) {
        std::vector<std::vector<float>> all;
        const auto opened = set.record->archive(archive);
        EXPECT_TRUE(opened) << archive;
        for (const auto& tensor : opened->tensors()) {
            const auto bytes = opened->read(tensor, enough).value();
            std::vector<float>& numbers = all.emplace_back(bytes.size() / sizeof(float));
            std::memcpy(numbers.data(), bytes.data(), bytes.size());
        }
        return all;
    };
    const auto& cases = set.bundle->suites.front().cases;
    const auto inputs = floatsIn("representative_inputs");
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(inputs, floatsIn("edge_dialect_exported_program/forward_example_inputs"));
    EXPECT_EQ(inputs[1], floatsOf(cases[0].inputs[1]));
    const auto outputs = floatsIn("reference_outputs");
    ASSERT_EQ(outputs.size(), cases.size());
    EXPECT_EQ(outputs.back(), floatsOf(cases.back().expectedOutputs.front()));
}

}  // namespace
}  // namespace et::samples
