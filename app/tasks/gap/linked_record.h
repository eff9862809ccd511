#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <map>
#include <memory>
#include <string>

// Changed copies of a record, which share its tensors.
namespace et::tasks {

using LinkedMaps = std::map<std::string, etrecord::MethodMaps, std::less<>>;

/// The record with other instruction maps. Errors: those of etrecord::replaceMaps().
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> withMaps(const etrecord::Record& record,
                                                                             const LinkedMaps& maps);

/// The record with another graph for a method, without maps. Errors: those of etrecord::replaceMethod().
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> withGraph(
    const etrecord::Record& record, const std::string& method, const etrecord::ExportedGraph& graph);

}  // namespace et::tasks
