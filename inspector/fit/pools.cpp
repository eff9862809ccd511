#include "inspector/fit/pools.h"

#include <algorithm>
#include <bit>
#include <set>
#include <variant>

namespace et::inspector {
namespace {

using program::TensorInfo;

/// A bump allocator with aligned blocks.
class Bump {
  public:
    void take(std::uint64_t count, std::uint64_t bytes, std::uint64_t alignment) {
        used = (used + alignment - 1) / alignment * alignment + count * bytes;
    }
    [[nodiscard]] std::uint64_t bytes() const { return used; }

  private:
    std::uint64_t used = 0;
};

/// Models the allocations of ExecuTorch's runtime while loading a method, in order. Type sizes as of 2026.
class LoadModel {
  public:
    LoadModel(const program::Method& from, unsigned pointerBytes) : method(from), word(pointerBytes) {}

    LoadNeed run() {
        constexpr std::uint64_t valueBytes = 16;  // eight bytes of payload and a tag
        pool.take(method.values.size(), valueBytes, wide);
        pool.take(method.inputs.size(), 1, 1);
        const auto external = std::ranges::count_if(method.values, [](const program::Value& value) {
            const auto* const tensor = value.as<TensorInfo>();
            return tensor != nullptr && tensor->initialData == program::InitialData::External &&
                   !tensor->allocation;
        });
        if (external > 0) {
            takeWords(static_cast<std::uint64_t>(external) * 5);  // a name and a buffer
        }
        for (const program::Value& value : method.values) {
            value.visit([&](const auto& content) { load(content); });
        }
        takeWords(method.delegates.size() * 6);  // a buffer, the backend and its handle
        for (const program::Delegate& delegate : method.delegates) {
            takeWords(delegate.compileSpecs.size() * 3);  // a name and a span
        }
        takeWords(method.chains.size() * 4);
        for (const program::Chain& chain : method.chains) {
            loadChain(chain);
        }
        return {.method = pool.bytes(), .temporary = temporary};
    }

  private:
    static constexpr std::uint64_t wide = 8;  // of int64 and double, including the ABIs of 32-bit Arm

    void takeWords(std::uint64_t count) { pool.take(count, word, word); }

    void load(const TensorInfo& tensor) {
        constexpr std::uint64_t sizeBytes = 4;
        const std::size_t dims = tensor.sizes.size();
        if (tensor.dynamism != program::ShapeDynamism::Static) {
            pool.take(dims, sizeBytes, sizeBytes);
            pool.take(dims, 1, 1);
        }
        pool.take(dims, sizeBytes, sizeBytes);  // strides
        // Four pointers, three word-sized numbers; dtype, dynamism and device share one more word.
        takeWords(8);
    }
    void load(const program::IntList& list) {
        takeWords(list.items.size());
        pool.take(list.items.size(), wide, wide);
        takeWords(boxedList);
    }
    void load(const program::TensorList& list) {
        takeWords(list.items.size());
        takeWords(list.items.size());
        takeWords(boxedList);
    }
    void load(const program::OptionalTensorList& list) {
        takeWords(list.items.size() * 2);
        takeWords(list.items.size());
        takeWords(boxedList);
    }
    void load(const program::DoubleList& /*list*/) { takeWords(span); }
    void load(const program::BoolList& /*list*/) { takeWords(span); }
    void load(std::string_view /*text*/) { takeWords(span); }
    template <class Plain>
    void load(const Plain& /*in the value itself*/) {}

    void loadChain(const program::Chain& chain) {
        takeWords(chain.instructions.size());         // kernels
        takeWords(chain.instructions.size() * span);  // arguments
        for (const program::Instruction& instruction : chain.instructions) {
            if (const auto* const call = std::get_if<program::KernelCall>(&instruction)) {
                takeWords(call->args.size());
                lookUp(*call);
            } else if (const auto* const delegate = std::get_if<program::DelegateCall>(&instruction)) {
                takeWords(delegate->args.size());
            }
        }
    }

    /// Dtype and dim order of each tensor, during kernel lookup.
    void lookUp(const program::KernelCall& call) {
        Bump scratch;
        scratch.take(call.args.size() * 3, word, word);
        for (const program::ValueId id : call.args) {
            if (const auto* const tensor = method.value(id).as<TensorInfo>()) {
                scratch.take(tensor->sizes.size(), 1, 1);
            }
        }
        temporary = std::max(temporary, scratch.bytes());
    }

