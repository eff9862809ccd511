// Tests that --sanitize finds memory errors that are planted in operators and memory plans.
#include "app/tasks/model/model.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "runtime/builder/program_builder.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {
namespace {

using builder::MethodBuilder;
using builder::TensorSpec;
using program::ValueId;

const std::vector<std::int64_t> shape{5, 7};
constexpr std::uint64_t shapeBytes = 5 * 7 * 4;

/// The expected finding. An argument of -1: none.
struct Expected {
    MemoryError kind = MemoryError::OutOfBounds;
    std::int32_t instruction = 0;
    int argument = -1;
    std::optional<bool> isWrite{};
};

/// A program with a planted error.
struct Fault {
    std::string_view name;
    std::function<void(MethodBuilder&)> build;
    Expected expected;
    std::size_t threads = 1;
    std::vector<std::string> inputs{};
};

ValueId tensor(MethodBuilder& method) {
    return method.intermediate({.sizes = shape});
}

/// Two built-in operators around one of the plugin, so that its arguments are intermediates.
void surround(MethodBuilder& method, const std::string& op) {
    const ValueId x = method.input({.sizes = shape});
    const ValueId first = tensor(method);
    const ValueId second = tensor(method);
    const ValueId last = tensor(method);
    method.call("aten::abs.out", {x}, {first});
    method.call(op, {first, x}, {second});
    method.call("aten::neg.out", {second}, {last});
    method.output(last);
}

Fault faultOf(std::string_view name, MemoryError kind, int argument, std::optional<bool> isWrite = {},
              std::size_t threads = 1) {
    const std::string op = "my::" + std::string(name) + ".out";
    return {.name = name,
            .build = [op](MethodBuilder& method) { surround(method, op); },
            .expected = {.kind = kind, .instruction = 1, .argument = argument, .isWrite = isWrite},
            .threads = threads};
}

/// The operator runs twice, so that it can use memory of its first call.
Fault twice(std::string_view name, MemoryError kind, int argument) {
    const std::string op = "my::" + std::string(name) + ".out";
    return {.name = name,
            .build =
                [op](MethodBuilder& method) {
                    const ValueId x = method.input({.sizes = shape});
                    const ValueId first = tensor(method);
                    const ValueId second = tensor(method);
                    method.call(op, {x, x}, {first});
                    method.call(op, {first, x}, {second});
                    method.output(second);
                },
            .expected = {.kind = kind, .instruction = -2, .argument = argument}};
}

std::vector<Fault> kernelFaults() {
    using enum MemoryError;
    return {
        faultOf("write_after", OutOfBounds, 2, true),
        faultOf("write_before", OutOfBounds, 2, true),
        faultOf("read_after", OutOfBounds, 0, false),
        faultOf("read_before", OutOfBounds, 0, false),
        faultOf("write_far_after", OutOfBounds, 2, true),
        faultOf("write_far_before", OutOfBounds, 2, true),
        faultOf("read_far_after", OutOfBounds, 0, false),
        faultOf("read_far_before", OutOfBounds, 0, false),
        faultOf("read_other", OutOfBounds, 1, false),
        faultOf("wide_write", OutOfBounds, 2, true),
        faultOf("wide_read", OutOfBounds, 0, false),
        faultOf("narrow_write", NotWritten, 2),
        faultOf("stride_write", OutOfBounds, 2, true),
        faultOf("stride_read", OutOfBounds, 0, false),
        faultOf("transposed", OutOfBounds, 2, true),
        faultOf("memset_after", OutOfBounds, 2, true),
        faultOf("memcpy_after", OutOfBounds, 0, false),
        faultOf("write_self", WriteToArgument, 0, true),
        faultOf("write_other", WriteToInput, 1, true),
        twice("stale_read", StaleMemory, -1),
        twice("stale_write", StaleMemory, -1),
        twice("stale_scratch", StaleScratch, -1),
        faultOf("scratch_after", ScratchOverrun, -1, true),
        faultOf("scratch_before", ScratchOverrun, -1, true),
        faultOf("scratch_unwritten", Uninitialized, -1),
        faultOf("first_unwritten", NotWritten, 2),
        faultOf("tail_unwritten", NotWritten, 2),
        faultOf("rows_unwritten", NotWritten, 2),
        faultOf("nothing", NotWritten, 2),
        faultOf("accumulate", Uninitialized, 2),
        faultOf("counting", Nondeterministic, 2),
        faultOf("null_pointer", Crash, -1, false),
        faultOf("abort", Crash, -1),
        faultOf("threaded", OutOfBounds, 2, true, 2),
        faultOf("negative_index", OutOfBounds, 0, false),
    };
}

/// Faults that need other values than surround() makes.
std::vector<Fault> valueFaults() {
    using enum MemoryError;
    std::vector<Fault> faults;
    faults.push_back({.name = "write_constant",
                      .build =
                          [](MethodBuilder& method) {
                              const std::vector<float> ones(35, 1.0F);
                              const ValueId x = method.input({.sizes = shape});
                              const ValueId weight =
                                  method.constant({.sizes = shape}, std::span<const float>(ones));
                              const ValueId out = tensor(method);
                              method.call("my::write_other.out", {x, weight}, {out});
                              method.output(out);
                          },
                      .expected = {.kind = WriteToConstant, .argument = 1, .isWrite = true}});
    faults.push_back({.name = "read_constant_after",
                      .build =
                          [](MethodBuilder& method) {
                              const std::vector<float> ones(35, 1.0F);
                              const ValueId x = method.input({.sizes = shape});
                              const ValueId weight =
                                  method.constant({.sizes = shape}, std::span<const float>(ones));
                              const ValueId out = tensor(method);
                              method.call("my::read_other.out", {x, weight}, {out});
                              method.output(out);
                          },
                      .expected = {.kind = OutOfBounds, .argument = 1, .isWrite = false}});
    faults.push_back({.name = "beyond_shape",
                      .build =
                          [](MethodBuilder& method) {
                              const ValueId x = method.input({.sizes = shape});
                              const ValueId out = method.intermediate(
                                  {.sizes = shape, .dynamism = program::ShapeDynamism::Bounded});
                              method.call("my::beyond_shape.out", {x, x}, {out});
                              method.output(out);
                          },
                      .expected = {.kind = BeyondShape, .argument = 2, .isWrite = true}});
    faults.push_back({.name = "read_beyond_shape",
                      .build =
                          [](MethodBuilder& method) {
                              const TensorSpec bounded{.sizes = shape,
                                                       .dynamism = program::ShapeDynamism::Bounded};
                              const ValueId x = method.input(bounded);
                              const ValueId out = method.intermediate(bounded);
                              method.call("my::read_beyond_shape.out", {x, x}, {out});
                              method.output(out);
                          },
                      .expected = {.kind = Uninitialized, .argument = 0},
                      .inputs = {"small"}});
    return faults;
}

/// a = abs(x); b = neg(a); c = exp(x); d = b + c, with allocations that a test changes.
struct Chain {
    explicit Chain(MethodBuilder& method)
        : x(method.input({.sizes = shape})),
          a(tensor(method)),
          b(tensor(method)),
          c(tensor(method)),
          d(tensor(method)) {
        method.call("aten::abs.out", {x}, {a});
        method.call("aten::neg.out", {a}, {b});
        method.call("aten::exp.out", {x}, {c});
        method.call("aten::add.out", {b, c, 1}, {d});
        method.output(d);
        std::uint64_t offset = 0;
        for (const ValueId id : {x, a, b, c, d}) {
            place(method, id, offset);
            offset += 256;
        }
        method.setArena(program::ArenaId(1), 2048);
    }

