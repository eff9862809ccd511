// Tests of traces recorded by ExecuTorch's runner, whose library has different kernels: operators inside
// delegates are joined by name only, if the program is available.
#include "inspector/comparison/alignment.h"
#include "inspector/session/session.h"
#include "tests/inspector/join_support.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace et::inspector {
namespace {

using std::filesystem::path;

struct RealRun {
    std::string trace;
    std::string program;
};

class ForeignTraceTest : public testing::TestWithParam<RealRun> {
  protected:
    [[nodiscard]] static SessionFiles files(bool withProgram) {
        const path base = test::sharedData() / "programs" / GetParam().program;
        return {.trace = test::sharedData() / "traces" / GetParam().trace / "trace.etdp",
                .record = path(base).replace_extension(".etrecord"),
                .debugBuffer = {},
                .bundle = withProgram ? path(base).replace_extension(".bpte") : path()};
    }
};

bool isOperatorInside(const Event& event) {
    return event.delegated && !event.samples.empty();
}

TEST_P(ForeignTraceTest, OperatorsInsideOfDelegatesHaveTheirOwnNodes) {
    ET_NEEDS_SHARED_DATA();
    const auto session = Session::open(files(true));
    ASSERT_TRUE(session) << session.error().toString();
    EXPECT_THAT((*session)->blocks->warnings(), testing::IsEmpty());
    std::size_t operators = 0;
    std::size_t joined = 0;
    std::size_t products = 0;
    for (const Block& block : (*session)->blocks->blocks()) {
        for (const Event& event : block.events) {
            if (!isOperatorInside(event)) {
                continue;
            }
            ++operators;
            joined += event.handleSource == HandleSource::DelegatePayload ? 1 : 0;
            EXPECT_LE(event.handles.size(), 8U) << event.name;
            const auto types = opTypes(block, event);
            if (event.name.starts_with("Convolution") && !types.empty()) {
                ++products;
                EXPECT_THAT(types, testing::Contains(testing::HasSubstr("convolution"))) << event.name;
            }
        }
    }
    EXPECT_GT(operators, 10U);
    EXPECT_EQ(joined, operators);
    EXPECT_TRUE(products > 0 || !GetParam().trace.starts_with("mobilenet"));
}

// The table for a trace and an ETRecord is the same as the reference's.
TEST_P(ForeignTraceTest, WithoutTheProgramTheyHaveNone) {
    ET_NEEDS_SHARED_DATA();
    const auto session = Session::open(files(false));
    ASSERT_TRUE(session) << session.error().toString();
    for (const Block& block : (*session)->blocks->blocks()) {
        for (const Event& event : block.events) {
            EXPECT_TRUE(!isOperatorInside(event) || event.handleSource == HandleSource::UnmappedDelegate)
                << event.name;
        }
    }
}

/// Returns a measurement of the same trace with the kernel names of another library version.
Measurement withOtherKernels(Measurement measurement) {
    for (OperatorTimes& each : measurement.methods.back().operators) {
        const auto kernel = each.name.find(") ");
        if (each.kind == OperatorKind::DelegatedOperator && kernel != std::string::npos) {
            each.name =
                each.name.substr(0, kernel) + ") f32_ukernel_7x4" + each.name.substr(each.name.rfind(" #"));
        }
        if (each.kind == OperatorKind::DelegatedOperator && each.name.starts_with("Fully Connected (")) {
            each.name.replace(0, std::string("Fully Connected").size(), "Convolution");
        }
    }
    return measurement;
}

TEST_P(ForeignTraceTest, OtherKernelsAreNeitherAddedNorRemoved) {
    ET_NEEDS_SHARED_DATA();
    for (const bool withProgram : {true, false}) {
        const auto session = Session::open(files(withProgram));
        ASSERT_TRUE(session) << session.error().toString();
        const Measurement ours = makeMeasurement(*(*session)->blocks, "ours");
        const Measurement theirs = withOtherKernels(ours);
        const auto& a = ours.methods.back().operators;
        for (const AlignedPair& pair : alignOperators(a, theirs.methods.back().operators)) {
            ASSERT_TRUE(pair.a && pair.b);
            EXPECT_EQ(*pair.a, *pair.b) << a[*pair.a].name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Real, ForeignTraceTest,
                         testing::Values(RealRun{"mobilenet_v2_small_xnnpack", "mobilenet_v2_small/xnnpack"},
                                         RealRun{"mobilenet_v2_small_xnnpack_q8",
                                                 "mobilenet_v2_small/xnnpack_q8"},
                                         RealRun{"bert_tiny_xnnpack", "bert_tiny/xnnpack"}),
                         [](const auto& run) { return run.param.trace; });

}  // namespace
}  // namespace et::inspector
