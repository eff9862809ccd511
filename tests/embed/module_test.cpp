#include "etdump/trace.h"
#include "runtime/builder/program_builder.h"
#include "runtime/builder/tensor_data_writer.h"

#include <et_inspect/module.h>
#include <et_inspect/platform.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace et_inspect::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

/// forward(x) = x + 1.5 and twice(x) = x + x, with three numbers each.
Bytes program(bool plans_output = true) {
    et::builder::ProgramBuilder builder;
    auto& forward = builder.method("forward");
    const auto x = forward.input({.sizes = {3}});
    const auto y = forward.intermediate({.sizes = {3}});
    forward.call("aten::add.Scalar_out", {x, 1.5, 1}, {y});
    forward.output(y, plans_output ? et::builder::Memory::Planned : et::builder::Memory::Caller);
    auto& twice = builder.method("twice");
    const auto z = twice.input({.sizes = {3}});
    const auto sum = twice.intermediate({.sizes = {3}});
    twice.call("aten::add.out", {z, z, 1}, {sum});
    twice.output(sum);
    return *builder.finish();
}

std::string written(const Bytes& bytes, const std::string& name) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
}

Tensor numbers() {
    return make_tensor(std::vector<float>{1, 2, 3}).value();
}

std::vector<float> floats(const Result<std::vector<Value>>& outputs) {
    if (!outputs) {
        ADD_FAILURE() << outputs.error().message;
        return {};
    }
    const Tensor tensor = outputs->front().to_tensor().value();
    const auto data = tensor.data<float>();
    return {data.begin(), data.end()};
}

class Chunks final : public DataLoader {
  public:
    explicit Chunks(Bytes content) : bytes(std::move(content)) {}
    Result<std::uint64_t> size() override { return bytes.size(); }
    Result<void> load(std::uint64_t offset, std::span<std::byte> buffer) override {
        if (fails) {
            return Error{ErrorCode::Io, "the network is down"};
        }
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), buffer.size(), buffer.begin());
        return {};
    }
    Bytes bytes;
    bool fails = false;
};

TEST(EmbedModuleTest, RunsAProgramFromAFile) {
    Module module(written(program(), "add.pte"));
    EXPECT_FALSE(module.is_loaded());
    EXPECT_THAT(floats(module.forward(numbers())), ElementsAre(2.5F, 3.5F, 4.5F));
    EXPECT_TRUE(module.is_loaded());
    EXPECT_THAT(floats(module.execute("twice", {numbers()})), ElementsAre(2, 4, 6));
    EXPECT_THAT(floats(module.forward(ones({3}))), ElementsAre(2.5F, 2.5F, 2.5F));
}

TEST(EmbedModuleTest, LoadsInEveryMode) {
    const std::string path = written(program(), "modes.pte");
    for (const LoadMode mode : {LoadMode::Mmap, LoadMode::MmapLocked, LoadMode::File}) {
        Module module(path, {.load_mode = mode});
        EXPECT_THAT(floats(module.forward(numbers())), ElementsAre(2.5F, 3.5F, 4.5F));
    }
    Module memory(Source(program(), "in memory"));
    EXPECT_THAT(floats(memory.forward(numbers())), ElementsAre(2.5F, 3.5F, 4.5F));
    const auto loader = std::make_shared<Chunks>(program());
    Module loaded{Source(loader)};
    EXPECT_THAT(floats(loaded.forward(numbers())), ElementsAre(2.5F, 3.5F, 4.5F));
    loader->fails = true;
    Module failing{Source(loader, "remote")};
    EXPECT_THAT(failing.load().error().message, HasSubstr("remote: the network is down"));
}

TEST(EmbedModuleTest, DescribesMethods) {
    Module module{Source(program())};
    EXPECT_THAT(module.method_names().value(), ElementsAre("forward", "twice"));
    const MethodInfo info = module.method_info("forward").value();
    ASSERT_EQ(info.inputs.size(), 1U);
    EXPECT_EQ(info.inputs[0].kind, ValueInfo::Kind::Tensor);
    EXPECT_EQ(info.inputs[0].dtype, DType::Float32);
    EXPECT_THAT(info.inputs[0].sizes, ElementsAre(3));
    EXPECT_THAT(info.operators, ElementsAre("aten::add.Scalar_out"));
    EXPECT_EQ(info.instructions, 1U);
    EXPECT_GT(module.memory()->planned, 0U);
    EXPECT_EQ(module.method_info("backward").error().code, ErrorCode::NotFound);
}

