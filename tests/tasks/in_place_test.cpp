// Tests that operators give the same results in place: each supported operator alone, and real programs with
// fused instructions.
#include "app/tasks/model/model.h"
#include "app/tasks/rewrite/replan_run.h"
#include "runtime/builder/program_builder.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {
namespace {

using builder::Argument;
using core::ScalarType;
using program::ValueId;

struct ElementCall {
    std::string_view op;
    std::size_t tensors = 1;
    builder::Arguments rest{};  ///< arguments after the tensors
    ScalarType dtype = ScalarType::Float;
};

/// All operators of docs/how_to/shrink_memory_plan.md.
std::vector<ElementCall> elementCalls() {
    std::vector<ElementCall> calls;
    for (const std::string_view name :
         {"abs",   "acos", "acosh", "asin",       "asinh", "atan",  "atanh", "ceil",
          "cos",   "cosh", "erf",   "exp",        "expm1", "floor", "log",   "log10",
          "log1p", "log2", "neg",   "reciprocal", "relu",  "round", "rsqrt", "sigmoid",
          "sign",  "sin",  "sinh",  "sqrt",       "tan",   "tanh",  "trunc"}) {
        static std::deque<std::string> names;
        calls.push_back({.op = names.emplace_back("aten::" + std::string(name) + ".out")});
    }
    for (const ScalarType dtype : {ScalarType::Float, ScalarType::Int, ScalarType::Half}) {
        calls.push_back({.op = "aten::add.out", .tensors = 2, .rest = {1}, .dtype = dtype});
        calls.push_back({.op = "aten::sub.out", .tensors = 2, .rest = {2}, .dtype = dtype});
        calls.push_back({.op = "aten::mul.out", .tensors = 2, .rest = {}, .dtype = dtype});
        calls.push_back({.op = "aten::maximum.out", .tensors = 2, .rest = {}, .dtype = dtype});
        calls.push_back({.op = "aten::minimum.out", .tensors = 2, .rest = {}, .dtype = dtype});
    }
    calls.push_back({.op = "aten::atan2.out", .tensors = 2});
    calls.push_back({.op = "aten::div.out", .tensors = 2});
    calls.push_back({.op = "aten::bitwise_not.out", .dtype = ScalarType::Int});
    calls.push_back({.op = "aten::logical_not.out", .dtype = ScalarType::Bool});
    calls.push_back({.op = "aten::add.Scalar_out", .rest = {0.5, 1.0}});
    calls.push_back({.op = "aten::sub.Scalar_out", .rest = {0.5, 1.0}});
    calls.push_back({.op = "aten::mul.Scalar_out", .rest = {1.5}});
    calls.push_back({.op = "aten::div.Scalar_out", .rest = {1.5}});
    calls.push_back({.op = "aten::pow.Tensor_Scalar_out", .rest = {2.0}});
    calls.push_back({.op = "aten::clamp.out", .rest = {-0.5, nullptr}});
    calls.push_back({.op = "aten::hardtanh.out", .rest = {-0.5, 0.5}});
    calls.push_back({.op = "aten::leaky_relu.out", .rest = {0.1}});
    calls.push_back({.op = "aten::elu.out", .rest = {1.0, 1.0, 1.0}});
    calls.push_back({.op = "aten::gelu.out", .rest = {std::string_view("none")}});
    calls.push_back({.op = "aten::gelu.out", .rest = {std::string_view("tanh")}});
    return calls;
}

/// Builds y = f(f(f(x))); with two tensors, the other is a separate input, first if `isOtherFirst`.
std::vector<std::byte> thrice(const ElementCall& call, const std::vector<std::int64_t>& other,
                              bool isOtherFirst) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& forward = program.method("forward");
    const std::vector<std::int64_t> sizes{3, 7, 331};
    ValueId last = forward.input({.dtype = call.dtype, .sizes = sizes});
    const auto second = call.tensors == 2
                            ? std::optional(forward.input({.dtype = call.dtype, .sizes = other}))
                            : std::nullopt;
    for (int i = 0; i < 3; ++i) {
        const ValueId next = forward.intermediate({.dtype = call.dtype, .sizes = sizes});
        builder::Arguments arguments{last};
        if (second) {
            arguments.insert(isOtherFirst ? arguments.begin() : arguments.end(), Argument(*second));
        }
        arguments.insert(arguments.end(), call.rest.begin(), call.rest.end());
        forward.call(call.op, arguments, {next});
        last = next;
    }
    forward.output(last);
    forward.setPlanStrategy(builder::PlanStrategy::Naive);
    return program.finish().value();
}

