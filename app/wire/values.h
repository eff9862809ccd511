#pragma once

#include "app/wire/codec.h"
#include "runtime/core/value.h"

#include <deque>
#include <vector>

namespace et::wire {

/// A value as it is now: tensors with their elements, lists of tensors, numbers and truths. Everything else
/// is None.
void encodeValue(Encoder& out, core::Value& value);

/// Values that own what they refer to. Valid until clear() and the end of this object.
class ValueStore {
  public:
    /// The next value of a message. Errors: Format, Limit (of core::Tensor::make()).
    [[nodiscard]] core::Result<core::Value*> decode(Decoder& in);
    void clear();

  private:
    [[nodiscard]] core::Result<core::Value> decodeTensor(Decoder& in);

    std::deque<core::Value> values;
    std::deque<std::vector<std::byte>> memory;
};

/// Gives `to` what `from` is. A tensor goes into the memory of `to` where it fits and is nobody's constant;
/// otherwise `to` refers to the memory of `from`. Items of a list go one by one.
void assignValue(core::Value& from, core::Value& to);

}  // namespace et::wire
