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

namespace et::inspector::detail {

/// Which method of the record each group of runs ran, and what a user must know about it.
struct Attribution {
    std::vector<MethodView> methods;             ///< one a group; an empty name: unknown
    std::vector<std::string> warnings;           ///< an ambiguous method, a record that does not fit
    std::optional<std::string> contradiction{};  ///< why the record does not fit; one of the warnings
};

/// Finds the method of every group: options.method where it is set, `forward` with referenceQuirks, else the
/// method that fits the group's events best. Groups without such events (the load phase) take the method of
/// the group that runs next. The views live as long as the record.
/// Errors: NotFound (options.method, or `forward` with referenceQuirks, is no method of the record).
[[nodiscard]] core::Result<Attribution> attribute(const etdump::Trace& trace, const RunGroups& groups,
                                                  const etrecord::Record& record, const JoinOptions& options);

}  // namespace et::inspector::detail