std::vector<std::vector<std::byte>> outputsTwice(Model& model, const InputSet& inputs) {
    std::vector<std::vector<std::byte>> out;
    for (int run = 0; run < 2; ++run) {
        EXPECT_TRUE(model.execute(inputs));
        for (std::size_t i = 0; i < model.method->outputCount(); ++i) {
            if (const auto* const tensor = model.method->output(i).as<core::Tensor>()) {
                const auto bytes = tensor->rawBytes();
                out.emplace_back(bytes.begin(), bytes.end());
            }
        }
    }
    return out;
}

/// Returns the number of in-place tensors; fails if the outputs of `model` change. Instructions are not
/// observed, so that they are fused.
std::size_t inPlaceIn(const std::filesystem::path& model, const std::filesystem::path& written,
                      std::size_t threads) {
    ReplanSettings settings{.model = model, .data = {}, .output = written};
    settings.plan.inPlace = true;
    const auto result = replanProgram(settings);
    EXPECT_TRUE(result) << result.error().toString();
    std::size_t count = 0;
    for (const auto& method : result->plans) {
        for (const auto& arena : method.arenas) {
            count += arena.inPlace;
        }
    }
    ModelOptions options;
    options.threads = threads;
    auto before = Model::open(model, options, nullptr);
    if (before) {
        options.tensorData = (*before)->foundData;  // the rewritten program is in another folder
    }
    auto after = Model::open(written, options, nullptr);
    EXPECT_EQ(before.has_value(), after.has_value());
    if (before && after && count > 0) {
        const auto inputs = (*before)->inputs({}, [](std::string_view) {});
        EXPECT_TRUE(inputs && outputsTwice(**before, *inputs) == outputsTwice(**after, *inputs));
    }
    return count;
}

TEST(InPlace, OperatorsMatchOutOfPlaceResults) {
    const test::ScratchFolder folder;
    const auto model = folder.path() / "model.pte";
    const std::vector<std::vector<std::int64_t>> others{{3, 7, 331}, {7, 1}, {1}};
    std::size_t programs = 0;
    for (const ElementCall& call : elementCalls()) {
        for (std::size_t i = 0; i < (call.tensors == 2 ? 2 * others.size() : 1); ++i) {
            SCOPED_TRACE(testing::Message() << call.op << " " << i);
            const auto bytes = thrice(call, others[i / 2], i % 2 == 1);
            std::ofstream(model, std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
            EXPECT_EQ(inPlaceIn(model, folder.path() / "tight.pte", 1 + programs % 2), 2U);
            ++programs;
        }
    }
    EXPECT_GT(programs, 130U);
}

TEST(InPlace, RealProgramsMatchWhenFused) {
    ET_NEEDS_SHARED_DATA();
    const test::ScratchFolder folder;
    std::size_t inPlace = 0;
    std::size_t programs = 0;
    for (const char* const name : {"programs", "programs2", "quant", "llm"}) {
        for (const auto& path : test::sharedFiles(name, ".pte")) {
            SCOPED_TRACE(path);
            const std::size_t count = inPlaceIn(path, folder.path() / "tight.pte", 2);
            inPlace += count;
            programs += count > 0 ? 1U : 0U;
        }
    }
    EXPECT_GT(inPlace, 20U);
    EXPECT_GT(programs, 10U);
}

}  // namespace
}  // namespace et::tasks
