// Compares values tapped inside delegates with plain loops over the tapped inputs of their nodes.

#include "backends/xnnpack/delegate/taps.h"

#include "backends/builtin.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "bundled_program/bundle.h"
#include "runtime/executor/method.h"
#include "runtime/executor/module_data.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "tests/backends/xnnpack/reference_node.h"
#include "tests/conformance/cases.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace et::test {
namespace {

using namespace backends::xnnpack;

/// One recorded tap.
struct Tapped {
    core::TapSite site;
    std::vector<std::byte> bytes;
    std::string operatorName{};  ///< empty: the id is an int
    std::int32_t intId = -1;
};

/// Records all taps of the last run.
class TapKeeper final : public core::EventTracer {
  public:
    explicit TapKeeper(std::function<bool(const core::TapSite&)> filter =
                           [](const core::TapSite&) { return true; })
        : wanted(std::move(filter)) {}

    core::TraceName name(std::string_view) override { return core::TraceName(0); }
    void beginRun(std::string_view) override { got.clear(); }
    void endRun() override {}
    void profile(core::TraceName, const core::TraceIds&, std::uint64_t, std::uint64_t, core::Bytes) override {
    }
    std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}
    bool wantsTaps() const override { return true; }
    bool wantsTap(const core::TapSite& site) override {
        if (!wanted(site)) {
            return false;
        }
        sites.push_back(site);
        return true;
    }
    void tap(const core::TraceIds& ids, core::Value& value) override {
        const auto* tensor = value.as<core::Tensor>();
        ASSERT_NE(tensor, nullptr);
        got.push_back({.site = sites.at(got.size()),
                       .bytes = {tensor->rawBytes().begin(), tensor->rawBytes().end()},
                       .operatorName = std::string(ids.delegateString),
                       .intId = ids.delegateInt});
    }
    void tapped(const core::TapReport& each) override { report = each; }

    std::function<bool(const core::TapSite&)> wanted;
    std::vector<core::TapSite> sites;
    std::vector<Tapped> got;
    core::TapReport report;
};

/// A program with one delegate and one float input with random elements.
class DelegatedProgram {
  public:
    explicit DelegatedProgram(const std::string& file, core::EventTracer* tracer) {
        bundle = bundled_program::Bundle::open(sharedData() / "programs" / file).value();
        program = program::Program::parse(bundle->file, bundle->program).value();
        module.emplace(
            program,
            executor::Environment{
                .kernels = registry, .backends = backends::builtin(), .threads = threads, .tracer = tracer});
        method = module->load("forward").value();
    }

    void run() {
        const auto& info =
            *method->description().value(method->description().inputs[0]).as<program::TensorInfo>();
        std::vector<float> numbers(static_cast<std::size_t>(info.byteSize.value()) / sizeof(float));
        std::minstd_rand random(7);
        std::uniform_real_distribution<float> range(-2, 2);
        std::ranges::generate(numbers, [&] { return range(random); });
        ASSERT_TRUE(method->setInput(0, executor::TensorInput{.sizes = info.sizes,
                                                              .dimOrder = info.dimOrder,
                                                              .data = std::as_bytes(std::span(numbers))}));
        const auto done = method->execute();
        ASSERT_TRUE(done) << done.error().toString();
        input.assign(numbers.begin(), numbers.end());
    }

    [[nodiscard]] std::vector<std::byte> output() {
        const auto* tensor = method->output(0).as<core::Tensor>();
        if (tensor == nullptr) {
            ADD_FAILURE() << "expected a tensor";
            return {};
        }
        return {tensor->rawBytes().begin(), tensor->rawBytes().end()};
    }

    [[nodiscard]] core::Bytes payload() const { return program->methods[0].delegates[0].payload; }

    kernels::ThreadPool threads{2};
    kernels::KernelRegistry registry = kernels::builtin();
    std::shared_ptr<const bundled_program::Bundle> bundle;
    std::shared_ptr<const program::Program> program;
    std::optional<executor::Module> module;
    executor::Method* method = nullptr;
    Elements input;
};