    static void place(MethodBuilder& method, ValueId id, std::uint64_t offset) {
        method.place(id, {.arena = program::ArenaId(1), .offset = offset});
    }

    ValueId x;
    ValueId a;
    ValueId b;
    ValueId c;
    ValueId d;
};

Fault planFault(std::string_view name, std::function<void(MethodBuilder&, const Chain&)> change,
                const Expected& expected) {
    return {.name = name,
            .build =
                [change = std::move(change)](MethodBuilder& method) {
                    const Chain chain(method);
                    change(method, chain);
                },
            .expected = expected};
}

std::vector<Fault> planFaults() {
    using enum MemoryError;
    std::vector<Fault> faults;
    faults.push_back(planFault("two_values_at_one_place",
                               [](auto& method, const Chain& on) { Chain::place(method, on.c, 512); },
                               {.kind = PlanOverlap, .instruction = 3, .argument = 0}));
    faults.push_back(planFault("wrong_offset",
                               [](auto& method, const Chain& on) { Chain::place(method, on.c, 512 + 64); },
                               {.kind = PlanOverlap, .instruction = 3, .argument = 0}));
    faults.push_back(planFault("reused_input",
                               [](auto& method, const Chain& on) { Chain::place(method, on.b, 0); },
                               {.kind = PlanOverlap, .instruction = 2, .argument = 0}));
    faults.push_back(planFault("output_on_input",
                               [](auto& method, const Chain& on) { Chain::place(method, on.d, 512 + 32); },
                               {.kind = PlanOverlap, .instruction = 3, .argument = 3}));
    faults.push_back({.name = "reused_output",
                      .build =
                          [](MethodBuilder& method) {
                              const Chain on(method);
                              const ValueId e = tensor(method);
                              Chain::place(method, e, 1024 + 64);
                              method.call("aten::abs.out", {on.x}, {e});
                              method.output(e);
                          },
                      .expected = {.kind = PlanOverlap, .instruction = -1}});
    faults.push_back({.name = "read_before_write",
                      .build =
                          [](MethodBuilder& method) {
                              const ValueId x = method.input({.sizes = shape});
                              const ValueId later = tensor(method);
                              const ValueId sum = tensor(method);
                              method.call("aten::add.out", {x, later, 1}, {sum});
                              method.call("aten::abs.out", {x}, {later});
                              method.output(sum);
                          },
                      .expected = {.kind = ReadBeforeWrite, .argument = 1}});
    faults.push_back({.name = "never_written",
                      .build =
                          [](MethodBuilder& method) {
                              const ValueId x = method.input({.sizes = shape});
                              const ValueId never = tensor(method);
                              const ValueId sum = tensor(method);
                              const ValueId sum2 = tensor(method);
                              method.call("aten::add.out", {x, never, 1}, {sum});
                              method.call("aten::add.out", {sum, never, 1}, {sum2});
                              method.output(sum2);
                          },
                      .expected = {.kind = ReadBeforeWrite, .argument = 1}});
    faults.push_back({.name = "broken_alias",
                      .build =
                          [](MethodBuilder& method) {
                              const ValueId x = method.input({.sizes = shape});
                              const ValueId state = method.state({.sizes = shape});
                              const ValueId result = tensor(method);
                              const ValueId sum = tensor(method);
                              method.call("aten::add.out", {x, state, 1}, {sum});
                              method.callFunction("aten::copy_", {state, sum, false}, result);
                              method.output(sum);
                          },
                      .expected = {.kind = BrokenAlias, .instruction = 1, .argument = 3}});
    return faults;
}

core::Result<> runFault(const Fault& fault, const std::filesystem::path& path,
                        std::unique_ptr<Model>& model) {
    builder::ProgramBuilder program;
    fault.build(program.method("forward"));
    ET_ASSIGN(const auto bytes, program.finish());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    ModelOptions options;
    options.plugins = {ET_MEMORY_FAULTS_PLUGIN};
    options.threads = fault.threads;
    options.sanitize = true;
    ET_ASSIGN(model, Model::open(path, options, nullptr));
    if (!fault.inputs.empty()) {
        const std::vector<float> numbers(3 * 7, 1.0F);
        const std::vector<std::int64_t> sizes{3, 7};
        ET_TRY(model->method->setInput(
            0, executor::TensorInput{.sizes = sizes, .data = std::as_bytes(std::span(numbers))}));
        return model->method->execute();
    }
    ET_ASSIGN(const auto inputs, model->inputs(options, [](std::string_view) {}));
    for (int i = 0; i < 2; ++i) {
        ET_TRY(model->execute(inputs));
    }
    return {};
}

bool matches(const MemoryFinding& finding, const Expected& expected) {
    const int argument = finding.argument ? static_cast<int>(*finding.argument) : -1;
    const bool isPlace = expected.instruction == -2 || finding.instruction == expected.instruction;
    const bool isArgument = expected.instruction == -2 || argument == expected.argument;
    return finding.kind == expected.kind && isPlace && isArgument &&
           (!expected.isWrite || finding.isWrite == expected.isWrite);
}

std::string textOf(const MemoryFinding& finding) {
    return std::string(traits(finding.kind).name) + ": " + finding.placeText() + ": " + finding.accessText() +
           "; " + finding.detail + "; " + finding.function;
}

std::vector<Fault> allFaults() {
    std::vector<Fault> all = kernelFaults();
    for (const auto& more : {valueFaults(), planFaults()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

TEST(SanitizeFaults, FindsPlantedErrorsWithOperatorArgumentAndKind) {
    const test::ScratchFolder folder;
    const std::vector<Fault> all = allFaults();
    EXPECT_GE(all.size(), 40U);
    std::size_t found = 0;
    for (const Fault& fault : all) {
        SCOPED_TRACE(fault.name);
        std::unique_ptr<Model> model;
        const auto ran = runFault(fault, folder.path() / "fault.pte", model);
        ASSERT_TRUE(model) << fault.name << ": " << ran.error().toString();
        const auto findings = model->sanitizer->findings();
        const bool isFound =
            std::ranges::any_of(findings, [&](const auto& each) { return matches(each, fault.expected); });
        found += isFound ? 1 : 0;
        EXPECT_TRUE(isFound) << fault.name << " " << (ran ? std::string() : ran.error().toString());
        EXPECT_EQ(ran.has_value(), fault.expected.kind != MemoryError::Crash) << fault.name;
        for (const MemoryFinding& each : findings) {
            EXPECT_TRUE(isFound && each.kind == fault.expected.kind) << fault.name << ": " << textOf(each);
        }
    }
    RecordProperty("planted", static_cast<int>(all.size()));
    RecordProperty("found", static_cast<int>(found));
}

TEST(SanitizeFaults, TensorsAreAlignedForVectorInstructions) {
    const test::ScratchFolder folder;
    std::unique_ptr<Model> model;
    const auto ran =
        runFault(faultOf("aligned", MemoryError::Crash, -1), folder.path() / "aligned.pte", model);
    ASSERT_TRUE(ran) << ran.error().toString();
    for (const MemoryFinding& each : model->sanitizer->findings()) {
        ADD_FAILURE() << textOf(each);
    }
}

/// Adds its input to a state, which it returns.
void accumulate(MethodBuilder& method) {
    const ValueId x = method.input({.sizes = shape});
    const ValueId state = method.state({.sizes = shape});
    const ValueId sum = tensor(method);
    const ValueId result = method.alias(state, {.sizes = shape});
    method.call("aten::add.out", {x, state, 1}, {sum});
    method.callFunction("aten::copy_", {state, sum, false}, result);
    method.output(sum);
}

TEST(SanitizeFaults, LightExecutionsKeepStates) {
    const test::ScratchFolder folder;
    builder::ProgramBuilder program;
    accumulate(program.method("forward"));
    const auto bytes = program.finish();
    ASSERT_TRUE(bytes) << bytes.error().toString();
    const auto path = folder.path() / "state.pte";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
    ModelOptions options;
    options.sanitize = true;
    const auto model = Model::open(path, options, nullptr);
    ASSERT_TRUE(model) << model.error().toString();
    (*model)->sanitizer->allowLightExecutions();
    const std::vector<float> ones(5 * 7, 1.0F);
    for (int i = 1; i <= 9; ++i) {
        ASSERT_TRUE((*model)->method->setInput(
            0, executor::TensorInput{.sizes = shape, .data = std::as_bytes(std::span(ones))}));
        ASSERT_TRUE((*model)->method->execute());
        const auto* const sum = (*model)->method->output(0).as<core::Tensor>();
        ASSERT_TRUE(sum);
        float last = 0;
        std::memcpy(&last, sum->raw() + 34 * sizeof(float), sizeof last);
        EXPECT_EQ(last, static_cast<float>(i));
    }
    EXPECT_EQ((*model)->sanitizer->lightExecutions(), 5U);  // 3, 5, 6, 7, 9
    for (const MemoryFinding& each : (*model)->sanitizer->findings()) {
        ADD_FAILURE() << textOf(each);
    }
}

}  // namespace
}  // namespace et::tasks
