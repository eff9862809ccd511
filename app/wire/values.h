#pragma once

#include "app/wire/codec.h"
#include "runtime/core/value.h"

#include <deque>
#include <vector>

namespace et::wire {

/// Encodes the current value: tensors with their elements, lists of tensors, numbers and booleans. Everything
/// else becomes None.
void encodeValue(Encoder& out, core::Value& value);

/// Values that own their data. Valid until clear() or destruction of this object.
class ValueStore {
  public:
    /// Decodes the next value of a message. Errors: Format, Limit (of core::Tensor::make()).
    [[nodiscard]] core::Result<core::Value*> decode(Decoder& in);
    void clear();

  private:
    [[nodiscard]] core::Result<core::Value> decodeTensor(Decoder& in);

    std::deque<core::Value> values;
    std::deque<std::vector<std::byte>> memory;
};

/// Assigns `from` to `to`. Copies a tensor into the memory of `to` if it has the right size and is not
/// constant; otherwise `to` refers to the memory of `from`. Items of a list are assigned one by one.
void assignValue(core::Value& from, core::Value& to);

}  // namespace et::wire