/// Returns the elements of constants and tapped values, by ValueIndex.
std::vector<Elements> knownValues(const Payload& payload, const ConstantData& constants,
                                  const std::vector<Tapped>& tapped) {
    std::vector<Elements> known(payload.values.size());
    for (ValueIndex i = 0; i < known.size(); ++i) {
        const PayloadValue& value = payload.value(i);
        const auto count =
            std::accumulate(value.sizes.begin(), value.sizes.end(), std::size_t{1}, std::multiplies{});
        if (value.constant != 0) {
            known[i] = elementsOf(value.datatype, constants.data(i), count);
        }
        const auto found =
            std::ranges::find(tapped, value.id, [](const Tapped& each) { return each.site.value; });
        if (found != tapped.end()) {
            known[i] = elementsOf(value.datatype, found->bytes.data(), count);
        }
    }
    return known;
}

/// Compares a node's result with the expected one, bit for bit if quantized. Float sums may differ by 1e-4 of
/// each element, or, where larger terms cancel out, by 2e-6 of the largest element of the tensor, which is
/// the precision of fp32.
testing::AssertionResult agrees(const Elements& got, const Elements& expected, bool exactly) {
    if (got.size() != expected.size() || got.empty()) {
        return testing::AssertionFailure() << got.size() << " elements, expected " << expected.size();
    }
    double largest = 0;
    for (const double number : expected) {
        largest = std::max(largest, std::abs(number));
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double allowed = exactly ? 0 : 1e-4 * std::abs(expected[i]) + 2e-6 * largest;
        if (!(std::abs(got[i] - expected[i]) <= allowed)) {
            return testing::AssertionFailure()
                   << "element " << i << " is " << got[i] << ", expected " << expected[i];
        }
    }
    return testing::AssertionSuccess();
}

/// Runs a program with all taps and recomputes each node from the tapped inputs.
void expectEveryValue(const std::string& file) {
    TapKeeper taps;
    DelegatedProgram model(file, &taps);
    model.run();
    const auto payload = readPayload(model.payload()).value();
    const executor::ModuleData named(*model.program, {});
    const auto constants = ConstantData::find(payload, named).value();
    ASSERT_EQ(taps.report.failure, "");
    ASSERT_EQ(taps.got.size(), payload.nodes.size()) << "every node of these has one output";
    auto known = knownValues(payload, constants, taps.got);
    known[payload.externals[0]] = model.input;
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        const PayloadNode& node = payload.nodes[i];
        const auto expected = referenceNode(payload, constants, exportedShapes(payload), known, node);
        ASSERT_TRUE(expected) << "no reference for " << node.traits->name;
        const bool exactly = payload.value(node.outputs[0]).datatype == Datatype::QInt8;
        EXPECT_TRUE(agrees(known[node.outputs[0]], *expected, exactly))
            << "nodes[" << i << "] " << node.traits->name;
    }
}

/// Checks that a run with taps matches a run without, and that no difference is reported.
void expectSameRun(const std::string& file) {
    TapKeeper taps;
    DelegatedProgram tapped(file, &taps);
    DelegatedProgram plain(file, nullptr);
    tapped.run();
    plain.run();
    EXPECT_EQ(tapped.output(), plain.output());
    EXPECT_THAT(taps.report.changedOutputs, testing::IsEmpty());
}

class TapsTest : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override { ET_NEEDS_SHARED_DATA(); }
};

TEST_P(TapsTest, EveryValueMatchesItsNodeAppliedToItsInputs) {
    expectEveryValue(GetParam());
}

TEST_P(TapsTest, OutputsAreUnchangedByTaps) {
    expectSameRun(GetParam());
}

