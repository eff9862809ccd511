#pragma once

#include "etdump/detail/content_budget.h"
#include "etdump/schema/etdump_generated.h"
#include "etdump/trace.h"

#include <flatbuffers/flatbuffers.h>

namespace et::etdump::detail {

/// The value of a verified debug event; a null `value` means an event without one. Strings are borrowed;
/// sizes and strides are copied as far as the budget allows.
[[nodiscard]] DebugValue decodeValue(const fb::Value* value, ContentBudget& budget);

/// Bytes that the sizes, strides and texts of `value` need when written.
[[nodiscard]] std::size_t encodedBytes(const DebugValue& value);
[[nodiscard]] flatbuffers::Offset<fb::Value> encodeValue(flatbuffers::FlatBufferBuilder& builder,
                                                         const DebugValue& value);

}  // namespace et::etdump::detail
