// Loads and runs delegate payloads: those of real programs with bytes changed where the tables are, and
// anything else as a payload of its own.

#include "backends/xnnpack/delegate.h"
#include "bundled_program/bundle.h"
#include "runtime/program/program.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

using et::core::Bytes;
namespace xnnpack = et::backends::xnnpack;

/// Small, so that no payload has work for more than a few seconds.
constexpr std::uint64_t memoryBytes = 1 << 22;
constexpr int mutants = 6;
constexpr std::size_t tables = 4096;  // bytes at the start of a payload that hold its tables

volatile unsigned sink = 0;

/// Every name has the same data.
class AnyData final : public et::executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<Bytes> find(std::string_view) const override { return bytes; }

  private:
    std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16, std::byte{0x3C});
};

/// Tensors as the payload wants them.
void run(xnnpack::Delegate& delegate) {
    const xnnpack::Payload& payload = delegate.payload();
    std::vector<std::vector<std::byte>> memory;
    std::vector<et::core::Value> values(payload.externals.size());
    std::vector<et::core::Value*> arguments;
    for (std::size_t i = 0; i < payload.externals.size(); ++i) {
        const xnnpack::PayloadValue& value = payload.value(payload.externals[i]);
        const std::vector<std::int64_t> sizes(value.sizes.begin(), value.sizes.end());
        std::uint64_t count = 4;
        for (const std::int64_t size : sizes) {
            count = std::min(count * static_cast<std::uint64_t>(size), memoryBytes + 1);
        }
        if (count > memoryBytes) {
            return;  // an output that says more than it will have
        }
        memory.emplace_back(count, std::byte{0x3F});
        const auto type = value.datatype == xnnpack::Datatype::Fp32     ? et::core::ScalarType::Float
                          : value.datatype == xnnpack::Datatype::Fp16   ? et::core::ScalarType::Half
                          : value.datatype == xnnpack::Datatype::QInt8  ? et::core::ScalarType::Char
                          : value.datatype == xnnpack::Datatype::QUInt8 ? et::core::ScalarType::Byte
                                                                        : et::core::ScalarType::BFloat16;
        auto tensor = et::core::Tensor::make(type, sizes, memory.back().data());
        if (!tensor) {
            return;
        }
        tensor->setMemory(memory.back().data(), memory.back().size());
        tensor->setShape(et::core::Tensor::Shape::Bounded);
        values[i].set(*tensor);
    }
    for (const xnnpack::ValueIndex external : payload.externals) {
        const std::size_t argument = payload.value(external).externalId.value_or(0);
        if (argument > 1000) {
            return;
        }
        arguments.resize(std::max(arguments.size(), argument + 1), values.data());
    }
    for (std::size_t i = 0; i < payload.externals.size(); ++i) {
        arguments[payload.value(payload.externals[i]).externalId.value_or(0)] = &values[i];
    }
    for (int execution = 0; execution < 2; ++execution) {
        const auto done = delegate.execute({}, arguments);
        sink = sink + (done ? 1U : static_cast<unsigned>(done.error().toString().size()));
    }
}

void load(Bytes payload) {
    static const et::kernels::ThreadPool threads(1);
    static const AnyData data;
    const et::program::Delegate source{
        .backend = "XnnpackBackend", .payload = payload, .segment = std::nullopt, .compileSpecs = {}};
    const auto loaded = xnnpack::Delegate::load({.delegate = source,
                                                 .method = "forward",
                                                 .namedData = data,
                                                 .threads = threads,
                                                 .shared = nullptr,
                                                 .traced = false,
                                                 .memoryBytes = memoryBytes});
    if (!loaded) {
        sink = sink + static_cast<unsigned>(loaded.error().toString().size());
        return;
    }
    run(**loaded);
}

/// A few bytes or words among the tables changed.
void mutate(std::vector<std::byte>& payload, std::mt19937_64& random) {
    for (std::uint64_t change = 0, count = 1 + random() % 3; change < count && payload.size() > 8; ++change) {
        const std::size_t at = random() % (std::min(payload.size(), tables) - 4);
        static constexpr std::uint32_t special[] = {0,    1,    2,          3,          0x7F,
                                                    0x80, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
        const std::uint32_t word = random() % 2 == 0 ? special[random() % std::size(special)]
                                                     : static_cast<std::uint32_t>(random() % 64);
        std::memcpy(payload.data() + at, &word, random() % 2 == 0 ? 1 : 4);
    }
}

void loadMutants(Bytes payload, std::mt19937_64& random) {
    load(payload);
    for (int i = 0; i < mutants; ++i) {
        std::vector<std::byte> bytes(payload.begin(), payload.end());
        mutate(bytes, random);
        load(bytes);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes{reinterpret_cast<const std::byte*>(data), size};
    std::mt19937_64 random(size);
    const auto file = et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()});
    const auto bundle = et::bundled_program::Bundle::parse(file);
    const auto program =
        bundle ? et::program::Program::parse(file, (*bundle)->program) : et::program::Program::parse(file);
    if (!program) {
        load(file->bytes());
        return 0;
    }
    for (const auto& method : (*program)->methods) {
        for (const auto& delegate : method.delegates) {
            loadMutants(delegate.payload, random);
        }
    }
    return 0;
}