TEST(EmbedModuleTest, KeepsInputsUntilTheyAreSetAgain) {
    Module module{Source(program())};
    EXPECT_THAT(module.forward().error().message, HasSubstr("input 0 of 1 is not set"));
    Tensor input = numbers();
    ASSERT_TRUE(module.set_input(input));
    EXPECT_THAT(floats(module.forward()), ElementsAre(2.5F, 3.5F, 4.5F));
    input.data<float>()[0] = 0;
    EXPECT_THAT(floats(module.forward()), ElementsAre(1.5F, 3.5F, 4.5F));
    EXPECT_EQ(module.set_input(zeros({4})).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(module.set_input(1).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(module.set_input(input, 1).error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(module.forward(zeros({-1})).error().message, HasSubstr("is not a tensor"));
}

TEST(EmbedModuleTest, WritesOutputsToMemoryOfTheCaller) {
    for (const bool planned : {true, false}) {
        Module module{Source(program(planned))};
        const Tensor output = zeros({3}).value();
        const auto bound = module.set_output(output);
        ASSERT_TRUE(bound) << bound.error().message;
        EXPECT_THAT(floats(module.forward(numbers())), ElementsAre(2.5F, 3.5F, 4.5F));
        EXPECT_THAT(output.data<float>(), ElementsAre(2.5F, 3.5F, 4.5F));
        EXPECT_EQ(module.set_output(zeros({2}).value()).error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(module.set_output(zeros({3}, DType::Int32).value()).error().code,
                  ErrorCode::InvalidArgument);
    }
}

TEST(EmbedModuleTest, PlacesArenasInMemoryOfTheCaller) {
    alignas(64) static std::array<std::byte, 4096> memory;
    std::size_t used = 0;
    Module module(Source(program()), {.arenas = [&](std::string_view, std::size_t, std::uint64_t bytes) {
                      const std::size_t start = std::exchange(used, used + (bytes + 64 + 63) / 64 * 64);
                      return std::span(memory).subspan(start, bytes + 64);
                  }});
    const auto outputs = module.forward(numbers());
    EXPECT_THAT(floats(outputs), ElementsAre(2.5F, 3.5F, 4.5F));
    const Tensor shown = outputs->front().to_tensor().value();
    EXPECT_GE(shown.raw_data(), memory.data());
    EXPECT_LT(shown.raw_data(), memory.data() + memory.size());
    Module small(Source(program()), {.arenas = [&](std::string_view, std::size_t, std::uint64_t bytes) {
                     return std::span(memory).first(bytes);
                 }});
    EXPECT_THAT(small.load_method().error().message, HasSubstr("readable bytes after it"));
    Module odd(Source(program()), {.arenas = [&](std::string_view, std::size_t, std::uint64_t) {
                   return std::span(memory).subspan(1);
               }});
    EXPECT_THAT(odd.load_method().error().message, HasSubstr("aligned to 64 bytes"));
}

TEST(EmbedModuleTest, RecordsATrace) {
    const std::string path = testing::TempDir() + "embed.etdp";
    Module module{Source(program())};
    EXPECT_EQ(module.finish_trace().error().code, ErrorCode::InvalidArgument);
    ASSERT_TRUE(module.start_trace({.path = path}));
    EXPECT_FALSE(module.start_trace());
    floats(module.forward(numbers()));
    module.set_tracing(false);
    floats(module.forward(numbers()));
    module.set_tracing(true);
    floats(module.forward(numbers()));
    ASSERT_TRUE(module.finish_trace());
    floats(module.execute("twice", {numbers()}));
    const auto trace = et::etdump::Trace::open(path);
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_EQ((*trace)->runs().size(), 3U);  // loading and two executions
}

TEST(EmbedModuleTest, RecordsATraceInMemory) {
    Module module{Source(program())};
    floats(module.forward(numbers()));
    ASSERT_TRUE(module.start_trace({.values = TraceValues::Outputs}));
    floats(module.forward(numbers()));
    EXPECT_FALSE(module.trace()->empty());
    EXPECT_GE(module.trace_values()->size(), 3 * sizeof(float));
    ASSERT_TRUE(module.finish_trace());
}

TEST(EmbedModuleTest, RunsKernelsOfTheCaller) {
    et::builder::ProgramBuilder builder;
    auto& forward = builder.method("forward");
    const auto x = forward.input({.sizes = {3}});
    const auto y = forward.intermediate({.sizes = {3}});
    forward.call("my::clamp.out", {x, 2}, {y});
    forward.output(y);
    const Bytes bytes = *builder.finish();
    Module unknown{Source(bytes)};
    EXPECT_THAT(unknown.load_method().error().message, HasSubstr("my::clamp.out"));

    const auto clamp = [](KernelCall& call) -> Result<void> {
        const auto in = call.tensor(0);
        const auto most = call.number(1);
        if (!in || !most) {
            return in ? most.error() : in.error();
        }
        auto out = call.output(2, in->sizes());
        if (!out) {
            return out.error();
        }
        const auto from = in->data<float>();
        const auto to = out->data<float>();
        call.parallel_for(from.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                to[i] = std::min(from[i], static_cast<float>(*most));
            }
        });
        return {};
    };
    for (int i = 0; i < 300; ++i) {  // more than there are places
        Module module(Source(bytes), {.kernels = {{"my::clamp.out", 3, 1, clamp}}});
        ASSERT_THAT(floats(module.forward(numbers())), ElementsAre(1, 2, 2));
    }
    Module failing(Source(bytes), {.kernels = {{"my::clamp.out", 3, 1, [](KernelCall& call) -> Result<void> {
                                                    return call.integers(0).error();
                                                }}}});
    EXPECT_THAT(failing.forward(numbers()).error().message,
                HasSubstr("argument 0 is not a list of integers"));
}

TEST(EmbedModuleTest, CancelsExecutions) {
    Module module{Source(program())};
    module.cancel();
    EXPECT_EQ(module.forward(numbers()).error().code, ErrorCode::Cancelled);
    module.resume();
    EXPECT_THAT(floats(module.forward(numbers())), ElementsAre(2.5F, 3.5F, 4.5F));
}

TEST(EmbedModuleTest, OutputsOutliveTheModule) {
    std::vector<Value> outputs = Module{Source(program())}.forward(numbers()).value();
    EXPECT_THAT(floats(outputs), ElementsAre(2.5F, 3.5F, 4.5F));
}

TEST(EmbedModuleTest, PassesMessagesAndErrorsToTheLog) {
    std::vector<std::pair<LogLevel, std::string>> lines;
    set_log([&](LogLevel level, std::string_view line) { lines.emplace_back(level, line); });
    Module module("no such file.pte");
    const auto failed = module.load();
    Module other{Source(program(), "logged")};
    floats(other.forward(numbers()));
    set_log({});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::Io);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], std::pair(LogLevel::Error, failed.error().message));
    EXPECT_THAT(lines[1].second, HasSubstr("logged: "));
    EXPECT_THAT(lines[2].second, HasSubstr("forward: loaded in"));
}

TEST(EmbedModuleTest, ReadsTheClockOfTheCaller) {
    static std::uint64_t time = 0;
    set_clock([] { return time += 1'000'000; });
    Module module{Source(program())};
    ASSERT_TRUE(module.start_trace());
    floats(module.forward(numbers()));
    const auto bytes = module.trace();
    set_clock(nullptr);
    const auto trace = et::etdump::Trace::parse(et::core::MappedFile::fromMemory(*bytes));
    ASSERT_TRUE(trace);
    for (std::size_t i = 0; i < (*trace)->eventCount(); ++i) {
        EXPECT_EQ((*trace)->events().start[i] % 1'000'000, 0U);
    }
}

TEST(EmbedModuleTest, ReportsDamagedFiles) {
    Bytes bytes = program();
    bytes.resize(bytes.size() / 2);
    Module module{Source(bytes, "half.pte")};
    EXPECT_THAT(module.load().error().message, HasSubstr("half.pte"));
    Module missing{Source(program()), Source(Bytes{}, "empty.ptd")};
    EXPECT_THAT(missing.load().error().message, HasSubstr("empty.ptd"));
    EXPECT_FALSE(missing.load());
}

}  // namespace
}  // namespace et_inspect::test
