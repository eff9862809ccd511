#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// A tensor of a payload to be.
struct DraftValue {
    Datatype datatype = Datatype::Fp32;
    std::vector<std::uint32_t> sizes;  ///< in the order of memory
    Quantization quantization{};
};

/// A payload that is being made: values, constants by name, nodes in the order in which they run.
class PayloadDraft {
  public:
    PayloadDraft();

    ValueIndex value(DraftValue value);
    /// A constant that the program has under `name` as named data.
    ValueIndex constant(DraftValue value, std::string name);
    /// Another name of named data for what a quantization refers to (PerChannelQuantization::scaleConstant).
    std::uint32_t namedConstant(std::string name);
    void add(PayloadNode node) { payload.nodes.push_back(std::move(node)); }
    [[nodiscard]] std::size_t nodes() const { return payload.nodes.size(); }
    [[nodiscard]] const PayloadValue& at(ValueIndex index) const { return payload.values[index]; }

    /// The next argument of the delegate. A value is one argument at most.
    void markInput(ValueIndex index);
    void markOutput(ValueIndex index);

    /// The bytes, read back as the delegate reads them. Errors: as Payload::read() and followShapes()
    /// (the draft contradicts itself).
    [[nodiscard]] core::Result<std::vector<std::byte>> finish() const;
    /// Which node an error of finish() is about, which then says no longer where in the payload it stands;
    /// SIZE_MAX: none.
    [[nodiscard]] static std::size_t nodeOf(core::Error& error);

  private:
    void markExternal(ValueIndex index);

    Payload payload;
};

}  // namespace et::backends::xnnpack
