#include "backends/xnnpack/delegate/delegate.h"

#include "backends/builtin.h"
#include "backends/xnnpack/library/load_options.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/executor/module_data.h"
#include "runtime/executor/no_named_data.h"
#include "tests/backends/xnnpack/real_payloads.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

class RecordedEvents final : public core::EventTracer {
  public:
    [[nodiscard]] core::TraceName name(std::string_view) override { return core::TraceName{0}; }
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override {
        events.push_back({std::string(ids.delegateString),
                          start,
                          end,
                          {reinterpret_cast<const char*>(metadata.data()), metadata.size()}});
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

    struct Event {
        std::string name;
        std::uint64_t start, end;
        std::string metadata;
    };
    std::vector<Event> events;
};

/// Tensors for all externals of a payload, with their exported shapes.
struct Call {
    explicit Call(const Payload& payload) {
        for (const ValueIndex external : payload.externals) {
            const PayloadValue& value = payload.value(external);
            const std::vector<std::int64_t> sizes(value.sizes.begin(), value.sizes.end());
            std::int64_t count = 1;
            for (const std::int64_t size : sizes) {
                count *= size;
            }
            memory.emplace_back(static_cast<std::size_t>(count) * sizeof(float) + 64);
            auto tensor = core::Tensor::make(core::ScalarType::Float, sizes, memory.back().data());
            tensor->setMemory(memory.back().data(), memory.back().size());
            tensor->setShape(core::Tensor::Shape::Bounded);
            values.emplace_back(*tensor);
        }
        for (core::Value& value : values) {
            arguments.push_back(&value);
        }
    }
    std::vector<std::vector<std::byte>> memory;
    std::vector<core::Value> values;
    std::vector<core::Value*> arguments;
};

using Use = std::function<void(const program::Program&, const program::Delegate&)>;

void withPayload(const std::string& folder, const std::string& file, const Use& use) {
    bool used = false;
    test::forEachXnnpackPayload(folder, [&](const auto& path, const auto& program, const auto& delegate) {
        if (path.filename() == file && !used) {
            used = true;
            use(program, delegate);
        }
    });
    EXPECT_TRUE(used);
}

core::Result<std::unique_ptr<Delegate>> load(const program::Program& program,
                                             const program::Delegate& delegate,
                                             std::shared_ptr<executor::SharedState>* shared = nullptr,
                                             std::uint64_t memoryBytes = 1 << 30,
                                             const LoadOptions& options = {}) {
    static const kernels::ThreadPool threads(1);
    const executor::ModuleData data(program, {});
    const auto given = options.all();
    return Delegate::load({.delegate = delegate,
                           .method = "forward",
                           .namedData = data,
                           .threads = threads,
                           .shared = shared,
                           .traced = false,
                           .memoryBytes = memoryBytes,
                           .options = given});
}

/// Two delegates of one module and one of another, which were prepared with `options`.
using ThreeDelegates = std::array<std::unique_ptr<Delegate>, 3>;

ThreeDelegates loadThree(const program::Program& program, const program::Delegate& delegate,
                         const LoadOptions& options) {
    std::array<std::shared_ptr<executor::SharedState>, 2> modules;
    ThreeDelegates delegates;
    for (std::size_t i = 0; i < delegates.size(); ++i) {
        auto loaded = load(program, delegate, &modules[i / 2], 1 << 30, options);
        EXPECT_TRUE(loaded) << loaded.error().toString();
        delegates[i] = std::move(*loaded);
        EXPECT_TRUE(delegates[i]->prepare());
    }
    return delegates;
}

TEST(XnnpackDelegateTest, IsInTheListOfBackends) {
    EXPECT_EQ(std::ranges::count(builtin(), "XnnpackBackend", &executor::Backend::name), 1);
}

TEST(XnnpackDelegateTest, WrongArgumentsAreErrors) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/linear", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        auto loaded = load(program, delegate);
        ASSERT_TRUE(loaded) << loaded.error().toString();
        Call call((*loaded)->payload());
        EXPECT_TRUE((*loaded)->execute({}, call.arguments));
        EXPECT_FALSE((*loaded)->execute({}, std::span(call.arguments).first(1)));

        core::Value number(std::int64_t{3});
        std::array<core::Value*, 2> wrong{&number, call.arguments[1]};
        const auto refused = (*loaded)->execute({}, wrong);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, testing::HasSubstr("expected a tensor of fp32"));

        const std::vector<std::int64_t> sizes{1, 1};
        core::Value narrow(*core::Tensor::make(core::ScalarType::Float, sizes, call.memory[0].data()));
        wrong[0] = &narrow;
        const auto unfit = (*loaded)->execute({}, wrong);
        ASSERT_FALSE(unfit);
        EXPECT_THAT(unfit.error().message, testing::HasSubstr("expected a filter for inputs [1, 1]"));
        EXPECT_TRUE((*loaded)->execute({}, call.arguments)) << "a refused call must not spoil the next one";
    });
}

