// Loads and runs delegate payloads with inputs of several shapes: payloads of programs and single ones,
// unchanged and with changes that byte flips do not reach.

#include "backends/xnnpack/delegate/delegate.h"
#include "backends/xnnpack/format/cut_payload.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/format/shrink_payload.h"
#include "backends/xnnpack/format/write_payload.h"
#include "bundled_program/bundle.h"
#include "runtime/program/program.h"
#include "tests/fuzz/support/mutate_payload.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

namespace {

using et::core::Bytes;
namespace xnnpack = et::backends::xnnpack;

/// Small, so that no payload runs for more than a few seconds.
constexpr std::uint64_t memoryBytes = 1 << 22;
constexpr std::size_t tensorBytes = 1 << 18;
constexpr std::size_t largestArgument = 1000;
constexpr int mutants = 6;
constexpr std::size_t tables = 4096;  // leading bytes of a payload that contain its tables

volatile unsigned sink = 0;

/// Returns the same data for every name.
class AnyData final : public et::executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<Bytes> find(std::string_view) const override { return bytes; }

  private:
    std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16, std::byte{0x3C});
};

et::core::ScalarType tensorType(xnnpack::Datatype type) {
    switch (type) {
        case xnnpack::Datatype::Fp16:
            return et::core::ScalarType::Half;
        case xnnpack::Datatype::BFloat16:
            return et::core::ScalarType::BFloat16;
        case xnnpack::Datatype::QInt8:
            return et::core::ScalarType::Char;
        case xnnpack::Datatype::QUInt8:
            return et::core::ScalarType::Byte;
        case xnnpack::Datatype::Int32:
            return et::core::ScalarType::Int;
        default:
            return et::core::ScalarType::Float;
    }
}

/// Tensors for a payload's arguments, of any shape.
class Arguments {
  public:
    explicit Arguments(const xnnpack::Payload& from) : payload(from), values(from.externals.size()) {
        pointers.assign(1, &unused);
        for (std::size_t i = 0; i < payload.externals.size(); ++i) {
            const std::size_t argument = payload.value(payload.externals[i]).externalId.value_or(0);
            if (argument > largestArgument) {
                tooMany = true;
                return;
            }
            pointers.resize(std::max(pointers.size(), argument + 1), &unused);
            pointers[argument] = &values[i];
        }
        memory.assign(values.size(), std::vector<std::byte>(tensorBytes, std::byte{0x3F}));
    }

    /// Sets the exported sizes if `random` is null. Returns false if they are invalid.
    bool shape(std::mt19937_64* random) {
        for (std::size_t i = 0; i < values.size() && !tooMany; ++i) {
            const xnnpack::PayloadValue& value = payload.value(payload.externals[i]);
            std::vector<std::int64_t> sizes(value.sizes.begin(), value.sizes.end());
            if (random != nullptr && !sizes.empty() && (*random)() % 2 == 0) {
                static constexpr std::array<std::int64_t, 8> others{0, 1, 1, 2, 3, 5, 8, 17};
                sizes[(*random)() % sizes.size()] = others[(*random)() % others.size()];
            }
            std::uint64_t bytes = sizeof(float);
            for (const std::int64_t size : sizes) {
                bytes = std::min<std::uint64_t>(bytes * static_cast<std::uint64_t>(size), tensorBytes + 1);
            }
            auto tensor = et::core::Tensor::make(tensorType(value.datatype), sizes, memory[i].data());
            if (bytes > tensorBytes || !tensor) {
                return false;
            }
            tensor->setMemory(memory[i].data(), memory[i].size());
            tensor->setShape(et::core::Tensor::Shape::Bounded);
            values[i].set(*tensor);
        }
        return !tooMany;
    }

    [[nodiscard]] std::span<et::core::Value* const> all() const { return pointers; }

  private:
    const xnnpack::Payload& payload;
    std::vector<std::vector<std::byte>> memory;
    std::vector<et::core::Value> values;
    std::vector<et::core::Value*> pointers;
    et::core::Value unused;
    bool tooMany = false;
};

void run(xnnpack::Delegate& delegate) {
    std::mt19937_64 random(delegate.payload().nodes.size());
    Arguments arguments(delegate.payload());
    for (int execution = 0; execution < 6; ++execution) {
        // Twice with exported shapes; then with other shapes, and with exported ones again.
        if (!arguments.shape(execution < 2 || execution == 4 ? nullptr : &random)) {
            return;
        }
        const auto done = delegate.execute({}, arguments.all());
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
                                                 .traced = payload.size() % 2 == 0,
                                                 .memoryBytes = memoryBytes});
    if (!loaded) {
        sink = sink + static_cast<unsigned>(loaded.error().toString().size());
        return;
    }
    run(**loaded);
}

