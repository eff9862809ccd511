// Fuzzes a delegate whose payload is a nested program, described, loaded and run by the runtime itself.
#include "backends/nested/nested_program.h"
#include "runtime/executor/no_named_data.h"
#include "runtime/program/program.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/mutate_program.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <tuple>
#include <vector>

namespace {

using et::core::Bytes;

void run(et::executor::LoadedDelegate& delegate, et::fuzz::ByteSource source) {
    std::array<std::array<std::byte, 256>, 4> memory{};
    std::array<et::core::Value, 4> values;
    std::array<et::core::Value*, 4> arguments{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        static constexpr et::core::ScalarType types[] = {
            et::core::ScalarType::Float, et::core::ScalarType::Float, et::core::ScalarType::Long,
            et::core::ScalarType::Byte};
        const std::array<std::int64_t, 2> sizes{static_cast<std::int64_t>(1 + source.below(3)),
                                                static_cast<std::int64_t>(1 + source.below(3))};
        auto tensor = et::core::Tensor::make(source.oneOf(types), sizes, memory[i].data());
        et::fuzz::require(tensor.has_value());
        tensor->setMemory(memory[i].data(), memory[i].size());
        tensor->setShape(et::core::Tensor::Shape::Bounded);
        values[i].set(*tensor);
        arguments[i] = &values[i];
    }
    switch (source.below(8)) {  // conditions that the nested program must not rely on
        case 0:
            values[0].set(std::int64_t{3});
            break;
        case 1:
            values[0].set(0.5);
            break;
        case 2:
            values[0].set(true);
            break;
        case 3:
            values[0] = et::core::Value();
            break;
        default:
            break;
    }
    std::ignore = delegate.packedBytes() + delegate.workspaceBytes();
    for (std::size_t count = 2; count <= arguments.size(); ++count) {
        if (const auto done = delegate.execute({}, std::span(arguments).first(count)); !done) {
            std::ignore = done.error().toString();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const et::kernels::ThreadPool threads(1);
    static const et::executor::NoNamedData noData;
    static const et::backends::nested::NestedProgramBackend backend({});
    const Bytes payload = std::as_bytes(std::span(data, size));
    const et::program::Delegate delegate{
        .backend = "ExecutorBackend", .payload = payload, .segment = std::nullopt, .compileSpecs = {}};
    if (const auto graph = backend.describe(delegate, noData); !graph) {
        std::ignore = graph.error().toString();
    }
    const auto loaded = backend.load({.delegate = delegate,
                                      .method = "forward",
                                      .namedData = noData,
                                      .threads = threads,
                                      .shared = nullptr,
                                      .memoryBytes = 1 << 18});
    if (!loaded) {
        std::ignore = loaded.error().toString();
        return 0;
    }
    run(**loaded, {data + size / 2, size - size / 2});
    return 0;
}

#ifdef ET_LIBFUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
    std::mt19937_64 random(seed);
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const auto program =
        et::program::Program::parse(et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()}));
    if (program && random() % 4 != 0) {
        const auto mutant = et::fuzz::mutateProgram(**program, random);
        if (!mutant.empty() && mutant.size() <= maxSize) {
            std::memcpy(data, mutant.data(), mutant.size());
            return mutant.size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}
#endif