/// The replacing tensor is also fixed, so only its other memory tells that it is not the one that was
/// checked.
TEST(XnnpackDelegateTest, ReplacedTensorIsReexamined) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/add", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        const auto loaded = load(program, delegate);
        ASSERT_TRUE(loaded) << loaded.error().toString();
        Call call((*loaded)->payload());
        std::vector<core::Bytes> planned;
        for (std::size_t i = 0; i < call.values.size(); ++i) {
            call.values[i].template as<core::Tensor>()->setShape(core::Tensor::Shape::Fixed);
            planned.emplace_back(call.memory[i]);
        }
        const executor::DelegateCallContext context{.plannedMemory = planned};
        ASSERT_TRUE((*loaded)->execute(context, call.arguments));
        ASSERT_TRUE((*loaded)->execute(context, call.arguments)) << "the same again";
        const core::Tensor old = *call.values[0].template as<core::Tensor>();
        std::vector<std::byte> elements(old.bytes());
        const auto other = core::Tensor::make(core::ScalarType::Int, old.sizes(), elements.data());
        ASSERT_TRUE(other);
        call.values[0].set(*other);
        const auto done = (*loaded)->execute(context, call.arguments);
        ASSERT_FALSE(done);
        EXPECT_THAT(done.error().toString(), testing::HasSubstr("got int32"));
        call.values[0].set(old);
        EXPECT_TRUE((*loaded)->execute(context, call.arguments));
    });
}

TEST(XnnpackDelegateTest, MissingDataIsAnErrorThatNamesIt) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/linear", "xnnpack.bpte", [](const auto&, const auto& delegate) {
        const kernels::ThreadPool threads(1);
        const executor::NoNamedData none;
        const auto loaded = Delegate::load(
            {.delegate = delegate, .method = "forward", .namedData = none, .threads = threads});
        ASSERT_FALSE(loaded);
        EXPECT_EQ(loaded.error().code, core::ErrorCode::NotFound);
        EXPECT_THAT(loaded.error().message, testing::HasSubstr("no data named"));
    });
}

TEST(XnnpackDelegateTest, ValuesBeyondTheLimitAreRefused) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/mobilenet_v2_small", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        const auto loaded = load(program, delegate, nullptr, 1000);
        ASSERT_FALSE(loaded);
        EXPECT_EQ(loaded.error().code, core::ErrorCode::Limit);
    });
}

TEST(XnnpackDelegateTest, WeightsArePackedOnceForAModule) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/mobilenet_v2_small", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        std::shared_ptr<executor::SharedState> shared;
        const auto first = load(program, delegate, &shared);
        const auto second = load(program, delegate, &shared);
        ASSERT_TRUE(first && second);
        EXPECT_GT((*first)->packedBytes(), 1'000'000U);
        EXPECT_LT((*second)->packedBytes(), (*first)->packedBytes() / 50) << "what nodes of ours keep";
    });
}

TEST(XnnpackDelegateTest, PackedWeightsAreThoseOfTheLayer) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/linear", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        const auto loaded = load(program, delegate);
        ASSERT_TRUE(loaded) << loaded.error().toString();
        std::uint64_t min = 0;
        std::uint64_t max = 0;
        for (const PayloadNode& node : (*loaded)->payload().nodes) {
            if (node.inputs.size() < 2 || (*loaded)->payload().value(node.inputs[1]).constant == 0) {
                continue;
            }
            const auto& filter = (*loaded)->payload().value(node.inputs[1]);
            ASSERT_EQ(filter.datatype, Datatype::Fp32);
            ASSERT_EQ(filter.sizes.size(), 2U);
            // One bias per output; kernels pad outputs to their tile and inputs to their load width.
            constexpr std::uint64_t widestTile = 64;
            constexpr std::uint64_t widestLoad = 16;
            const auto padded = [](std::uint64_t count, std::uint64_t to) {
                return (count + to - 1) / to * to;
            };
            const std::uint64_t outputs = filter.sizes[0];
            const std::uint64_t inputs = filter.sizes[1];
            min += outputs * (inputs + 1) * sizeof(float);
            max += padded(outputs, widestTile) * (padded(inputs, widestLoad) + 1) * sizeof(float);
        }
        ASSERT_GT(min, 0U);
        EXPECT_GE((*loaded)->packedBytes(), min);
        EXPECT_LE((*loaded)->packedBytes(), max);
    });
}

