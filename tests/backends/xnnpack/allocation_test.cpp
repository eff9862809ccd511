// Tests that running does not allocate heap memory, neither in this project nor in XNNPACK.

#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "tests/support/allocation_count.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::backends {
namespace {

constexpr int warmups = 3;
constexpr int runs = 5;

/// Expects no allocations in executions of the bundle's first case after warm-up.
void expectNone(const std::string& file, std::size_t threadCount) {
    SCOPED_TRACE(file + ", threads: " + std::to_string(threadCount));
    const auto bundle = bundled_program::Bundle::open(test::sharedData() / file);
    ASSERT_TRUE(bundle) << bundle.error().toString();
    const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
    ASSERT_TRUE(program) << program.error().toString();
    const kernels::ThreadPool threads(threadCount);
    executor::Module module(
        *program, {.kernels = kernels::builtin(), .backends = backends::builtin(), .threads = threads});
    const auto& suite = (*bundle)->suites.front();
    const auto method = module.load(suite.method);
    ASSERT_TRUE(method) << method.error().toString();
    for (int run = 0; run < warmups + runs; ++run) {
        ASSERT_TRUE(bundled_program::setInputs(**method, suite.cases.front()));
        const test::AllocationCount count;
        const bool done = (*method)->execute().has_value();
        const std::uint64_t taken = count.count();
        ASSERT_TRUE(done);
        if (run >= warmups) {
            EXPECT_EQ(taken, 0U);
        }
    }
}

TEST(AllocationTest, CountsAllocatedBytes) {
    const test::AllocationCount count;
    const auto number = std::make_unique<int>(1);
    const std::vector<int> numbers(10, *number);
    EXPECT_EQ(count.count(), 2U);
}

TEST(AllocationTest, DelegateReportsItsHeapUse) {
    ET_NEEDS_SHARED_DATA();
    const auto bundle = bundled_program::Bundle::open(test::sharedData() / "programs/bert_tiny/xnnpack.bpte");
    ASSERT_TRUE(bundle) << bundle.error().toString();
    const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
    ASSERT_TRUE(program) << program.error().toString();
    const kernels::ThreadPool threads(1);
    executor::Module module(
        *program, {.kernels = kernels::builtin(), .backends = backends::builtin(), .threads = threads});
    const test::AllocationCount count;
    const auto method = module.load((*bundle)->suites.front().method);
    ASSERT_TRUE(method) << method.error().toString();
    EXPECT_EQ((*method)->memory().workspace, 0U) << "it has not run yet";
    ASSERT_TRUE((*method)->prepare());
    const executor::MemoryReport memory = (*method)->memory();
    std::uint64_t packed = 0;
    std::uint64_t workspace = 0;
    bool isSeen = false;
    for (const executor::DelegateMemory& each : memory.delegates) {
        packed += each.packedWeights;
        workspace += each.workspace;
        isSeen = isSeen || (each.workspace > 0 && count.alignedOf(each.workspace) > 0);
    }
    EXPECT_EQ(packed, memory.packedWeights);
    EXPECT_EQ(workspace, memory.workspace);
    EXPECT_GT(packed, 0U);
    EXPECT_TRUE(isSeen) << "the first workspace is one piece of just that size";
    EXPECT_GE(count.alignedBytes(), workspace);
}

TEST(AllocationTest, DelegatedProgramsAllocateNothing) {
    ET_NEEDS_SHARED_DATA();
    for (const char* file : {"programs/mobilenet_v2/xnnpack.bpte", "programs/mobilenet_v2/xnnpack_q8.bpte",
                             "programs/mobilenet_v2_small/xnnpack.bpte", "programs/bert_tiny/xnnpack.bpte",
                             "programs/bert_tiny/xnnpack_qd8.bpte", "programs/mlp_half/float16_xnnpack.bpte",
                             "programs/linear/xnnpack_q8.bpte"}) {
        expectNone(file, 1);
        expectNone(file, 2);
    }
}

TEST(AllocationTest, UndelegatedProgramsAllocateNothing) {
    ET_NEEDS_SHARED_DATA();
    for (const char* file : {"programs/mobilenet_v2_small/portable.bpte", "programs/simple/portable.bpte",
                             "programs/linear/portable_q8.bpte", "programs/kvcache/portable.bpte"}) {
        expectNone(file, 1);
        expectNone(file, 2);
    }
}

}  // namespace
}  // namespace et::backends
