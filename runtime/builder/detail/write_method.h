#pragma once

#include "runtime/builder/detail/data_pool.h"
#include "runtime/builder/detail/flat_file.h"
#include "runtime/builder/program_writer.h"
#include "runtime/program/schema/program_generated.h"

#include <vector>

namespace et::builder::detail {

/// Destinations of a method's data outside its own tables.
struct MethodTargets {
    flatbuffers::FlatBufferBuilder& builder;
    DataPool& constants;
    DataPool& states;
    SegmentList& segments;
    std::vector<core::Bytes>& inlinePayloads;
};

/// Errors: InvalidArgument (a size that does not fit 32 bits).
[[nodiscard]] core::Result<flatbuffers::Offset<program::schema::ExecutionPlan>> writeMethod(
    MethodTargets& targets, const program::Method& method);

}  // namespace et::builder::detail