TEST(XnnpackDelegateTest, SharedWorkspaceIsAttributedByGrowth) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/mobilenet_v2_small", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        std::shared_ptr<executor::SharedState> shared;
        const auto first = load(program, delegate, &shared);
        const auto second = load(program, delegate, &shared);
        const auto alone = load(program, delegate);
        ASSERT_TRUE(first && second && alone);
        EXPECT_EQ((*first)->workspaceBytes(), 0U) << "only running needs it";
        for (const auto* each : {&first, &second, &alone}) {
            ASSERT_TRUE((**each)->prepare());
        }
        EXPECT_GT((*first)->workspaceBytes(), 0U);
        EXPECT_EQ((*first)->workspaceBytes(), (*alone)->workspaceBytes());
        EXPECT_EQ((*second)->workspaceBytes(), 0U) << "it needs no more than the first";
    });
}

TEST(XnnpackDelegateTest, WithoutWeightCacheEachDelegatePacksItsWeights) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/mobilenet_v2_small", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        const auto cached = loadThree(program, delegate, {});
        const auto uncached = loadThree(program, delegate, {.weightCache = false});
        EXPECT_LT(cached[1]->packedBytes(), cached[0]->packedBytes() / 50);
        EXPECT_EQ(uncached[1]->packedBytes(), uncached[0]->packedBytes());
        EXPECT_GE(uncached[0]->packedBytes(), cached[0]->packedBytes());
    });
}

TEST(XnnpackDelegateTest, WorkspaceIsSharedAsAsked) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/mobilenet_v2_small", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        const auto workspaces = [&](WorkspaceSharing sharing) {
            std::vector<bool> hasOwn;
            for (const auto& each : loadThree(program, delegate, {.workspaceSharing = sharing})) {
                hasOwn.push_back(each->workspaceBytes() > 0);
            }
            return hasOwn;
        };
        EXPECT_THAT(workspaces(WorkspaceSharing::Disabled), testing::ElementsAre(true, true, true));
        EXPECT_THAT(workspaces(WorkspaceSharing::PerModel), testing::ElementsAre(true, false, true));
        EXPECT_THAT(workspaces(WorkspaceSharing::Global), testing::ElementsAre(true, false, false));
    });
}

TEST(XnnpackDelegateTest, ResultsDoNotDependOnTheOptions) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/mobilenet_v2_small", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        std::vector<std::vector<std::byte>> first;
        for (const auto sharing :
             {WorkspaceSharing::PerModel, WorkspaceSharing::Disabled, WorkspaceSharing::Global}) {
            for (const bool cache : {true, false}) {
                auto delegates =
                    loadThree(program, delegate, {.workspaceSharing = sharing, .weightCache = cache});
                delegates[0].reset();  // the others keep the shared memory
                for (auto& each : {std::ref(delegates[1]), std::ref(delegates[2]), std::ref(delegates[1])}) {
                    Call call(each.get()->payload());
                    ASSERT_TRUE(each.get()->execute({}, call.arguments));
                    if (first.empty()) {
                        first = call.memory;
                    }
                    EXPECT_EQ(call.memory, first);
                }
            }
        }
    });
}

TEST(XnnpackDelegateTest, WrongOptionsAreErrors) {
    const std::vector<executor::BackendOption> wrong{
        {.backend = "XnnpackBackend", .key = "workspace_sharing_mode", .value = 3}};
    ASSERT_FALSE(LoadOptions::from(wrong));
    EXPECT_EQ(LoadOptions::from(wrong).error().message,
              "XnnpackBackend: workspace_sharing_mode: expected 0 (disabled), 1 (per model) or 2 (global)");
    const std::vector<executor::BackendOption> others{
        {.backend = "OtherBackend", .key = "workspace_sharing_mode", .value = 3},
        {.backend = "XnnpackBackend", .key = "packed_cache_path", .value = std::string("x")}};
    EXPECT_EQ(LoadOptions::from(others).value(), LoadOptions());
}

