#pragma once

#include "runtime/builder/detail/data_pool.h"
#include "runtime/program/schema/program_generated.h"
#include "runtime/program/value.h"

#include <flatbuffers/flatbuffers.h>

namespace et::builder::detail {

/// The format's vectors of value positions.
using Positions = flatbuffers::Offset<flatbuffers::Vector<std::int32_t>>;

[[nodiscard]] Positions createPositions(flatbuffers::FlatBufferBuilder& builder,
                                        const std::vector<program::ValueId>& ids);

/// Creates one value of a method; tensor data are added to the pools.
[[nodiscard]] flatbuffers::Offset<program::schema::EValue> createValue(
    flatbuffers::FlatBufferBuilder& builder, DataPool& constants, DataPool& states,
    const program::Value& value);

}  // namespace et::builder::detail