    static constexpr std::uint64_t span = 2;       // a pointer and a size
    static constexpr std::uint64_t boxedList = 3;  // a span and a pointer
    const program::Method& method;
    unsigned word;
    Bump pool;
    std::uint64_t temporary = 0;
};

std::uint64_t bytesOf(const TensorInfo& tensor) {
    return static_cast<std::uint64_t>(tensor.byteSize.value_or(0));
}

/// The largest power of two that divides all offsets.
class CommonAlignment {
  public:
    void add(std::uint64_t place) { bits |= place; }
    [[nodiscard]] std::optional<std::uint64_t> bytes() const {
        return bits == 0 ? std::nullopt : std::optional(std::uint64_t{1} << std::countr_zero(bits));
    }

  private:
    std::uint64_t bits = 0;
};

}  // namespace

std::uint64_t PoolNeeds::planned() const {
    std::uint64_t sum = 0;
    for (const ArenaNeed& arena : arenas) {
        sum += arena.planned;
    }
    return sum;
}

std::uint64_t PoolNeeds::smallestPlanned() const {
    std::uint64_t sum = 0;
    for (const ArenaNeed& arena : arenas) {
        sum += arena.smallest;
    }
    return sum;
}

LoadNeed loadNeed(const program::Method& method, unsigned pointerBytes) {
    return LoadModel(method, pointerBytes).run();
}

PoolNeeds computePools(const program::Method& method) {
    PoolNeeds out;
    for (std::size_t id = 1; id < method.arenas.size(); ++id) {
        out.arenas.push_back({.planned = method.arenas[id].bytes});
    }
    std::set<std::uint32_t> ends;
    for (const auto* const list : {&method.inputs, &method.outputs}) {
        for (const program::ValueId id : *list) {
            ends.insert(id.value);
        }
    }
    std::set<const std::byte*> constants;
    for (std::size_t i = 0; i < method.values.size(); ++i) {
        const auto* const tensor = method.values[i].as<TensorInfo>();
        if (tensor == nullptr) {
            continue;
        }
        if (tensor->allocation) {
            // Arena 0 contains constants, which are not planned.
            ArenaNeed& arena = out.arenas[tensor->allocation->arena.value - 1];
            arena.smallest = std::max(arena.smallest, tensor->allocation->offset + bytesOf(*tensor));
        } else if (tensor->initialData != program::InitialData::None) {
            out.constants +=
                tensor->data.empty() || constants.insert(tensor->data.data()).second ? bytesOf(*tensor) : 0;
        } else if (tensor->dynamism == program::ShapeDynamism::Unbounded) {
            ++out.unbounded;
        } else {
            (ends.contains(static_cast<std::uint32_t>(i)) ? out.inputsOutputs : out.unplanned) +=
                bytesOf(*tensor);
        }
    }
    out.load64 = loadNeed(method, 8);
    out.load32 = loadNeed(method, 4);
    return out;
}

Alignments collectAlignments(const program::Program& program, const program::Method& method) {
    CommonAlignment constants;
    CommonAlignment payloads;
    CommonAlignment planned;
    const auto place = [&](core::Bytes data) {
        return data.empty() ? 0 : static_cast<std::uint64_t>(data.data() - program.bytes.data());
    };
    for (const program::Value& value : method.values) {
        if (const auto* const tensor = value.as<TensorInfo>()) {
            constants.add(place(tensor->data));
            planned.add(tensor->allocation ? tensor->allocation->offset : 0);
        }
    }
    for (const program::Delegate& delegate : method.delegates) {
        payloads.add(place(delegate.payload));
    }
    for (const program::NamedData& named :
         method.delegates.empty() ? std::vector<program::NamedData>() : program.namedData) {
        payloads.add(place(named.data));
    }
    return {.constants = constants.bytes(), .payloads = payloads.bytes(), .planned = planned.bytes()};
}

FlashNeed computeFlash(const program::Program& program) {
    FlashNeed out{.file = program.bytes.size()};
    for (const program::Segment& segment : program.segments) {
        out.data += segment.data.size();
    }
    return out;
}

}  // namespace et::inspector
