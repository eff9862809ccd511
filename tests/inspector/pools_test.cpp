#include "inspector/fit/pools.h"

#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Tests memory sizes computed from a program, by running with exactly that much and with one byte less.
namespace et::inspector {
namespace {

using executor::MemoryReport;

struct Opened {
    std::shared_ptr<const bundled_program::Bundle> bundle;
    std::shared_ptr<const program::Program> program;
};

std::optional<Opened> open(const std::filesystem::path& path) {
    Opened out;
    const auto bundle = bundled_program::Bundle::open(path);
    if (!bundle) {
        return std::nullopt;
    }
    const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
    if (!program) {
        return std::nullopt;
    }
    return Opened{*bundle, *program};
}

/// Runs the cases of one method only. Returns the error, empty if there is none.
std::string run(const std::shared_ptr<const program::Program>& program,
                const bundled_program::TestSuite& suite, const executor::Limits& limits,
                MemoryReport* memory = nullptr) {
    const kernels::ThreadPool threads(1);
    executor::Module module(program, {.kernels = kernels::builtin(),
                                      .backends = backends::builtin(),
                                      .threads = threads,
                                      .limits = limits});
    const auto method = module.load(suite.method);
    if (!method) {
        return method.error().toString();
    }
    for (const auto& testCase : suite.cases) {
        const auto done =
            bundled_program::setInputs(**method, testCase).and_then([&] { return (*method)->execute(); });
        if (!done) {
            return done.error().toString();
        }
    }
    if (memory != nullptr) {
        *memory = (*method)->memory();
    }
    return {};
}

/// Returns the program with an arena of another size.
std::shared_ptr<const program::Program> withArena(const program::Program& program, std::string_view method,
                                                  std::size_t arena, std::uint64_t bytes) {
    auto out = std::make_shared<program::Program>(program);
    std::ranges::find(out->methods, method, &program::Method::name)->arenas[arena].bytes = bytes;
    return out;
}

struct Counts {
    std::size_t methods = 0;
    std::size_t arenas = 0;
    std::size_t smaller = 0;  ///< arenas for which the program requests more than it needs
    std::size_t limits = 0;
    std::size_t temporary = 0;
};

void checkArenas(const Opened& file, const bundled_program::TestSuite& suite, const PoolNeeds& pools,
                 const std::string& name, Counts& counts) {
    for (std::size_t i = 0; i < pools.arenas.size(); ++i) {
        const ArenaNeed& need = pools.arenas[i];
        ASSERT_LE(need.smallest, need.planned) << name;
        counts.smaller += need.smallest < need.planned ? 1U : 0U;
        EXPECT_EQ(run(withArena(*file.program, suite.method, i + 1, need.smallest), suite, {}), "") << name;
        if (need.smallest > 0) {
            EXPECT_NE(run(withArena(*file.program, suite.method, i + 1, need.smallest - 1), suite, {}), "")
                << name;
            ++counts.arenas;
        }
    }
}

void checkMethod(const Opened& file, const bundled_program::TestSuite& suite, const std::string& name,
                 Counts& counts) {
    MemoryReport memory;
    const program::Method* const method = file.program->findMethod(suite.method);
    if (method == nullptr || !run(file.program, suite, {}, &memory).empty()) {
        return;  // unsupported here, or refused intentionally
    }
    ++counts.methods;
    const PoolNeeds pools = computePools(*method);
    checkArenas(file, suite, pools, name, counts);
    // Delegates allocate memory separately.
    if (pools.unbounded == 0 && memory.copiedConstants == 0 && method->delegates.empty()) {
        const std::uint64_t all = pools.planned() + pools.inputsOutputs + pools.unplanned;
        EXPECT_EQ(memory.unplannedIo, pools.inputsOutputs + pools.unplanned) << name;
        EXPECT_EQ(run(file.program, suite, {.memoryBytes = all}), "") << name;
        if (all > 0) {
            EXPECT_NE(run(file.program, suite, {.memoryBytes = all - 1}), "") << name;
            ++counts.limits;
        }
    }
    EXPECT_EQ(run(file.program, suite, {.temporaryBytes = memory.temporaryPeak}), "") << name;
    if (memory.temporaryPeak > 0) {
        EXPECT_NE(run(file.program, suite, {.temporaryBytes = memory.temporaryPeak - 1}), "") << name;
        ++counts.temporary;
    }
}

TEST(PoolsConformance, ReportedPoolSizesAreExactlySufficient) {
    ET_NEEDS_SHARED_DATA();
    constexpr std::uintmax_t mostBytes = 4U << 20U;
    Counts counts;
    std::size_t number = 0;
    for (const char* const folder : {"programs", "ops/portable"}) {
        for (const auto& path : test::sharedFiles(test::sharedData() / folder, ".bpte")) {
            const bool isOperator = std::string_view(folder).starts_with("ops");
            // Every fifth operator program, and the programs that run within the time of a test.
            if ((isOperator && number++ % 5 != 0) || std::filesystem::file_size(path) > mostBytes) {
                continue;
            }
            if (const auto file = open(path)) {
                for (const auto& suite : file->bundle->suites) {
                    checkMethod(*file, suite, path.string(), counts);
                }
            }
        }
    }
    EXPECT_GT(counts.methods, 500U);
    EXPECT_GT(counts.arenas, 500U);
    EXPECT_GT(counts.smaller, 0U) << "plans are rounded up somewhere";
    EXPECT_GT(counts.limits, 500U);
    EXPECT_GT(counts.temporary, 20U);
}

TEST(Pools, LoadingIsModelledForBothSizesOfPointers) {
    // Two tensors of two dimensions, one with a bounded size, a list of three integers, and one call.
    program::Method method;
    program::TensorInfo fixed;
    fixed.scalarType = 6;
    fixed.sizes = {2, 3};
    fixed.dimOrder = {0, 1};
    fixed.byteSize = 24;
    program::TensorInfo bounded = fixed;
    bounded.dynamism = program::ShapeDynamism::Bounded;
    method.values = {
        fixed, bounded, std::int64_t{1},
        program::IntList{.items = {program::ValueId(2), program::ValueId(2), program::ValueId(2)}}};
    method.inputs = {program::ValueId(0)};
    method.outputs = {program::ValueId(1)};
    method.arenas.resize(1);
    method.operators = {{.name = "aten::x", .overload = "out"}};
    program::KernelCall call{
        .op = program::OperatorId(0),
        .args = {program::ValueId(0), program::ValueId(3), program::ValueId(1), program::ValueId(1)}};
    method.chains.emplace_back().instructions.emplace_back(call);
    const PoolNeeds pools = computePools(method);
    EXPECT_EQ(pools.inputsOutputs, 48U);
    // 64 of values, 1 of inputs; strides (from 68 on, 8), then a tensor (from 80 on, 64);
    // sizes 8, dim order 2, strides (from 156 on, 8), a tensor (from 168 on, 64); 3 pointers, 3 integers and
    // a list of 3 words (72); a chain (32), a kernel (8), a span (16) and four arguments (32).
    EXPECT_EQ(pools.load64.method, 232U + 72U + 88U);
    EXPECT_EQ(pools.load64.temporary, 4U * 24U + 6U);
    // The same with words of 4: strides 68 to 76, a tensor to 108; sizes to 116, dim order to 118, strides to
    // 128, a tensor to 160; pointers to 172, integers 176 to 200, a list to 212; a chain, a kernel, a span
    // and four arguments.
    EXPECT_EQ(pools.load32.method, 212U + 16U + 4U + 8U + 16U);
    EXPECT_EQ(pools.load32.temporary, 4U * 12U + 6U);
}

}  // namespace
}  // namespace et::inspector