TEST_P(TapsTest, CarryHandlesAndOperatorsOrIds) {
    TapKeeper taps;
    DelegatedProgram model(GetParam(), &taps);
    model.run();
    const auto payload = readPayload(model.payload()).value();
    std::size_t operators = 0;
    for (std::size_t i = 0; i < taps.got.size(); ++i) {
        const Tapped& each = taps.got[i];
        EXPECT_NE(each.operatorName.empty(), each.intId == -1);
        EXPECT_TRUE(each.intId == -1 || each.intId == static_cast<std::int32_t>(each.site.value));
        EXPECT_EQ(each.site.debugHandle.value_or(noDebugHandle), payload.nodes[i].debugHandle);
        operators += each.operatorName.empty() ? 0U : 1U;
    }
    EXPECT_EQ(operators, taps.report.operators) << "each operator has one output";
    EXPECT_EQ(taps.report.operatorsWithTaps, payload.nodes.size());
    EXPECT_EQ(taps.report.changedOperators.size(), payload.nodes.size() - taps.report.operators)
        << "an operator less for each that was fused, and in these files pairs are fused";
}

TEST_P(TapsTest, DeliversOnlyRequestedValues) {
    TapKeeper taps([](const core::TapSite& site) { return site.nodeKind == "XNNAdd"; });
    DelegatedProgram model(GetParam(), &taps);
    model.run();
    EXPECT_EQ(taps.got.size(), 10U);
    TapKeeper nothing([](const core::TapSite&) { return false; });
    model.method->setTracer(&nothing);
    model.run();
    EXPECT_THAT(nothing.got, testing::IsEmpty());
    EXPECT_EQ(nothing.report.values, 0U);
}

INSTANTIATE_TEST_SUITE_P(MobileNet, TapsTest,
                         testing::Values("mobilenet_v2_small/xnnpack.bpte",
                                         "mobilenet_v2_small/xnnpack_q8.bpte", "mobilenet_v2/xnnpack.bpte",
                                         "mobilenet_v2/xnnpack_q8.bpte"));

/// Dynamic quantization: each product must match its dequantized tapped input, which shows that the tapped
/// values are those that XNNPACK multiplied.
class DynamicTapsTest : public TapsTest {};

TEST_P(DynamicTapsTest, EveryValueMatchesItsNodeAppliedToItsInputs) {
    expectEveryValue(GetParam());
}

TEST_P(DynamicTapsTest, OutputsAreUnchangedByTaps) {
    expectSameRun(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Mlp, DynamicTapsTest,
                         testing::Values("mlp/xnnpack_8da8w.bpte", "mlp_8da4w/xnnpack.bpte"));

/// Counts taps per call.
class TapCounter final : public core::EventTracer {
  public:
    core::TraceName name(std::string_view) override { return core::TraceName(0); }
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName, const core::TraceIds&, std::uint64_t, std::uint64_t, core::Bytes) override {
    }
    std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}
    bool wantsTaps() const override { return true; }
    bool wantsTap(const core::TapSite&) override { return true; }
    void tap(const core::TraceIds&, core::Value& value) override {
        delivered += value.as<core::Tensor>() != nullptr ? 1U : 0U;
    }
    void tapped(const core::TapReport& report) override {
        reports.push_back(report);
        counts.push_back(std::exchange(delivered, 0));
    }

    std::size_t delivered = 0;
    std::vector<core::TapReport> reports;
    std::vector<std::size_t> counts;
};

/// Returns the number of values computed by the nodes of the called delegate.
std::size_t valuesOf(const program::Method& method, const core::TapReport& report) {
    const auto& chain = method.chains.at(static_cast<std::size_t>(report.chain));
    const auto* call = std::get_if<program::DelegateCall>(
        &chain.instructions.at(static_cast<std::size_t>(report.instruction)));
    if (call == nullptr) {
        ADD_FAILURE() << "no delegate call";
        return 0;
    }
    const auto payload = readPayload(method.delegate(call->delegate).payload).value();
    std::size_t count = 0;
    for (const PayloadNode& node : payload.nodes) {
        count += node.outputs.size();
    }
    return count;
}

