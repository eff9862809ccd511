#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// A tensor of a payload draft.
struct DraftValue {
    Datatype datatype = Datatype::Fp32;
    std::vector<std::uint32_t> sizes;  ///< in memory order
    Quantization quantization{};
};

/// A payload under construction: values, constants by name, nodes in execution order.
class PayloadDraft {
  public:
    PayloadDraft();

    ValueIndex value(DraftValue value);
    /// A constant stored in the program as named data `name`.
    ValueIndex constant(DraftValue value, std::string name);
    /// Adds the name of named data that a quantization refers to (PerChannelQuantization::scaleConstant).
    std::uint32_t namedConstant(std::string name);
    void add(PayloadNode node) { payload.nodes.push_back(std::move(node)); }
    [[nodiscard]] std::size_t nodes() const { return payload.nodes.size(); }
    [[nodiscard]] const PayloadValue& at(ValueIndex index) const { return payload.values[index]; }

    /// Makes a value the next argument of the delegate. Call at most once per value.
    void markInput(ValueIndex index);
    void markOutput(ValueIndex index);

    /// Serializes the payload and reads it back like the delegate. Errors: those of readPayload() and
    /// followShapes() (the draft is inconsistent).
    [[nodiscard]] core::Result<std::vector<std::byte>> finish() const;
    /// Index of the node that an error of finish() refers to, and removes the position from the error;
    /// SIZE_MAX: none.
    [[nodiscard]] static std::size_t nodeOf(core::Error& error);

  private:
    void markExternal(ValueIndex index);

    Payload payload;
};

}  // namespace et::backends::xnnpack