TEST(XnnpackDelegateTest, EveryOperatorIsAnEventWithItsNodes) {
    ET_NEEDS_SHARED_DATA();
    withPayload("programs/mobilenet_v2_small", "xnnpack.bpte", [](const auto& program, const auto& delegate) {
        auto loaded = load(program, delegate);
        ASSERT_TRUE(loaded);
        Call call((*loaded)->payload());
        RecordedEvents tracer;
        ASSERT_TRUE((*loaded)->execute({.tracer = &tracer, .ids = {}}, call.arguments));
        ASSERT_GT(tracer.events.size(), 50U);
        EXPECT_EQ(tracer.events.size(), (*loaded)->operators().size());
        EXPECT_TRUE(std::ranges::any_of(tracer.events, [](const auto& event) {
            return event.name == "Convolution (NHWC, F32) IGEMM #1";
        }));
        std::vector<bool> seen((*loaded)->payload().nodes.size());
        for (const ProfiledOperator& op : (*loaded)->operators()) {
            ASSERT_TRUE(op.nodes) << op.name;
            for (const std::size_t node : *op.nodes) {
                seen[node] = true;
            }
        }
        EXPECT_EQ(std::ranges::count(seen, false), 0) << "a node belongs to no operator";
        for (std::size_t i = 1; i < tracer.events.size(); ++i) {
            EXPECT_EQ(tracer.events[i].start, tracer.events[i - 1].end);
            EXPECT_THAT(tracer.events[i].metadata, testing::HasSubstr(R"("start":"synthetic")"));
        }
    });
}

Payload twoAddsAndAClamp() {
    Payload payload;
    payload.values.resize(4);
    const auto traits = [](NodeKind kind) { return nodeKind(static_cast<std::uint8_t>(kind)); };
    payload.nodes.push_back(
        {.traits = traits(NodeKind::Add), .debugHandle = 1, .inputs = {0, 0}, .outputs = {1}});
    payload.nodes.push_back(
        {.traits = traits(NodeKind::Clamp), .debugHandle = 2, .inputs = {1}, .outputs = {2}});
    payload.nodes.push_back(
        {.traits = traits(NodeKind::Add), .debugHandle = 3, .inputs = {2, 2}, .outputs = {3}});
    return payload;
}

std::vector<LibraryNode> libraryNodes(const Payload& payload) {
    std::vector<LibraryNode> nodes;
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        const NodeKindInfo& traits = *payload.nodes[i].traits;
        nodes.push_back(
            {.payloadNode = i, .operatorNames = traits.operatorNames, .tracedAs = traits.tracedAs});
    }
    return nodes;
}

TEST(MatchOperatorsTest, AFusedNodeBelongsToTheOperatorBeforeIt) {
    const Payload payload = twoAddsAndAClamp();
    const std::vector<std::string> names{"Binary Elementwise (ND)", "Binary Elementwise (ND)"};
    const auto operators = matchOperators(payload, libraryNodes(payload), names);
    ASSERT_EQ(operators.size(), 2U);
    EXPECT_EQ(operators[0].name, "Add (ND) #1");
    EXPECT_EQ(operators[0].metadata, R"({"debug_handles":[1,2],"start":"synthetic"})");
    EXPECT_EQ(operators[1].metadata, R"({"debug_handles":[3],"start":"synthetic"})");
}

TEST(MatchOperatorsTest, AnAddedClampBelongsToTheNodeBeforeIt) {
    Payload payload = twoAddsAndAClamp();
    payload.nodes[2].range = {.min = 0, .max = 6};
    std::vector<LibraryNode> nodes = libraryNodes(payload);
    ASSERT_TRUE(isClampedSeparately(payload.nodes[2]));
    nodes.push_back(addedClamp(2));
    const std::vector<std::string> names{"Binary Elementwise (ND)", "Binary Elementwise (ND)",
                                         "Unary Elementwise (NC)"};
    const auto operators = matchOperators(payload, nodes, names);
    ASSERT_EQ(operators.size(), 3U);
    EXPECT_EQ(operators[2].name, "Clamp (NC) #1");
    EXPECT_EQ(operators[2].metadata, R"({"debug_handles":[3],"start":"synthetic"})");
    const auto fused = matchOperators(payload, nodes, std::span(names).first(2));
    EXPECT_EQ(fused[1].metadata, R"({"debug_handles":[3],"start":"synthetic"})");
}

TEST(MatchOperatorsTest, AmbiguousOperatorsAreUnmatched) {
    const Payload payload = twoAddsAndAClamp();
    const std::vector<std::string> names{"Binary Elementwise (ND)"};
    const auto operators = matchOperators(payload, libraryNodes(payload), names);
    ASSERT_EQ(operators.size(), 1U);
    EXPECT_FALSE(operators[0].nodes);
    EXPECT_EQ(operators[0].metadata, R"({"start":"synthetic"})");
    const std::vector<std::string> strange{"Something Else (NC)"};
    EXPECT_FALSE(matchOperators(payload, libraryNodes(payload), strange)[0].nodes);
}

}  // namespace
}  // namespace et::backends::xnnpack