TEST(TapsOfProgramsTest, EveryValueOfEveryDelegateIsDelivered) {
    ET_NEEDS_SHARED_DATA();
    std::size_t calls = 0;
    for (const auto& test : conformance::runnablePrograms(sharedData())) {
        SCOPED_TRACE(test.file);
        TapCounter taps;
        const auto bundle = bundled_program::Bundle::open(sharedData() / test.file).value();
        const auto program = program::Program::parse(bundle->file, bundle->program).value();
        if (!test.tensorData.empty() || !program->methods[0].name.starts_with("forward")) {
            continue;
        }
        const kernels::ThreadPool threads(1);
        executor::Module module(program, executor::Environment{.kernels = kernels::builtin(),
                                                               .backends = backends::builtin(),
                                                               .threads = threads,
                                                               .tracer = &taps});
        auto* method = module.load("forward").value();
        for (const auto& suite : bundle->suites) {
            if (suite.method != "forward" || suite.cases.empty()) {
                continue;
            }
            ASSERT_TRUE(bundled_program::setInputs(*method, suite.cases[0]));
            const auto done = method->execute();
            ASSERT_TRUE(done) << done.error().toString();
        }
        for (std::size_t i = 0; i < taps.reports.size(); ++i, ++calls) {
            EXPECT_EQ(taps.reports[i].failure, "");
            EXPECT_EQ(taps.counts[i], valuesOf(method->description(), taps.reports[i]));
        }
    }
    EXPECT_GT(calls, 100U);
}

PayloadNode addNode(ValueIndex a, ValueIndex b, ValueIndex to) {
    return {.traits = nodeKind(static_cast<std::uint8_t>(NodeKind::Add)), .inputs = {a, b}, .outputs = {to}};
}

TEST(TapGraphTest, PromotesInnerValuesBehindTheExternals) {
    Payload payload;
    payload.values.resize(4);
    for (std::uint32_t i = 0; i < payload.values.size(); ++i) {
        payload.values[i].id = i;
        payload.values[i].datatype = Datatype::Fp32;
    }
    payload.values[0].isInput = true;
    payload.values[3].isOutput = true;
    payload.values[1].datatype = Datatype::QDInt8;
    payload.externals = {0, 3};
    payload.nodes = {addNode(0, 0, 1), addNode(0, 0, 2), addNode(2, 2, 3)};
    auto taps = tappableValues(payload);
    ASSERT_EQ(taps.size(), 3U);
    const Payload promoted = promote(payload, taps);
    EXPECT_THAT(promoted.externals, testing::ElementsAre(0, 3, 1, 2));
    EXPECT_TRUE(promoted.values[1].isOutput);
    EXPECT_TRUE(promoted.values[2].isOutput);
    EXPECT_EQ(taps[0].external, 2U);
    EXPECT_EQ(taps[1].external, 3U);
    EXPECT_EQ(taps[2].external, 1U) << "an output already";
}

TEST(TapGraphTest, IntermediateValueIsNotAnOutput) {
    Payload payload;
    payload.nodes = {addNode(0, 0, 1), addNode(1, 1, 2)};
    const std::vector<ProfiledOperator> fused{
        {.name = "Add #1", .nodes = std::vector<std::size_t>{0, 1}, .metadata = {}}};
    EXPECT_EQ(operatorOf(payload, fused, {.value = 1, .node = 0}), nullptr);
    EXPECT_EQ(operatorOf(payload, fused, {.value = 2, .node = 1}), fused.data());
    const std::vector<ProfiledOperator> unknown{{.name = "Add #1", .nodes = {}, .metadata = {}}};
    EXPECT_EQ(operatorOf(payload, unknown, {.value = 2, .node = 1}), nullptr);
    const std::vector<ProfiledOperator> apart{
        {.name = "Add #1", .nodes = std::vector<std::size_t>{0}, .metadata = {}},
        {.name = "Add #2", .nodes = std::vector<std::size_t>{1}, .metadata = {}}};
    EXPECT_THAT(changedOperators(fused, apart), testing::ElementsAre("Add #1"));
    EXPECT_THAT(changedOperators(apart, apart), testing::IsEmpty());
}

}  // namespace
}  // namespace et::test