/// Changes some bytes or words in the tables.
void flip(std::vector<std::byte>& payload, std::mt19937_64& random) {
    for (std::uint64_t change = 0, count = 1 + random() % 3; change < count && payload.size() > 8; ++change) {
        const std::size_t at = random() % (std::min(payload.size(), tables) - 4);
        static constexpr std::uint32_t special[] = {0,    1,    2,          3,          0x7F,
                                                    0x80, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
        const std::uint32_t word = random() % 2 == 0 ? special[random() % std::size(special)]
                                                     : static_cast<std::uint32_t>(random() % 64);
        std::memcpy(payload.data() + at, &word, random() % 2 == 0 ? 1 : 4);
    }
}

/// Parts of a readable payload must be readable, or be refused.
void takeApart(const xnnpack::Payload& whole) {
    std::vector<std::size_t> nodes;
    for (std::size_t first = 0; first < whole.nodes.size(); first += 1 + whole.nodes.size() / 4) {
        nodes.clear();
        for (std::size_t i = first; i < std::min(first + 3, whole.nodes.size()); ++i) {
            nodes.push_back(i);
        }
        const auto cut = xnnpack::cutNodes(whole, nodes);
        if (!cut) {
            sink = sink + static_cast<unsigned>(cut.error().toString().size());
        } else if (!xnnpack::readPayload(xnnpack::writePayload(cut->payload))) {
            std::abort();
        }
    }
    const et::backends::ChangedSizes sizes{{3, 1}, {4, 2}, {8, 1}, {16, 5}};
    if (const auto smaller = xnnpack::shrinkPayload(whole, {.asked = sizes, .constants = sizes}, AnyData())) {
        load(*smaller);
    }
}

void loadMutants(Bytes payload, std::mt19937_64& random) {
    load(payload);
    const auto parsed = xnnpack::readPayload(payload);
    if (parsed) {
        takeApart(*parsed);
    }
    for (int i = 0; i < mutants; ++i) {
        std::vector<std::byte> bytes(payload.begin(), payload.end());
        if (parsed && i % 3 != 0) {
            bytes = et::fuzz::mutatePayload(*parsed, random);
        } else {
            flip(bytes, random);
        }
        if (const auto mutant = xnnpack::readPayload(bytes)) {
            takeApart(*mutant);
        }
        load(bytes);
    }
}

/// The same bytes always get the same changes.
std::uint64_t seedOf(Bytes bytes) {
    std::uint64_t hash = 1469598103934665603U;
    for (const std::byte byte : bytes) {
        hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211U;
    }
    return hash;
}

/// Returns the payloads of a program or a bundle; `whole` itself if it is neither.
std::vector<std::vector<std::byte>> payloadsOf(Bytes whole) {
    const auto file = et::core::MappedFile::fromMemory({whole.begin(), whole.end()});
    const auto bundle = et::bundled_program::Bundle::parse(file);
    const auto program =
        bundle ? et::program::Program::parse(file, (*bundle)->program) : et::program::Program::parse(file);
    std::vector<std::vector<std::byte>> payloads;
    if (!program) {
        payloads.emplace_back(whole.begin(), whole.end());
        return payloads;
    }
    for (const auto& method : (*program)->methods) {
        for (const auto& delegate : method.delegates) {
            payloads.emplace_back(delegate.payload.begin(), delegate.payload.end());
        }
    }
    return payloads;
}

Bytes asBytes(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const std::byte*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = asBytes(data, size);
    std::mt19937_64 random(seedOf(bytes));
    for (const auto& payload : payloadsOf(bytes)) {
        loadMutants(payload, random);
    }
    return 0;
}

#ifdef ET_LIBFUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
    std::mt19937_64 random(seed);
    const auto payloads = payloadsOf(asBytes(data, size));
    if (!payloads.empty() && random() % 4 != 0) {
        const std::vector<std::byte>& payload = payloads[random() % payloads.size()];
        if (const auto parsed = xnnpack::readPayload(payload)) {
            const auto mutant = et::fuzz::mutatePayload(*parsed, random);
            if (mutant.size() <= maxSize) {
                std::memcpy(data, mutant.data(), mutant.size());
                return mutant.size();
            }
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}
#endif
