#pragma once

#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/method_fit.h"
#include "inspector/join/run_groups.h"
#include "runtime/core/result.h"

#include <optional>
#include <string>
#include <vector>

namespace et::inspector::join::detail {

/// Method of the record for each group of runs, and warnings for the user.
struct Attribution {
    std::vector<MethodView> methods;             ///< one per group; an empty name: unknown
    std::vector<std::string> warnings;           ///< an ambiguous method, a record that does not match
    std::optional<std::string> contradiction{};  ///< why the record does not match; one of the warnings
};

/// Finds the method of every group: options.method if set, `forward` with referenceQuirks, else the method
/// that best matches the group's events. Groups without such events (the load phase) get the method of the
/// next group. The views are valid as long as the record. Errors: NotFound (options.method, or `forward` with
/// referenceQuirks, is not a method of the record).
[[nodiscard]] core::Result<Attribution> attribute(const etdump::Trace& trace, const RunGroups& groups,
                                                  const etrecord::Record& record, const JoinOptions& options);

}  // namespace et::inspector::join::detail
